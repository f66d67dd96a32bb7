//! Users: the fields of a registration, numbers of ids, what permissions allow.

use serde_json::{Value, json};

/// A field that must be a text with something in it.
pub(crate) fn required_text(sent: Option<&Value>) -> Option<String> {
    sent.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The role as sent; `user` without one.
pub(crate) fn role(sent: Option<&Value>) -> Option<Value> {
    Some(sent.filter(|sent| !sent.is_null() && *sent != "").cloned().unwrap_or_else(|| json!("user")))
}

/// The permissions of a role; one outside the table has those of `user`.
pub(crate) fn permissions_of(role: &str) -> &'static [&'static str] {
    match role {
        "admin" => &["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"],
        "moderator" => &["read:libros", "write:libros", "delete:libros"],
        _ => &["read:libros"],
    }
}

/// Whether these permissions are enough: none implies another.
pub(crate) fn holds(held: &[String], needed: &str) -> bool {
    held.iter().any(|permission| permission == needed)
}
