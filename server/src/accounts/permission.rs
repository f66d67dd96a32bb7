//! Permissions, and which of them a role brings. Pure; knows neither users nor clients.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permission {
    ReadBooks,
    WriteBooks,
    DeleteBooks,
    ManageUsers,
    ManageApiKeys,
}

impl Permission {
    const ALL: [Self; 5] =
        [Self::ReadBooks, Self::WriteBooks, Self::DeleteBooks, Self::ManageUsers, Self::ManageApiKeys];

    /// Its name on the wire. Source: catalogue-service, "User".
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ReadBooks => "read:libros",
            Self::WriteBooks => "write:libros",
            Self::DeleteBooks => "delete:libros",
            Self::ManageUsers => "manage:users",
            Self::ManageApiKeys => "manage:api_keys",
        }
    }

    fn bit(self) -> u8 {
        1 << (self as u8)
    }
}

/// The permissions of a user or client: the names as given, unknown ones and repetitions included.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub(crate) struct Permissions {
    pub(crate) names: Vec<String>,
    known: u8,
}

impl Permissions {
    /// Whether the one needed is among them; none needed is always held.
    pub(crate) fn hold(&self, needed: Option<Permission>) -> bool {
        // rule: permissions/no-implication
        needed.is_none_or(|needed| self.known & needed.bit() != 0)
    }

    /// What a registered user of `role` may do.
    ///
    /// Source: catalogue-service, "User", role table.
    pub(crate) fn of_role(role: &Value) -> Self {
        Self::of(match role.as_str() {
            // rule: permissions/role-admin
            Some("admin") => &Permission::ALL,
            // rule: permissions/role-moderator
            Some("moderator") => &[Permission::ReadBooks, Permission::WriteBooks, Permission::DeleteBooks],
            // rule: permissions/role-user, permissions/role-other
            _ => &[Permission::ReadBooks],
        })
    }

    pub(crate) fn of(permissions: &[Permission]) -> Self {
        Self::from(permissions.iter().map(|permission| permission.name().to_owned()).collect::<Vec<_>>())
    }
}

impl From<Vec<String>> for Permissions {
    fn from(names: Vec<String>) -> Self {
        let known = Permission::ALL
            .iter()
            .filter(|permission| names.iter().any(|name| name == permission.name()))
            .fold(0, |bits, permission| bits | permission.bit());
        Self { names, known }
    }
}

impl From<Permissions> for Vec<String> {
    fn from(permissions: Permissions) -> Self {
        permissions.names
    }
}
