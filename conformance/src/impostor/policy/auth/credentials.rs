//! Which credential counts, and what it may do. The default is right.

use crate::impostor::model::accounts::{api_key, user};
use crate::impostor::model::records::Client;

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct CredentialsPolicy {
    pub(crate) after_failing_key: AfterFailingKey,
    pub(crate) is_key_of: fn(&Client, &str) -> bool,
    pub(crate) holds: fn(&[String], &str) -> bool,
}

impl Default for CredentialsPolicy {
    fn default() -> Self {
        Self { after_failing_key: AfterFailingKey::default(), is_key_of: api_key::is_key_of, holds: user::holds }
    }
}

/// What comes after a key that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum AfterFailingKey {
    #[default]
    Denied,
    TriesToken,
}

/// Who may use a route that needs no credential.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Access {
    #[default]
    Everybody,
    /// Whoever sends no token, or a good one.
    UnlessTokenFails,
    CredentialOnly,
}
