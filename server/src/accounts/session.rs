//! Session tokens: made at login, valid for an hour, and for half an hour after each successful use.

use serde::{Deserialize, Serialize};

use crate::accounts::moving_time::MovingTime;
use libros_server_system::clock::Timestamp;

/// Life of a session that is never used, from its making.
pub(crate) const LIFETIME_MS: i64 = 60 * 60 * 1000;

/// Life of a session from its last successful use.
pub(crate) const AFTER_USE_MS: i64 = 30 * 60 * 1000;

/// The session of a token. Source: catalogue-service, "Session token".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    pub(crate) email: String,
    pub(crate) user_id: String,
    pub(crate) created_at: Timestamp,
    /// The last millisecond at which the session is valid; `None` after it has expired. After a crash it may be up to a second too early.
    pub(crate) expires_at: MovingTime,
}

impl Session {
    pub(crate) fn new(email: String, user_id: String, now: Timestamp) -> Self {
        Self {
            email,
            user_id,
            created_at: now,
            // rule: sessions/first-hour
            expires_at: MovingTime::saved(now.plus_ms(LIFETIME_MS)),
        }
    }

    /// Whether the session has expired. It has not at `expires_at` itself.
    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.expires_at.get().is_none_or(|expires_at| now > expires_at)
    }
}
