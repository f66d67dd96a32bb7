//! The sets of permissions that roles and initial clients hold.

use crate::chapters::prelude::*;

/// Every permission there is.
pub(crate) const ALL: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// What a registered user of role `moderator` holds.
pub(crate) const MODERATOR: &[&str] = &["read:libros", "write:libros", "delete:libros"];

/// What a user of role `user`, or of a role outside the table, holds.
pub(crate) const USER: &[&str] = &["read:libros"];

/// What the initial admin holds, and the initial admin client.
pub(crate) const INITIAL_ADMIN: &[&str] = &["read:libros", "write:libros", "delete:libros", "manage:users"];

/// Whether a JSON list has exactly these permissions, each once, in any order.
pub(crate) fn are_exactly(held: &Value, wanted: &[&str]) -> bool {
    held.as_array().is_some_and(|held| {
        held.len() == wanted.len() && wanted.iter().all(|wanted| held.iter().any(|held| held == wanted))
    })
}
