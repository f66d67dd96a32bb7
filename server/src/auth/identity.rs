//! Who asks: users, API clients, sessions, and the guard before every protected route.
//!
//! Decisions are made one after the other on the latest state and answered once all that they rest on is durable; the guard
//! reads the published state without a lock (see `store::repository`). Passwords are hashed before, on threads of their own.
//! The times of use of sessions and clients are no decisions: they move in the records themselves, and the store hears of
//! them later, without anybody waiting.

pub mod api_key;
mod api_keys;
pub mod fields;
pub mod fingerprint;
pub(crate) mod guard;
pub mod hashing;
pub mod initial;
pub mod jwt;
pub(crate) mod login;
mod moving_time;
pub mod password;
pub mod permission;
mod registration;
pub mod secret;
pub mod session;
pub(crate) mod state;
pub(crate) mod table;
pub mod user;

use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use http::HeaderMap;

pub use self::password::Cost;
pub use self::permission::Permission;
pub use self::secret::Secret;

use self::api_key::Client;
use self::guard::Credential;
use self::hashing::HashingPool;
use self::password::{PasswordHash, PasswordKeeper};
use self::state::{Missing, State};
use self::user::User;
use crate::catalogue::{Answer, AuthRoute, Failure};
use crate::context::Context;
use crate::message::Request;
use crate::store::{Changes, Journal, Repository};
use crate::two_factor::backup::CodeHasher;

/// The JSON key of whoever an answer is about, as the documents print it.
pub const PRINCIPAL_KEY: &str = "the service";

/// Whoever a valid credential stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Principal {
    /// An API client.
    Client {
        /// Its name.
        name: String,
    },
    /// A user, by session token or by JWT.
    User {
        /// The e-mail that names the user.
        email: String,
    },
}

impl Principal {
    /// What `creadoPor` and `actualizadoPor` say: the user's e-mail, else the API client's name.
    #[must_use]
    pub fn author(&self) -> &str {
        match self {
            Self::User { email } => email,
            Self::Client { name } => name,
        }
    }
}

/// What the operator sets for credentials.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The key of the keyed hashes.
    pub secret: Secret,
    /// What hashing one password costs.
    pub password_cost: Cost,
    /// Threads that hash passwords.
    pub hashing_threads: usize,
}

/// Users, clients, sessions, pending logins, attempts and devices.
#[derive(Debug)]
pub struct Identity {
    context: Context,
    state: Arc<Repository<State>>,
    passwords: Arc<PasswordKeeper>,
    hashing: HashingPool,
    backup_codes: CodeHasher,
    initial: OnceLock<Initial>,
}

/// The initial state, its passwords hashed once.
#[derive(Debug)]
struct Initial {
    users: Vec<User>,
    clients: Vec<Client>,
}

impl Identity {
    /// Who asks, as `state` knows them; lays the initial state down where the store never held any, and waits for that.
    ///
    /// # Errors
    /// When the embedded initial state cannot be read or stored, or the system gives no thread.
    pub(crate) fn new(
        settings: &Settings,
        context: Context,
        state: State,
        missing: Missing,
        journal: &Journal,
    ) -> anyhow::Result<Self> {
        let identity = Self {
            state: Arc::new(Repository::new(state, journal.clone())),
            passwords: Arc::new(PasswordKeeper::new(&settings.secret, settings.password_cost)?),
            hashing: HashingPool::start(settings.hashing_threads)?,
            backup_codes: CodeHasher::new(&settings.secret),
            initial: OnceLock::new(),
            context,
        };
        identity.read(|state| warn_of_other_keys(state, &identity.passwords));
        identity.seed(missing)?;
        Ok(identity)
    }

    /// Lays the initial state down where the store never held any.
    fn seed(&self, missing: Missing) -> anyhow::Result<()> {
        let users = if missing.users { self.initial()?.users.clone() } else { Vec::new() };
        let clients = if missing.clients { self.initial()?.clients.clone() } else { Vec::new() };
        let decided = self.state.decide(|state, changes| {
            state.add_users(users, changes);
            state.add_clients(clients, changes);
        });
        decided.wait().context("the initial users and clients cannot be stored")
    }

