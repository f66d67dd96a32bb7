//! Opens the catalogue on the store that the operator chose: memory, a folder, or a database that replicas share.

use crate::app::{CatalogueSettings, build_catalogue};
use crate::books::InitialBooks;
use crate::catalogue::Catalogue;
use crate::config::Config;
use crate::crypto::secret::Secret;
use crate::progress::LoadingBar;
use crate::worker_pool::threads_beside;
use libros_server_store::{Loaded, MemoryStore};
use libros_server_system::{clock::Clock, entropy::Entropy};

/// Opens the catalogue on its store. Fails if the store or the initial books cannot be read, or the secret of the store is missing.
pub(crate) fn open_catalogue(config: &Config, clock: &Clock) -> anyhow::Result<Catalogue> {
    // The command line cannot know: LIBROS_EPHEMERAL=false says neither.
    anyhow::ensure!(
        !config.ephemeral || config.store.is_none(),
        "--ephemeral keeps nothing, but --store names a database: give one of them"
    );
    // The end of this function drops it: by then the books are in columns.
    let bar = LoadingBar::new();
    let initial = || match &config.books {
        Some(file) => InitialBooks::from_file(file, &bar),
        None => InitialBooks::five(),
    };
    #[cfg(feature = "postgres")]
    if let Some(url) = &config.store {
        return open_on_database(config, url, clock, &initial()?);
    }
    anyhow::ensure!(
        config.store.is_none(),
        "this program was built without PostgreSQL: build it with `--features postgres`"
    );
    if config.ephemeral {
        return build_catalogue(settings(config, clock, initial()?, false)?, MemoryStore, Loaded::default());
    }
    #[cfg(feature = "sqlite")]
    return open_on_disk(config, clock, initial);
    #[cfg(not(feature = "sqlite"))]
    anyhow::bail!("this program keeps nothing on a disk: start it with --ephemeral, or build libros-server, which does")
}

#[cfg(feature = "sqlite")]
fn open_on_disk(
    config: &Config,
    clock: &Clock,
    initial: impl FnOnce() -> anyhow::Result<InitialBooks> + Send,
) -> anyhow::Result<Catalogue> {
    use libros_server_store::{Kind, SqliteStore, transfer::holds_a_store};
    use std::{panic::resume_unwind, thread};

    let (initial, (store, loaded)) = thread::scope(|scope| {
        // Both may be large, so both are read at once. If the initial books cannot be read, no store is made.
        let reading = scope.spawn(initial);
        let open = || SqliteStore::open(&config.data);
        let opened = holds_a_store(&config.data).then(open);
        let initial = reading.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let opened = opened.unwrap_or_else(open);
        anyhow::Ok((initial, opened?))
    })?;
    let has_users = [Kind::USERS, Kind::KEYS].into_iter().any(|kind| loaded.collections.contains_key(kind.0));
    build_catalogue(settings(config, clock, initial, has_users)?, store, loaded)
}

/// Opens the catalogue on a database that replicas share. If another replica stores its initial state first, reads that one instead.
#[cfg(feature = "postgres")]
fn open_on_database(config: &Config, url: &str, clock: &Clock, initial: &InitialBooks) -> anyhow::Result<Catalogue> {
    use crate::config::Reads;
    use libros_server_store::{NotDurable, Sharing, join_replicas};

    let sharing = match config.reads {
        Reads::Confirmed => Sharing::Replicas,
        Reads::Local => Sharing::ReplicasReadingLocally,
    };
    loop {
        let (store, loaded) = join_replicas(url, sharing, &Entropy::system(), clock)?;
        match build_catalogue(settings(config, clock, initial.clone(), true)?, store, loaded) {
            Err(error) if error.downcast_ref() == Some(&NotDurable::Overtaken) => {}
            outcome => return outcome,
        }
    }
}

/// The settings of the catalogue. `has_users` says that the store holds users or keys.
fn settings(config: &Config, clock: &Clock, books: InitialBooks, has_users: bool) -> anyhow::Result<CatalogueSettings> {
    let entropy = Entropy::system();
    Ok(CatalogueSettings {
        initial: books,
        secret: secret(config, &entropy, has_users)?,
        former_secret: config.former_secret_file.as_deref().map(Secret::from_file).transpose()?,
        password_cost: config.password_cost,
        hashing_threads: threads_beside(config.serving_threads()),
        build: config.build.clone(),
        clock: clock.clone(),
        entropy,
    })
}

/// The operator's secret, or the one stored beside the data. Makes a new one only if no data depends on another.
fn secret(config: &Config, entropy: &Entropy, has_users: bool) -> anyhow::Result<Secret> {
    if let Some(chosen) = Secret::chosen(config.secret_file.as_deref(), config.secret.as_ref())? {
        return Ok(chosen);
    }
    let is_shared = config.store.is_some();
    anyhow::ensure!(!is_shared, "replicas need one secret between them: give it with --secret-file or LIBROS_SECRET");
    if config.ephemeral {
        return Ok(Secret::random(entropy));
    }
    if let Some(kept) = Secret::kept_in(&config.data)? {
        return Ok(kept);
    }
    let folder = config.data.display();
    anyhow::ensure!(
        !has_users,
        "{folder} holds users and keys, but not the secret that they were written under: put it back as {folder}/secret, or give \
         it with --secret-file"
    );
    let made = Secret::random(entropy);
    made.keep_in(&config.data)?;
    Ok(made)
}
