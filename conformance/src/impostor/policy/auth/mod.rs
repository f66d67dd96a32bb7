//! What the impostor does wherever an implementer may go wrong or choose: credentials, registration, login, sessions, tokens, API keys.
//! The default is right.

mod api_keys;
mod credentials;
mod registration;
mod sessions;
mod tokens;

pub(crate) use api_keys::ApiKeyPolicy;
pub(crate) use credentials::{Access, AfterFailingKey, CredentialsPolicy};
pub(crate) use registration::{Lock, RegistrationPolicy, TakenEmail};
pub(crate) use sessions::{Denied, Expired, LoginPolicy, SecondShape, SessionPolicy, WrongPasswords};
pub(crate) use tokens::{Alphabet, JwtPolicy, ReadAlphabet, UnknownUser};

use crate::impostor::model::secrets;

/// Its values.
#[derive(Clone, Debug)]
pub struct AuthPolicy {
    pub(crate) password_hash: fn(&str) -> String,
    /// Whether no e-mail is a name like any other, which a user may have.
    pub(crate) takes_nameless: bool,
    pub(crate) credentials: CredentialsPolicy,
    pub(crate) registration: RegistrationPolicy,
    pub(crate) login: LoginPolicy,
    pub(crate) sessions: SessionPolicy,
    pub(crate) tokens: JwtPolicy,
    pub(crate) api_keys: ApiKeyPolicy,
}

impl Default for AuthPolicy {
    fn default() -> Self {
        Self {
            password_hash: secrets::hash,
            takes_nameless: false,
            credentials: CredentialsPolicy::default(),
            registration: RegistrationPolicy::default(),
            login: LoginPolicy::default(),
            sessions: SessionPolicy::default(),
            tokens: JwtPolicy::default(),
            api_keys: ApiKeyPolicy::default(),
        }
    }
}

/// Whose permissions count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Rights {
    #[default]
    OfUser,
    /// Those that the presented token claims.
    Claimed,
    Unlimited,
}
