//! All users and clients, how decisions on them are made, and the guard before every protected route.
//!
//! Decisions are made one after the other, on the latest tables, and answered once everything they depend on is durable. The guard reads
//! the published tables without a lock (see `store::repository`). Passwords are hashed before (see `auth::passwords`). Times of use are
//! no decisions: they move in the records and are stored later. A request waits for that only among replicas.

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use http::HeaderMap;

use crate::accounts::tables::{Missing, Tables};
use crate::accounts::{
    account_keys::AccountKeys, api_client::ApiClient, initial::InitialAccounts, permission::Permission,
    principal::Principal, user::User,
};
use crate::auth::data_key::{self, DataKey};
use crate::auth::guard::{self, Credential, Note, Verdict};
use crate::auth::passwords::Passwords;
use crate::context::Context;
use crate::crypto::password::{Cost, PasswordHash};
use crate::crypto::sealing::Sealed;
use crate::message;
use crate::response::failure::Failure;
use libros_server_store::{Changes, Follower, Journal, Repository};
use libros_server_system::clock::Timestamp;

/// The JSON key of the user or client in an answer, as the documents print it.
pub(crate) const PRINCIPAL_KEY: &str = "the service";

/// Uses in a second that are stored at once, for other replicas. Beyond these, a record's uses are stored once a second.
const STORED_IMMEDIATELY_MAX: usize = 50;

#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) context: Context,
    tables: Arc<Repository<Tables>>,
    journal: Journal,
    /// The last second in which uses were stored at once, and their number.
    uses_second: AtomicI64,
    uses_stored: AtomicUsize,
    pub(crate) passwords: Passwords,
    pub(crate) keys: AccountKeys,
    initial: OnceLock<InitialAccounts>,
}

impl Identity {
    /// Takes over `tables`; stores the initial accounts that the store never held, and waits until they are durable. Fails if they cannot be
    /// read or stored, or the system gives no thread.
    pub(crate) fn new(
        data_key: DataKey,
        password_cost: Cost,
        hashing_threads: usize,
        context: Context,
        tables: Tables,
        missing: Missing,
        journal: &Journal,
    ) -> anyhow::Result<Self> {
        let DataKey { key, to_store } = data_key;
        let identity = Self {
            tables: Arc::new(Repository::new(tables, journal.clone())),
            journal: journal.clone(),
            uses_second: AtomicI64::new(0),
            uses_stored: AtomicUsize::new(0),
            passwords: Passwords::start(&key, password_cost, hashing_threads)?,
            keys: AccountKeys::new(&key),
            initial: OnceLock::new(),
            context,
        };
        identity.seed(missing, to_store)?;
        Ok(identity)
    }

    /// Stores the initial users and clients if there never were any, and the data key.
    fn seed(&self, missing: Missing, data_key: Option<Sealed>) -> anyhow::Result<()> {
        let users: &[User] = if missing.users { &self.initial()?.users } else { &[] };
        let clients: &[ApiClient] = if missing.clients { &self.initial()?.clients } else { &[] };
        let decided = self.tables.decide(|tables, changes| {
            tables.add(users, clients, changes);
            if let Some(sealed) = data_key {
                tables.keys.put(data_key::NAME.to_owned(), sealed, changes);
            }
        });
        decided.wait().context("the initial users and clients cannot be stored")
    }

    fn initial(&self) -> anyhow::Result<&InitialAccounts> {
        if let Some(initial) = self.initial.get() {
            return Ok(initial);
        }
        let initial = InitialAccounts::read(&self.passwords.keeper, &self.context.entropy)?;
        Ok(self.initial.get_or_init(|| initial))
    }

    /// Admits a request, or refuses it with the 401 of the credential's kind.
    pub(crate) async fn guard(&self, headers: &HeaderMap, needed: Option<Permission>) -> Result<Principal, Failure> {
        let now = self.context.clock.now();
        let credential = Credential::of(headers, now)?;
        let Verdict { principal, note, is_due } = guard::admit(&self.tables.published(), credential, needed, now);
        if let Some(note) = note.filter(|_| is_due || self.stores_immediately(now)) {
            self.store(&note).await?;
        }
        principal
    }

