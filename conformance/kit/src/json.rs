//! Pointers to the members of JSON values (RFC 6901), and their texts outside of JSON. Judges nothing.

use serde_json::Value;

/// The JSON pointer to a member of the value at `pointer`.
pub fn pointer_to(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// The key that is written so in a JSON pointer.
pub fn key_of(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// A text without quotes, other JSON as it is written.
pub fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
