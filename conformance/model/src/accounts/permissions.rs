//! Permissions: which one each operation needs, and which ones each role has.

/// An operation that needs a permission, or at least a credential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    ListBooks,
    ReadBook,
    CreateBook,
    ReplaceBook,
    DeleteBook,
    CreateKey,
    ListKeys,
    TwoFactor,
}

/// The permission that an operation needs; `None` if any credential is enough.
pub fn needed(operation: Operation) -> Option<&'static str> {
    match operation {
        Operation::ListBooks | Operation::ReadBook => Some("read:libros"),
        Operation::CreateBook | Operation::ReplaceBook => Some("write:libros"),
        Operation::DeleteBook => Some("delete:libros"),
        Operation::CreateKey | Operation::ListKeys => Some("manage:api_keys"),
        Operation::TwoFactor => None,
    }
}

/// The permissions of a role; an unknown role has those of `user`.
pub fn of_role(role: &str) -> &'static [&'static str] {
    match role {
        "admin" => &["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"],
        "moderator" => &["read:libros", "write:libros", "delete:libros"],
        _ => &["read:libros"],
    }
}

/// Whether the permissions include the needed one: none implies another.
pub fn holds(held: &[String], needed: &str) -> bool {
    held.iter().any(|permission| permission == needed)
}
