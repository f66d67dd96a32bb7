//! What the service remembers of each user, client, token and device. Holds no collection of them.

use serde::Deserialize;
use serde_json::Value;

#[derive(Clone, Debug, Deserialize)]
pub struct User {
    pub id: String,
    pub email: String,
    /// The seeds have the password itself here.
    #[serde(rename = "password")]
    pub password_hash: String,
    /// As sent, if it was.
    pub nombre: Option<Value>,
    /// As sent; normally a text.
    pub role: Value,
    pub permissions: Vec<String>,
    #[serde(rename = "isActive")]
    pub active: bool,
    #[serde(skip)]
    pub two_factor: Option<TwoFactor>,
}

/// The two-factor record of a user. Times are milliseconds.
#[derive(Clone, Debug)]
pub struct TwoFactor {
    pub enabled: bool,
    /// 40 hex digits.
    pub secret: String,
    pub codes: Vec<BackupCode>,
    pub enabled_at: i64,
    pub last_used: Option<i64>,
}

#[derive(Clone, Debug)]
pub struct BackupCode {
    pub hash: String,
    pub used: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    #[serde(rename = "apiKey")]
    pub key: String,
    pub id: String,
    pub name: String,
    pub permissions: Vec<String>,
    pub rate_limit: Value,
    pub created_at: String,
    pub last_used: Option<String>,
}

#[derive(Clone, Debug)]
pub struct Session {
    pub token: String,
    pub email: String,
    pub expires: i64,
}

#[derive(Clone, Debug)]
pub struct Pending {
    pub id: String,
    pub email: String,
    pub device: String,
    pub user_agent: String,
    pub since: i64,
    pub failures: u32,
}

#[derive(Clone, Debug)]
pub struct Device {
    pub email: String,
    pub id: String,
    pub user_agent: String,
    pub first_used: i64,
    pub last_used: i64,
}

#[derive(Clone, Debug)]
pub struct Attempt {
    /// The e-mail it counts for.
    pub owner: String,
    pub at: i64,
    pub good: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demo {
    /// `{ id, name, age }`
    pub users: Vec<Value>,
    /// `{ id, title, userId }`
    pub posts: Vec<Value>,
}

impl Device {
    /// The device of a pending login, used now for the first time.
    pub fn new(pending: &Pending, now: i64) -> Self {
        Self {
            email: pending.email.clone(),
            id: pending.device.clone(),
            user_agent: pending.user_agent.clone(),
            first_used: now,
            last_used: now,
        }
    }
}

impl Demo {
    pub fn user(&self, id: &str) -> Option<&Value> {
        self.users.iter().find(|user| user["id"] == id)
    }
}
