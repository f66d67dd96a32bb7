//! Cases of the chapter permissions: what each role holds, and what each operation takes.

use serde_json::Value;

use crate::case::Case;

pub mod denials;
pub mod matrix;
mod operations;
pub mod roles;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[roles::CASES, matrix::CASES, denials::CASES];

/// Every permission there is.
pub const ALL: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// What a registered user of role `moderator` holds.
pub const MODERATOR: &[&str] = &["read:libros", "write:libros", "delete:libros"];

/// What a user of role `user`, or of a role outside the table, holds.
pub const USER: &[&str] = &["read:libros"];

/// What the initial admin holds, and the initial admin client.
pub const INITIAL_ADMIN: &[&str] = &["read:libros", "write:libros", "delete:libros", "manage:users"];

/// Whether a JSON list has exactly these permissions, each once, in any order.
pub fn are_exactly(held: &Value, wanted: &[&str]) -> bool {
    held.as_array().is_some_and(|held| {
        held.len() == wanted.len() && wanted.iter().all(|wanted| held.iter().any(|held| held == wanted))
    })
}
