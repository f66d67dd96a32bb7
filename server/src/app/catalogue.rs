//! Builds a catalogue on a store: reads the records, sets unreadable ones aside, stores the initial state if there is none.

use std::sync::Arc;

use anyhow::Context as _;
use http::HeaderValue;

use crate::accounts::tables::Tables;
use crate::auth::data_key::{self, DataKey};
use crate::auth::identity::Identity;
use crate::books::{self, Books, InitialBooks};
use crate::catalogue::Catalogue;
use crate::context::{Context, SharedClock};
use crate::crypto::password::Cost;
use crate::crypto::secret::Secret;
use crate::response::header_templates::HeaderTemplates;
use libros_server_store::{Journal, Kind, Loaded, Store, quarantine};
use libros_server_system::{clock::Clock, entropy::Entropy};

/// Everything that a catalogue needs besides its store.
#[derive(Debug)]
pub struct CatalogueSettings {
    /// The books of a new store, and after a reset.
    pub initial: InitialBooks,
    /// The operator's secret, under which the key of everything stored is sealed.
    pub secret: Secret,
    /// The operator's previous secret, to change to the new one.
    pub former_secret: Option<Secret>,
    /// What hashing one password costs.
    pub password_cost: Cost,
    /// Threads that hash passwords.
    pub hashing_threads: usize,
    /// The value of X-API-Build.
    pub build: HeaderValue,
    /// The service's now.
    pub clock: Clock,
    /// Random bytes.
    pub entropy: Entropy,
}

/// Builds a catalogue on `store` from the records `loaded` from it. Dropping the catalogue writes the queued changes.
/// Fails if the stored key is missing or of another secret, if the initial state cannot be read or stored, or the system gives no thread.
pub fn build_catalogue(
    settings: CatalogueSettings,
    mut store: impl Store + 'static,
    mut loaded: Loaded,
) -> anyhow::Result<Catalogue> {
    let CatalogueSettings { initial, secret, former_secret, password_cost, hashing_threads, build, clock, entropy } =
        settings;
    let mut unreadable = Vec::new();
    let stored_books = loaded.take(Kind::BOOKS).map(|rows| books::read(rows, &initial, &mut unreadable));
    let (accounts, missing) = Tables::load(&mut loaded, &mut unreadable);
    quarantine(&mut store, &unreadable);

    let keeps = store.keeps();
    let (journal, thread) = Journal::start(store).context("the system gives no thread to write with")?;
    let context = Context { clock, entropy };
    // rule: storage/initial-only-once, storage/survives-restart
    let is_stored = stored_books.is_some();
    let books = stored_books.unwrap_or_else(|| initial.books());
    let books = Books::new(books, initial, context.clone(), &journal);
    // A store that keeps nothing needs no copy of what may be a million books.
    if !is_stored && keeps {
        books.seed().wait().context("the initial books cannot be stored")?;
    }
    let stored_key = accounts.keys.record(data_key::NAME).map(Arc::as_ref);
    // A new key matches no stored password and opens no stored secret.
    anyhow::ensure!(
        stored_key.is_some() || accounts.users.records().next().is_none(),
        "the key of the stored passwords and secrets is damaged or missing: restore the store from a backup"
    );
    let data_key = DataKey::open(stored_key, &secret, former_secret.as_ref(), &context.entropy)?;
    let identity =
        Identity::new(data_key, password_cost, hashing_threads, context.clone(), accounts, missing, &journal)?;
    let shared_clock = journal.is_shared().then(|| SharedClock::load(&mut loaded, &context.clock, &journal));
    if let Some(clock) = &shared_clock {
        // Not earlier: the seeding above must fail if another replica wrote first.
        journal.follow(vec![books.follower(), identity.follower(), clock.follower()]);
    }
    let templates = HeaderTemplates::new(&build);
    Ok(Catalogue { books, identity, templates, context, shared_clock, journal: thread })
}
