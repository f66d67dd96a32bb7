//! Registered users. Never holds a password, only its hash.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::accounts::{permission::Permissions, two_factor::TwoFactor};
use crate::crypto::password::PasswordHash;
use libros_server_query::json;
use libros_server_system::clock::Timestamp;

/// A user. Source: catalogue-service, "User".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct User {
    pub(crate) id: String,
    /// The unique key; letter case counts.
    pub(crate) email: String,
    pub(crate) password_hash: PasswordHash,
    /// As sent; `None` when nothing was.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(crate) nombre: Option<Value>,
    /// As sent; `"user"` when nothing was.
    #[serde(deserialize_with = "json::value")]
    pub(crate) role: Value,
    pub(crate) permissions: Permissions,
    pub(crate) is_active: bool,
    pub(crate) created_at: Timestamp,
    /// When the user was registered; never changes.
    pub(crate) updated_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) two_factor_auth: Option<TwoFactor>,
}

impl User {
    pub(crate) fn new(
        number: u64,
        email: String,
        password_hash: PasswordHash,
        nombre: Option<Value>,
        role: Value,
        now: Timestamp,
    ) -> Self {
        Self {
            // rule: registration/id-form
            id: format!("user_{number}"),
            email,
            password_hash,
            nombre,
            // rule: registration/permissions-from-role
            permissions: Permissions::of_role(&role),
            role,
            // rule: registration/active-at-once
            is_active: true,
            // rule: registration/timestamps
            created_at: now,
            updated_at: now,
            two_factor_auth: None,
        }
    }

    /// The second factor if it is enabled; `two_factor_auth` also keeps a disabled one.
    pub(crate) fn two_factor(&self) -> Option<&TwoFactor> {
        self.two_factor_auth.as_ref().filter(|record| record.enabled)
    }
}

/// A field that is there, `null` included.
fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Value>, D::Error> {
    json::value(field).map(Some)
}