    /// Stores a note. Waits until it is durable only if other replicas must see it.
    async fn store(&self, note: &Note) -> Result<(), Failure> {
        let write = |tables: &mut Tables, changes: &mut Changes| note.write(tables, changes);
        if !self.journal.is_shared() {
            drop(self.tables.decide(write));
            return Ok(());
        }
        match self.tables.transact(write).await {
            // With local reads, other replicas may see it later.
            Err(not_durable) if !self.journal.reads_locally() => Err(not_durable.into()),
            _ => Ok(()),
        }
    }

    /// Whether to store a use at once, since the next request may reach another replica. Otherwise one use a second is stored.
    fn stores_immediately(&self, now: Timestamp) -> bool {
        if !self.journal.is_shared() || self.journal.reads_locally() {
            return false;
        }
        if self.uses_second.swap(now.seconds(), Ordering::Relaxed) != now.seconds() {
            self.uses_stored.store(0, Ordering::Relaxed);
        }
        self.uses_stored.fetch_add(1, Ordering::Relaxed) < STORED_IMMEDIATELY_MAX
    }

    pub(crate) fn follower(&self) -> Arc<dyn Follower> {
        self.tables.clone()
    }

    /// The e-mail of the user whose credential the request carries. Fails with the 401 of the credential, and for an API client.
    pub(crate) async fn guard_user(&self, headers: &HeaderMap) -> Result<String, Failure> {
        // rule: two-factor/credential-required, two-factor/own-user, permissions/two-factor-any
        match self.guard(headers, None).await? {
            Principal::User(email) => Ok(email),
            // rule: two-factor/api-key-refused
            Principal::Client(_) => Err(Failure::PrincipalWithoutUser),
        }
    }

    /// Checks a user's password; returns the stored hash that it matches. Fails for an unknown e-mail and a wrong password.
    pub(crate) async fn check_password(
        &self,
        email: &str,
        password: String,
        client: &message::Client,
    ) -> Result<PasswordHash, Failure> {
        let hash = self
            .read(|tables| tables.users.record(email).map(|user| user.password_hash.clone()))
            // rule: login/email-unknown, login/email-as-registered
            .ok_or(Failure::UserUnknown)?;
        // rule: login/password-wrong, two-factor/disable-wrong-password, two-factor/regenerate-wrong-password
        let checked = self.passwords.run(client, move |keeper| Ok((keeper.is_right(&password, &hash)?, hash)));
        let (is_right, hash) = checked.await?;
        if is_right { Ok(hash) } else { Err(Failure::PasswordWrong) }
    }

    /// Restores the initial state: durable and visible to all when this resolves.
    /// Fails when an initial password cannot be hashed, or the disk refuses; nothing has changed then.
    pub(crate) async fn reset(&self) -> anyhow::Result<()> {
        let initial = self.initial()?;
        let decided = self.tables.transact(|tables, changes| {
            tables.clear(changes);
            tables.add(&initial.users, &initial.clients, changes);
        });
        Ok(decided.await?)
    }

    /// Decides on the latest state, and waits until everything that the outcome depends on is durable, also for a refusal. Fails as `decide`
    /// does, and if the store refuses; then nothing has changed.
    pub(crate) async fn transact<T>(
        &self,
        decide: impl FnMut(&mut Tables, &mut Changes) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.tables.transact(decide).await?
    }

    pub(crate) fn read<T>(&self, read: impl FnOnce(&Tables) -> T) -> T {
        read(&self.tables.published())
    }
}

impl Drop for Identity {
    /// Stores the last uses of sessions and clients, which are otherwise stored once a second.
    fn drop(&mut self) {
        // Other replicas may have stored later uses.
        if self.journal.is_shared() {
            return;
        }
        drop(self.tables.decide(|tables, changes| {
            tables.sessions.note_all(changes);
            tables.clients.note_all(changes);
        }));
    }
}