    fn initial(&self) -> anyhow::Result<&Initial> {
        if let Some(initial) = self.initial.get() {
            return Ok(initial);
        }
        let initial =
            Initial { users: initial::users(&self.passwords, &self.context.entropy)?, clients: initial::clients()? };
        Ok(self.initial.get_or_init(|| initial))
    }

    /// Lets a request pass, or says why not.
    ///
    /// # Errors
    /// The 401 of the credential kind used.
    pub fn guard(&self, headers: &HeaderMap, needed: &[Permission]) -> Result<Principal, Failure> {
        let now = self.context.clock.now();
        let credential = Credential::of(headers, now)?;
        let mut note = None;
        let verdict = guard::admit(&self.state.published(), credential, needed, now, &mut note);
        if let Some(note) = note {
            // Without waiting: no answer depends on it.
            drop(self.state.decide(|state, changes| note.write(state, changes)));
        }
        verdict
    }

    /// Answers a route under `/auth`, its credential included where it needs one.
    ///
    /// # Errors
    /// Whatever the route refuses.
    pub async fn auth(&self, route: AuthRoute, request: &Request) -> Result<Answer, Failure> {
        match route {
            // rule: credentials/open-routes
            AuthRoute::Register => self.register(request).await,
            AuthRoute::Login => self.login(request).await,
            AuthRoute::VerifyTwoFactor => self.verify_two_factor(request).await,
            AuthRoute::CreateApiKey => self.create_api_key(request).await,
            AuthRoute::ListApiKeys => self.list_api_keys(&request.headers),
        }
    }

    /// Goes back to the initial state: on disk and for everybody when this resolves.
    ///
    /// # Errors
    /// When an initial password cannot be hashed, or the disk refuses; nothing has changed then.
    pub async fn reset(&self) -> anyhow::Result<()> {
        let initial = self.initial()?;
        let decided = self.state.decide(|state, changes| {
            state.clear(changes);
            state.add_users(initial.users.clone(), changes);
            state.add_clients(initial.clients.clone(), changes);
        });
        Ok(decided.durable().await?)
    }

    /// The hash of a new password, made on a hashing thread.
    async fn hash_password(&self, password: String) -> Result<PasswordHash, Failure> {
        let passwords = Arc::clone(&self.passwords);
        let salt = self.context.entropy.bytes();
        let hashed = self.hashing.run(move || passwords.hash(&password, salt)).await;
        hashed.map_err(broken)?.map_err(broken)
    }

    /// Whether a password is the one behind `hash`, found out on a hashing thread.
    async fn is_password_right(&self, password: String, hash: PasswordHash) -> Result<bool, Failure> {
        let passwords = Arc::clone(&self.passwords);
        let compared = self.hashing.run(move || passwords.is_right(&password, &hash)).await;
        compared.map_err(broken)?.map_err(broken)
    }

    /// Decides on the latest state, and waits until all that the outcome rests on is durable, refusals included.
    ///
    /// # Errors
    /// What `decide` refuses, and a journal that fails: nothing of it is in force then.
    pub(crate) async fn transact<T>(
        &self,
        decide: impl FnOnce(&mut State, &mut Changes) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.state.decide(decide).durable().await?
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn backup_codes(&self) -> &CodeHasher {
        &self.backup_codes
    }

    /// Reads what is durable.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.state.published())
    }
}

fn broken(error: impl std::error::Error) -> Failure {
    Failure::ServerBroken(error.to_string())
}

impl Drop for Identity {
    /// Notes the last uses of sessions and clients, which are otherwise noted once a second.
    fn drop(&mut self) {
        drop(self.state.decide(|state, changes| state.note_uses(changes)));
    }
}

/// Says so when stored passwords were hashed under another secret: nobody of theirs can log in.
fn warn_of_other_keys(state: &State, passwords: &PasswordKeeper) {
    let others = state.users.records().filter(|user| !passwords.owns(&user.password_hash)).count();
    if others > 0 {
        tracing::warn!(
            users = others,
            "passwords were hashed under another secret than the one given now: these users cannot log in"
        );
    }
}
