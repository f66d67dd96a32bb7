//! Permissions, and the permissions of each role. Pure; knows neither users nor clients.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The names of permissions on the wire, by number. Source: catalogue-service, "User".
const NAMES: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// The permissions that routes need, with their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    ReadBooks = 0,
    WriteBooks = 1,
    DeleteBooks = 2,
    ManageApiKeys = 4,
}

/// The permissions of a user or client: the names as given, unknown ones and repetitions included.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Permissions {
    pub(crate) names: Vec<String>,
    known: u8,
}

impl Permissions {
    /// Whether `needed` is one of them; true if it is `None`.
    pub(crate) fn hold(&self, needed: Option<Permission>) -> bool {
        // rule: permissions/no-implication
        needed.is_none_or(|needed| self.known & 1 << needed as u8 != 0)
    }

    /// What a registered user of `role` may do. Source: catalogue-service, "User", role table.
    pub(crate) fn of_role(role: &Value) -> Self {
        Self::up_to(match role.as_str() {
            // rule: permissions/role-admin
            Some("admin") => Permission::ManageApiKeys,
            // rule: permissions/role-moderator
            Some("moderator") => Permission::DeleteBooks,
            // rule: permissions/role-user, permissions/role-other
            _ => Permission::ReadBooks,
        })
    }

    /// This permission and those with lower numbers.
    pub(crate) fn up_to(last: Permission) -> Self {
        Self::from(NAMES[..=last as usize].iter().map(ToString::to_string).collect::<Vec<_>>())
    }
}

impl From<Vec<String>> for Permissions {
    fn from(names: Vec<String>) -> Self {
        let held = (0..).zip(NAMES).filter(|(_, known)| names.iter().any(|name| name == known));
        Self { known: held.fold(0, |bits, (number, _)| bits | 1 << number), names }
    }
}

impl From<Permissions> for Vec<String> {
    fn from(permissions: Permissions) -> Self {
        permissions.names
    }
}
