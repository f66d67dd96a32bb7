//! API clients and their keys. A new key is shown once. The service stores only its hash and its first characters.

use serde::{Deserialize, Serialize};

use crate::accounts::{moving_time::MovingTime, permission::Permissions};
use crate::crypto::fingerprint::Fingerprint;
use libros_server_system::clock::Timestamp;

/// The rate limit of a client that asks for none. The service stores and shows it, but never enforces it.
pub(crate) const DEFAULT_RATE_LIMIT: f64 = 1000.0;

const SHOWN_CHARS: usize = 8;

/// A client of the service, identified by an API key. Source: catalogue-service, "API client".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApiClient {
    pub(crate) id: String,
    pub(crate) key: Fingerprint,
    /// The first 8 characters of its key, for the listing.
    pub(crate) shown: String,
    pub(crate) name: String,
    pub(crate) permissions: Permissions,
    /// Requests a minute that it should stay below; a whole number, as JavaScript holds it.
    pub(crate) rate_limit: f64,
    pub(crate) created_at: Timestamp,
    /// When the guard last admitted the client; `None` before the first time.
    pub(crate) last_used: MovingTime,
}

impl ApiClient {
    pub(crate) fn new(
        number: u64,
        key: &str,
        name: String,
        permissions: Permissions,
        rate_limit: f64,
        now: Timestamp,
    ) -> Self {
        Self {
            // rule: api-keys/id-form
            id: format!("client_{number}"),
            key: Fingerprint::of(key.as_bytes()),
            shown: key.chars().take(SHOWN_CHARS).collect(),
            name,
            permissions,
            rate_limit,
            created_at: now,
            // rule: api-keys/last-used-null
            last_used: MovingTime::from(None),
        }
    }
}
