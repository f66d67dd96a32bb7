//! The steps of credentials, registration, login, sessions, tokens and API keys. The default is right; decides nothing.

use serde_json::{Map, Value};

use crate::impostor::model::accounts::{api_key, jwt, session, user};
use crate::impostor::model::records::{Client, User};
use crate::impostor::model::secrets;
use crate::impostor::model::steps::steps;

steps! {
    /// Credentials, registration, login, sessions, tokens, API keys.
    pub struct AuthPolicy {
        password_hash: fn(&str) -> String = secrets::hash;
        /// Whether no e-mail is a name like any other, which a user may have.
        takes_nameless: bool = false;
        credentials: CredentialsPolicy = CredentialsPolicy::default();
        registration: RegistrationPolicy = RegistrationPolicy::default();
        login: LoginPolicy = LoginPolicy::default();
        sessions: SessionPolicy = SessionPolicy::default();
        tokens: JwtPolicy = JwtPolicy::default();
        api_keys: ApiKeyPolicy = ApiKeyPolicy::default();
    }
}

steps! {
    pub(crate) struct CredentialsPolicy {
        tries_token_after_failing_key: bool = false;
        is_key_of: fn(&Client, &str) -> bool = api_key::is_key_of;
        holds: fn(&[String], &str) -> bool = user::holds;
    }
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

steps! {
    pub(crate) struct RegistrationPolicy {
        access: Access = Access::default();
        /// An e-mail as it was sent; nothing is refused.
        email: fn(Option<&Value>) -> Option<String> = user::required_text;
        password: fn(Option<&Value>) -> Option<String> = user::required_text;
        email_form: fn(&str) -> bool = |_| true;
        same_email: fn(&str, &str) -> bool = |one, other| one == other;
        /// Whether a refused registration gives the first user the new password.
        refusal_changes_password: bool = false;
        lock: Lock = Lock::default();
        role: fn(Option<&Value>) -> Option<Value> = user::role;
        permissions_of: fn(&str) -> &'static [&'static str] = user::permissions_of;
        admin_needs_credential: bool = false;
        /// The id of a new user, given how many there are and the time.
        id: fn(usize, i64) -> String = |known, _| format!("user_{}", known + 1);
        /// What the further fields of the request do to the new user.
        further_fields: fn(&mut User, &Map<String, Value>) = |_, _| {};
    }
}

/// How long the state is held from the look for the e-mail on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Lock {
    /// Until the user is stored.
    #[default]
    Whole,
    /// Others come in between: a race.
    ReleasedBetween,
}

steps! {
    /// What happens at a login.
    pub(crate) struct LoginPolicy {
        access: Access = Access::default();
        wrong_passwords: WrongPasswords = WrongPasswords::default();
        /// Whether the second factor is asked for, by whether it is enabled and whether the device is trusted.
        asks_second_factor: fn(bool, bool) -> bool = |enabled, trusted| enabled && !trusted;
        /// What twoFactorEnabled says.
        told_enabled: fn(&User) -> bool = |user| user.two_factor.as_ref().is_some_and(|record| record.enabled);
        /// The id of a new pending login, by that of an earlier one.
        pending_id: fn(Option<&str>) -> String = session::new_token;
        ends_earlier_pending: bool = false;
        second_answer_has_every_group: bool = false;
    }
}

/// What wrong passwords do to their e-mail.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum WrongPasswords {
    #[default]
    Nothing,
    /// The third one blocks it.
    Block,
    /// From the tenth on it must wait.
    Wait,
}

steps! {
    /// What session tokens are and may.
    pub(crate) struct SessionPolicy {
        /// A new token, by an earlier one of the user.
        token: fn(Option<&str>) -> String = session::new_token;
        ends_earlier: bool = false;
        /// Whether a session opens what it may, by the User-Agent of its login and that of its use.
        follows: fn(&str, &str) -> bool = |_, _| true;
        first_minutes: i64 = 60;
        /// When a session ends, by when it ended before, the time of its use and the path.
        end_after_use: fn(i64, i64, &str) -> i64 = session::end_after_use;
        /// Whether the use of one extends all of its user.
        use_extends_all: bool = false;
        /// Whether the id of a pending login is one, too.
        takes_pending: bool = false;
        expired: Expired = Expired::default();
        /// Whether a session may do anything.
        rights_are_unlimited: bool = false;
        denied: Denied = Denied::default();
    }
}

/// The outcome of using an expired session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Expired {
    #[default]
    Removed,
    /// Removed, and all others of the user with it.
    RemovedWithOthers,
    /// Refused, and alive again.
    Revived,
    LetIn,
}

/// What a use that lacks the permission does to the session.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Denied {
    #[default]
    LeavesIt,
    Extends,
    Removes,
}

steps! {
    pub(crate) struct JwtPolicy {
        header: fn() -> Value = jwt::header;
        payload: fn(&User, i64) -> Value = jwt::payload;
        bytes: fn(&Value) -> Vec<u8> = jwt::bytes;
        join: fn(&str, &str) -> String = jwt::join;
        encode: fn(&[u8]) -> String = jwt::encode;
        /// Decodes the payload of a token, given how payloads are encoded.
        decode: fn(&str, fn(&[u8]) -> String) -> Option<Value> = |segment, _| jwt::decode(segment);
        well_formed: fn(&[&str]) -> bool = jwt::well_formed;
        expired: fn(Option<&Value>, f64) -> bool = jwt::expired;
        lets_unknown_users_in: bool = false;
        /// Whether the user must have a session as well.
        needs_session: bool = false;
        /// Whether the permissions that a token claims count instead of its user's.
        claims_count: bool = false;
        /// The value of creadoPor.
        named_by: fn(&User) -> String = |user| user.email.clone();
    }
}

steps! {
    pub(crate) struct ApiKeyPolicy {
        /// The permission that creating takes.
        create_takes: &'static str = "manage:api_keys";
        /// The permission that listing takes.
        list_takes: &'static str = "manage:api_keys";
        /// The id of a new client, given how many there are.
        id: fn(usize) -> String = |known| format!("client_{}", known + 1);
        key: fn() -> String = api_key::new_key;
        shown_key: fn(&str) -> String = api_key::masked;
        /// The name as it was sent; nothing is refused.
        name: fn(Option<&Value>) -> Option<String> = user::required_text;
        permissions: fn(Option<&Value>) -> Option<Vec<String>> = api_key::permissions;
        rate_limit: fn(Option<&Value>) -> Option<Value> = api_key::rate_limit;
    }
}
