//! Who asks: users, API clients, sessions, and the guard before every protected route.
//!
//! A decision is made under one lock and its changes are handed to the journal before the lock is given back; the
//! answer waits until they are durable. Passwords are hashed before, on threads of their own, and never under the lock.

pub mod api_key;
mod api_keys;
pub mod fields;
pub mod fingerprint;
pub mod guard;
pub mod hashing;
pub mod initial;
pub mod jwt;
pub(crate) mod login;
pub mod password;
pub mod permission;
mod registration;
pub mod secret;
pub mod session;
pub mod state;
pub mod table;
mod told;
pub mod user;

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use http::HeaderMap;

pub use self::password::Cost;
pub use self::permission::Permission;
pub use self::secret::Secret;

use self::api_key::Client;
use self::guard::Credential;
use self::hashing::HashingPool;
use self::password::{PasswordHash, PasswordKeeper};
use self::state::{Missing, State};
use self::table::Changes;
use self::user::User;
use crate::catalogue::{Answer, AuthRoute, Failure};
use crate::context::Context;
use crate::message::Request;
use crate::store::{Confirmation, Loaded};
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
    state: Mutex<State>,
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
    /// Takes its collections out of `loaded`; where the store never held them, the initial state, which is submitted.
    ///
    /// # Errors
    /// When a stored record or the embedded initial state cannot be read, or the system gives no thread.
    pub fn new(settings: &Settings, context: Context, loaded: &mut Loaded) -> anyhow::Result<Self> {
        let (state, missing) = State::load(loaded)?;
        let identity = Self {
            state: Mutex::new(state),
            passwords: Arc::new(PasswordKeeper::new(&settings.secret, settings.password_cost)?),
            hashing: HashingPool::start(settings.hashing_threads)?,
            backup_codes: CodeHasher::new(&settings.secret),
            initial: OnceLock::new(),
            context,
        };
        identity.look(|state| warn_of_other_keys(state, &identity.passwords));
        identity.lay_down(missing)?;
        Ok(identity)
    }

    /// Lays the initial state down where the store never held any.
    fn lay_down(&self, missing: Missing) -> anyhow::Result<()> {
        let mut changes = Changes::default();
        if missing.users {
            self.state().add_users(self.initial()?.users.clone(), &mut changes);
        }
        if missing.clients {
            self.state().add_clients(self.initial()?.clients.clone(), &mut changes);
        }
        // Whatever is confirmed later is written later: nothing has to wait for this.
        drop(changes.submit(&self.context.journal));
        Ok(())
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
        let mut changes = Changes::default();
        let mut state = self.state();
        let verdict = guard::admit(&mut state, credential, needed, now, &mut changes);
        // A use is noted without waiting: no answer depends on it.
        drop(changes.submit(&self.context.journal));
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

    /// Goes back to the initial state: in memory at once, on disk when the future resolves.
    ///
    /// # Errors
    /// When an initial password cannot be hashed; nothing has changed then.
    pub fn reset(&self) -> anyhow::Result<Confirmation> {
        let initial = self.initial()?;
        let mut changes = Changes::default();
        let mut state = self.state();
        state.clear(&mut changes);
        state.add_users(initial.users.clone(), &mut changes);
        state.add_clients(initial.clients.clone(), &mut changes);
        Ok(self.context.journal.submit(changes.into_list()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic under the lock leaves whole records behind, and their users should not be locked out for good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Decides under the lock, and waits until what was decided is durable, refusals that left a mark included.
    ///
    /// # Errors
    /// What `decide` refuses, and a journal that fails: memory is then ahead of the disk until the next start, and
    /// nothing of it was confirmed.
    pub(crate) async fn decide<T>(
        &self,
        decide: impl FnOnce(&mut State, &mut Changes) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut changes = Changes::default();
        let (outcome, confirmation) = {
            let mut state = self.state();
            let outcome = decide(&mut state, &mut changes);
            (outcome, changes.submit(&self.context.journal))
        };
        if let Some(confirmation) = confirmation {
            confirmation.await?;
        }
        outcome
    }

    pub(crate) fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn backup_codes(&self) -> &CodeHasher {
        &self.backup_codes
    }

    /// Reads under the lock.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.state())
    }
}

fn broken(error: impl std::error::Error) -> Failure {
    Failure::ServerBroken(error.to_string())
}

impl Drop for Identity {
    /// Notes the last uses of sessions and clients, which are otherwise noted once a second.
    fn drop(&mut self) {
        let mut changes = Changes::default();
        self.state().note_uses(&mut changes);
        drop(changes.submit(&self.context.journal));
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
