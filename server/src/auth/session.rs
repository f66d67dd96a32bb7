//! Session tokens: made at login, valid for an hour, and for half an hour after each successful use.

use serde::{Deserialize, Serialize};

use super::told::Told;
use crate::clock::Timestamp;

/// Life of a session that is never used, from its making.
pub const LIFETIME_MS: i64 = 60 * 60 * 1000;

/// Life of a session from its last successful use.
pub const AFTER_USE_MS: i64 = 30 * 60 * 1000;

/// What a session token stands for. Source: catalogue-service, "Session token".
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// E-mail of the user.
    pub email: String,
    /// `user_<number>`.
    pub user_id: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The last millisecond at which it counts.
    pub expires_at: Timestamp,
    /// The expiry that the store knows. After a crash, not after an orderly stop, a session may be over this much earlier than
    /// its last use promised.
    #[serde(skip)]
    told: Told,
}

impl Session {
    /// A session of the user, made now.
    #[must_use]
    pub fn new(email: String, user_id: String, now: Timestamp) -> Self {
        Self {
            email,
            user_id,
            created_at: now,
            // rule: sessions/first-hour
            expires_at: now.plus_ms(LIFETIME_MS),
            told: Told::of(now.plus_ms(LIFETIME_MS)),
        }
    }

    /// Whether its time is over; at `expires_at` itself it is not.
    #[must_use]
    pub fn is_over(&self, now: Timestamp) -> bool {
        // rule: sessions/expired-at
        now > self.expires_at
    }

    /// Sets the expiry after a successful use, even where that is earlier than before; whether to tell the store.
    pub fn slide(&mut self, now: Timestamp) -> bool {
        // rule: sessions/use-extends, sessions/use-shortens
        self.expires_at = now.plus_ms(AFTER_USE_MS);
        self.told.tell(self.expires_at)
    }
}

/// A new token made of 32 random bytes: 64 lower-case hex digits.
#[must_use]
pub fn new_token(random: [u8; 32]) -> String {
    // rule: sessions/form
    hex::encode(random)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MADE: Timestamp = Timestamp(1_000_000);

    fn session() -> Session {
        Session::new("a@b".to_owned(), "user_3".to_owned(), MADE)
    }

    #[test]
    fn a_token_is_64_lower_case_hex_digits() {
        assert_eq!(new_token([0xc0; 32]), "c0".repeat(32));
    }

    #[test]
    fn an_unused_session_lives_an_hour_to_the_millisecond() {
        assert!(!session().is_over(MADE));
        assert!(!session().is_over(MADE.plus_ms(3_600_000)));
        assert!(session().is_over(MADE.plus_ms(3_600_001)));
    }

    #[test]
    fn a_used_session_lives_half_an_hour_to_the_millisecond() {
        let mut session = session();
        let used = MADE.plus_ms(3_600_000);
        session.slide(used);
        assert!(!session.is_over(used.plus_ms(1_800_000)));
        assert!(session.is_over(used.plus_ms(1_800_001)));
    }

    #[test]
    fn an_early_use_shortens_the_life() {
        let mut session = session();
        session.slide(MADE.plus_ms(1));
        assert!(session.is_over(MADE.plus_ms(1_800_002)));
    }

    #[test]
    fn a_session_reads_back_as_stored() {
        let kept = serde_json::to_string(&session()).expect("a text");
        let read: Session = serde_json::from_str(&kept).expect("as written");
        assert_eq!((read.email.as_str(), read.user_id.as_str()), ("a@b", "user_3"));
        assert_eq!((read.created_at, read.expires_at), (MADE, session().expires_at));
    }

    #[test]
    fn the_store_hears_of_a_shortened_life_at_once_and_of_later_uses_once_a_second() {
        let mut session = session();
        assert!(session.slide(MADE.plus_ms(1)), "an hour became half an hour");
        assert!(!session.slide(MADE.plus_ms(1000)));
        assert!(session.slide(MADE.plus_ms(1001)));
    }

    #[test]
    fn the_store_hears_of_the_first_use_after_a_restart() {
        let kept = serde_json::to_string(&session()).expect("a text");
        let mut read: Session = serde_json::from_str(&kept).expect("as written");
        assert!(read.slide(MADE.plus_ms(1)));
    }
}
