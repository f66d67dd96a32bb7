//! The program: reads the command line, opens the store, serves until a signal stops it.

use std::ffi::OsString;
use std::io::Write as _;
use std::iter;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{CommandFactory as _, Parser};

use crate::app::{self, Addresses, CatalogueSettings, build_catalogue};
use crate::books::Initial;
use crate::catalogue::Catalogue;
use crate::config::Config;
use crate::crypto::secret::Secret;
use crate::logging;
use crate::progress::LoadingBar;
#[cfg(feature = "sqlite")]
use crate::transfer::Transfer;
use crate::transport::Limits;
use crate::worker_pool::threads_beside;
use libros_server_store::{Loaded, MemoryStore};
use libros_server_system::clock::Clock;
use libros_server_system::entropy::Entropy;

/// Runs the server with these arguments (without the program's own name) until a signal stops it.
///
/// Returns 0 when it was stopped by a signal, 1 when it could not serve, and 2 for arguments it does not understand.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(feature = "sqlite")]
    if arguments.first().is_some_and(|first| first == "export" || first == "import") {
        return run_parsed(arguments, Transfer::run);
    }
    run_parsed(arguments, serve)
}

/// The command line, for its manual page and shell completions.
pub fn command_line() -> clap::Command {
    Config::command()
}

fn run_parsed<C: Parser>(arguments: Vec<OsString>, run: impl FnOnce(&C) -> anyhow::Result<()>) -> ExitCode {
    let own_name = iter::once(OsString::from("libros-server"));
    let command = match C::try_parse_from(own_name.chain(arguments)) {
        Ok(command) => command,
        Err(error) => {
            // A closed terminal is no reason to fail differently.
            _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    let logging = logging::start();
    let ended = run(&command);
    // The last line is printed after everything logged.
    drop(logging);
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            _ = writeln!(std::io::stderr(), "libros-server: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn serve(config: &Config) -> anyhow::Result<()> {
    let addresses = config.addresses();
    warn_of_exposure(config, &addresses);
    let clock = Clock::default();
    let catalogue = addresses.catalogue.map(|_| open_catalogue(config, &clock).map(Arc::new)).transpose()?;
    let limits = Limits {
        body_max: config.max_body,
        connections_max: config.max_connections.get(),
        bytes_max: config.max_bytes_in_flight,
        ..Limits::default()
    };
    // Held here as well, so that it is dropped on this thread, after its last use.
    let _held = catalogue.clone();
    app::serve(addresses, limits, config.serving_threads(), clock, catalogue)
}

fn open_catalogue(config: &Config, clock: &Clock) -> anyhow::Result<Catalogue> {
    // Dropped at the end of this function: by then the books are in columns.
    let bar = LoadingBar::new();
    let initial = || match &config.books {
        Some(file) => Initial::from_file(file, &bar),
        None => Initial::five(),
    };
    let settings = |initial: Initial, entropy: Entropy, has_accounts: bool| -> anyhow::Result<CatalogueSettings> {
        Ok(CatalogueSettings {
            initial,
            secret: secret(config, &entropy, has_accounts)?,
            former_secret: config.former_secret_file.as_deref().map(Secret::from_file).transpose()?,
            password_cost: config.password_cost,
            hashing_threads: threads_beside(config.serving_threads()),
            build: config.build.clone(),
            clock: clock.clone(),
            entropy,
        })
    };
    #[cfg(feature = "postgres")]
    if let Some(url) = &config.store {
        return open_on_database(config, url, clock, &initial()?, settings);
    }
    anyhow::ensure!(
        config.store.is_none(),
        "this program was built without PostgreSQL: build it with `--features postgres`"
    );
    if config.ephemeral {
        return build_catalogue(settings(initial()?, Entropy::system(), false)?, MemoryStore, Loaded::default());
    }
    #[cfg(feature = "sqlite")]
    return open_on_disk(config, initial, settings);
    #[cfg(not(feature = "sqlite"))]
    anyhow::bail!("this program keeps nothing on a disk: start it with --ephemeral, or build libros-server, which does")
}

#[cfg(feature = "sqlite")]
fn open_on_disk(
    config: &Config,
    initial: impl FnOnce() -> anyhow::Result<Initial> + Send,
    settings: impl Fn(Initial, Entropy, bool) -> anyhow::Result<CatalogueSettings>,
) -> anyhow::Result<Catalogue> {
    use libros_server_store::{Kind, SqliteStore, transfer::holds_a_store};
    use std::{panic::resume_unwind, thread};

    let (initial, (store, loaded)) = thread::scope(|scope| {
        // Both may be large: read at once, but no store is made where the initial books cannot be read.
        let reading = scope.spawn(initial);
        let open = || SqliteStore::open(&config.data);
        let opened = holds_a_store(&config.data).then(open);
        let initial = reading.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        let opened = opened.unwrap_or_else(open);
        anyhow::Ok((initial, opened?))
    })?;
    let has_accounts = [Kind::USERS, Kind::KEYS].into_iter().any(|kind| loaded.collections.contains_key(kind.0));
    build_catalogue(settings(initial, Entropy::system(), has_accounts)?, store, loaded)
}

/// The catalogue on a database that replicas share. If another replica stores its initial state first, that one is read instead.
#[cfg(feature = "postgres")]
fn open_on_database(
    config: &Config,
    url: &str,
    clock: &Clock,
    initial: &Initial,
    settings: impl Fn(Initial, Entropy, bool) -> anyhow::Result<CatalogueSettings>,
) -> anyhow::Result<Catalogue> {
    use crate::config::Reads;
    use libros_server_store::{NotDurable, Sharing, join_replicas};

    let sharing = match config.reads {
        Reads::Confirmed => Sharing::Replicas,
        Reads::Local => Sharing::ReplicasReadingLocally,
    };
    let entropy = Entropy::system();
    loop {
        let (store, loaded) = join_replicas(url, sharing, &entropy, clock)?;
        match build_catalogue(settings(initial.clone(), entropy.clone(), true)?, store, loaded) {
            Err(error) if error.downcast_ref() == Some(&NotDurable::Overtaken) => {}
            outcome => return outcome,
        }
    }
}

/// The secret that was chosen, or that is kept beside the data. A new one is made only where nothing was written under another.
fn secret(config: &Config, entropy: &Entropy, has_accounts: bool) -> anyhow::Result<Secret> {
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
        !has_accounts,
        "{folder} holds users and keys, but not the secret that they were written under: put it back as {folder}/secret, or give \
         it with --secret-file"
    );
    let made = Secret::random(entropy);
    made.keep_in(&config.data)?;
    Ok(made)
}

/// Warns when other machines can reach a service whose operator gave no secret.
fn warn_of_exposure(config: &Config, addresses: &Addresses) {
    let exposed = addresses.all().find(|address| !address.ip().is_loopback());
    if let Some(address) = exposed
        && addresses.catalogue.is_some()
        && config.secret_file.is_none()
        && config.secret.is_none()
    {
        tracing::warn!(
            %address,
            "OTHER MACHINES CAN REACH THIS SERVICE, and you gave it no secret: give one with --secret-file or LIBROS_SECRET. The \
             initial users and API keys are public knowledge, too."
        );
    }
}
