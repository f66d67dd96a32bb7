//! How API clients are created and listed. The default is right.

use serde_json::Value;

use crate::impostor::model::accounts::{api_key, user};
use crate::impostor::model::clock::ISO;
use crate::impostor::policy::OddValue;

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct ApiKeyPolicy {
    /// The permission that creating takes.
    pub(crate) create_takes: &'static str,
    /// The permission that listing takes.
    pub(crate) list_takes: &'static str,
    pub(crate) id_prefix: &'static str,
    /// The number of an id, by how many clients there are and the time.
    pub(crate) number: fn(usize, i64) -> i64,
    pub(crate) key: fn() -> String,
    pub(crate) shown_key: fn(&str) -> String,
    /// The name as it was sent; nothing: refused.
    pub(crate) name: fn(Option<&Value>) -> Option<String>,
    pub(crate) default_permission: &'static str,
    /// A list with nothing in it.
    pub(crate) empty_permissions: OddValue,
    /// A list with a name that is no permission.
    pub(crate) unknown_permissions: OddValue,
    pub(crate) default_rate_limit: u32,
    pub(crate) zero_rate_limit: OddValue,
    /// A rateLimit that is no whole number.
    pub(crate) odd_rate_limit: OddValue,
    pub(crate) created_at: &'static str,
    pub(crate) creation_is_a_use: bool,
}

impl Default for ApiKeyPolicy {
    fn default() -> Self {
        Self {
            create_takes: "manage:api_keys",
            list_takes: "manage:api_keys",
            id_prefix: "client_",
            number: user::next_number,
            key: api_key::new_key,
            shown_key: api_key::masked,
            name: user::required_text,
            default_permission: "read:libros",
            empty_permissions: OddValue::Kept,
            unknown_permissions: OddValue::Kept,
            default_rate_limit: 1000,
            zero_rate_limit: OddValue::Kept,
            odd_rate_limit: OddValue::Refused,
            created_at: ISO,
            creation_is_a_use: false,
        }
    }
}
