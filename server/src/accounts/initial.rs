//! The users and API clients that a fresh service has, embedded from `seeds/initial`.

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

use crate::accounts::{api_client::ApiClient, permission::Permissions, user::User};
use crate::crypto::password::PasswordKeeper;
use libros_server_system::{clock::Timestamp, entropy::Entropy};

const USERS: &str = include_str!("../../../seeds/initial/users.json");
const CLIENTS: &str = include_str!("../../../seeds/initial/clients.json");

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserSeed {
    email: String,
    password: String,
    nombre: Value,
    role: Value,
    permissions: Permissions,
    is_active: bool,
    created_at: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientSeed {
    api_key: String,
    name: String,
    permissions: Permissions,
    rate_limit: f64,
    created_at: String,
}

/// The initial state, its passwords hashed.
#[derive(Debug)]
pub(crate) struct InitialAccounts {
    pub(crate) users: Vec<User>,
    pub(crate) clients: Vec<ApiClient>,
}

impl InitialAccounts {
    /// Users and clients, each numbered from 1. Slow: hashes the passwords. Fails when an embedded file cannot be read, or hashing fails.
    pub(crate) fn read(keeper: &PasswordKeeper, entropy: &Entropy) -> anyhow::Result<Self> {
        // rule: permissions/initial-admin, permissions/initial-user
        let users: Vec<UserSeed> = serde_json::from_str(USERS).context("seeds/initial/users.json")?;
        let user = |(number, seed): (u64, UserSeed)| {
            let hash = keeper.hash(&seed.password, entropy.bytes())?;
            let user = User::new(number, seed.email, hash, Some(seed.nombre), seed.role, moment(&seed.created_at)?);
            Ok(User { permissions: seed.permissions, is_active: seed.is_active, ..user })
        };
        // rule: credentials/initial-test-client, credentials/initial-admin-client, credentials/initial-test-rate-limit
        // rule: credentials/initial-admin-rate-limit
        let clients: Vec<ClientSeed> = serde_json::from_str(CLIENTS).context("seeds/initial/clients.json")?;
        let client = |(number, seed): (u64, ClientSeed)| {
            let made = moment(&seed.created_at)?;
            Ok(ApiClient::new(number, &seed.api_key, seed.name, seed.permissions, seed.rate_limit, made))
        };
        Ok(Self {
            users: (1..).zip(users).map(user).collect::<anyhow::Result<_>>()?,
            clients: (1..).zip(clients).map(client).collect::<anyhow::Result<_>>()?,
        })
    }
}

fn moment(text: &str) -> anyhow::Result<Timestamp> {
    Timestamp::from_iso(text).with_context(|| format!("`{text}` is not an ISO 8601 time"))
}
