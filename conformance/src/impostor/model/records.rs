//! What the impostor remembers of each user, client, token and device. Holds no collection of them.

use serde::Deserialize;
use serde_json::Value;

/// A registered user.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) password_hash: String,
    /// As sent, if it was.
    pub(crate) nombre: Option<Value>,
    /// As sent; normally a text.
    pub(crate) role: Value,
    pub(crate) permissions: Vec<String>,
    pub(crate) active: bool,
    pub(crate) two_factor: Option<TwoFactor>,
}

/// The two-factor record of a user. Times are milliseconds.
#[derive(Clone, Debug)]
pub(crate) struct TwoFactor {
    pub(crate) enabled: bool,
    /// 40 hex digits.
    pub(crate) secret: String,
    pub(crate) codes: Vec<BackupCode>,
    pub(crate) enabled_at: i64,
    pub(crate) last_used: Option<i64>,
    /// The time-based code accepted last.
    pub(crate) last_code: Option<String>,
}

/// A backup code, known by its hash alone.
#[derive(Clone, Debug)]
pub(crate) struct BackupCode {
    pub(crate) hash: String,
    pub(crate) used: bool,
}

/// An API client and its key.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Client {
    #[serde(rename = "apiKey")]
    pub(crate) key: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) permissions: Vec<String>,
    pub(crate) rate_limit: Value,
    pub(crate) created_at: String,
    pub(crate) last_used: Option<String>,
}

/// A session token.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    pub(crate) token: String,
    pub(crate) email: String,
    /// That of the login.
    pub(crate) user_agent: String,
    pub(crate) expires: i64,
}

/// A login that waits for its second factor.
#[derive(Clone, Debug)]
pub(crate) struct Pending {
    pub(crate) id: String,
    pub(crate) email: String,
    pub(crate) device: String,
    pub(crate) user_agent: String,
    pub(crate) since: i64,
    pub(crate) failures: u32,
}

/// A trusted device of a user.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    pub(crate) email: String,
    pub(crate) id: String,
    pub(crate) user_agent: String,
    pub(crate) first_used: i64,
    pub(crate) last_used: i64,
}

/// One code check.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    /// The e-mail it counts for.
    pub(crate) owner: String,
    pub(crate) at: i64,
    pub(crate) good: bool,
}

/// Users and posts of one demonstration interface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Demo {
    /// `{ id, name, age }`
    pub(crate) users: Vec<Value>,
    /// `{ id, title, userId }`
    pub(crate) posts: Vec<Value>,
}
