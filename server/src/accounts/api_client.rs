//! API clients and their keys. A key is seen once, when it is made; kept are its hash and its first characters.

use crate::accounts::moving_time::MovingTime;
use crate::accounts::permission::Permissions;
use crate::crypto::fingerprint::Fingerprint;
use serde::{Deserialize, Serialize};

use libros_server_system::clock::Timestamp;

/// The rate limit a client gets that asks for none. It is stored and shown, never enforced.
pub(crate) const DEFAULT_RATE_LIMIT: f64 = 1000.0;

const SHOWN_CHARS: usize = 8;

/// A client of the service, identified by an API key.
///
/// Source: catalogue-service, "API client".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Client {
    /// `client_<number>`.
    pub(crate) id: String,
    pub(crate) key: Fingerprint,
    /// The first 8 characters of its key, for the listing.
    pub(crate) shown: String,
    pub(crate) name: String,
    pub(crate) permissions: Permissions,
    /// Requests a minute it should stay below; an integer of JavaScript's.
    pub(crate) rate_limit: f64,
    pub(crate) created_at: Timestamp,
    /// When it last came through a guard; none before the first time.
    last_used: MovingTime,
}

impl Client {
    /// The client number `number` whose key is `key`, never used.
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
            last_used: MovingTime::unsaved(None),
        }
    }

    /// The number in its id; clients count up, so this is their order.
    pub(crate) fn number(&self) -> u64 {
        self.id.strip_prefix("client_").and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// Notes a successful use; returns whether the store has to learn of it.
    pub(crate) fn note_use(&self, now: Timestamp) -> bool {
        // rule: api-keys/last-used-set
        self.last_used.move_to(now)
    }

    /// Notes a use on another replica, which the store knows.
    pub(crate) fn count_as_saved(&self) {
        self.last_used.count_as_saved();
    }

    /// When it last came through a guard; `None` before the first time.
    pub(crate) fn last_used(&self) -> Option<Timestamp> {
        self.last_used.get()
    }

    /// Its key as the listing shows it: a beginning and three dots.
    pub(crate) fn masked_key(&self) -> String {
        // rule: api-keys/list-mask
        format!("{}...", self.shown)
    }
}

/// A new key made of 16 random bytes: `ak_` and 32 lower-case hex digits.
pub(crate) fn new_key(random: [u8; 16]) -> String {
    // rule: api-keys/key-form, api-keys/key-distinct
    format!("ak_{}", hex::encode(random))
}
