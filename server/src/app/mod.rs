//! The only composition: opens a catalogue on a store, listens, and stops.

use std::ffi::OsString;
use std::io::Write as _;
use std::iter;
use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Parser;

use self::transfer::Transfer;
use crate::auth::Secret;
use crate::auth::hashing::threads_beside;
use crate::books::Initial;
use crate::catalogue::Catalogue;
use crate::clock::Clock;
use crate::config::{Addresses, Config};
use crate::control::{Control, Resettable};
use crate::demo::graphql::Graphql;
use crate::demo::graphql_reduced::GraphqlReduced;
use crate::demo::rest::Rest;
use crate::entropy::Entropy;
use crate::logging;
use crate::message::Interface;
use crate::store::{Loaded, MemoryStore, SqliteStore};
use crate::transport::{self, Limits, Transport};

mod catalogue;
mod transfer;

pub use catalogue::{CatalogueSettings, build_catalogue};

/// Runs the server with these arguments (without the program's own name) until it is told to stop.
///
/// Returns 0 when it was stopped by a signal, 1 when it could not serve, and 2 for arguments it does not understand.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if transfer::is_asked_for(&arguments) { run_parsed(arguments, Transfer::run) } else { run_parsed(arguments, serve) }
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
    logging::start();
    match run(&command) {
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
    let clock = Clock::new();
    let mut served = Resettable::default();
    if addresses.catalogue.is_some() {
        served.catalogue = Some(Arc::new(open_catalogue(config, &clock)?));
    }
    if addresses.users.is_some() {
        served.rest = Some(Arc::new(Rest::new(clock.clone())));
    }
    if addresses.graphql.is_some() {
        served.graphql = Some(Arc::new(Graphql::new(clock.clone())));
    }
    // The last to hold it: it is taken apart on this thread, once nobody uses it any more.
    let _catalogue = served.catalogue.clone();
    transport::block_on(config.serving_threads(), listen(config, addresses, served, clock))
        .context("the system gives no threads to serve with")?
}

/// The catalogue with what it has stored.
fn open_catalogue(config: &Config, clock: &Clock) -> anyhow::Result<Catalogue> {
    let initial = match &config.books {
        Some(file) => Initial::from_file(file)?,
        None => Initial::five()?,
    };
    let settings = |entropy: Entropy| -> anyhow::Result<CatalogueSettings> {
        Ok(CatalogueSettings {
            initial,
            secret: secret(config, &entropy)?,
            password_cost: config.password_cost,
            hashing_threads: threads_beside(config.serving_threads()),
            build: config.build.clone(),
            clock: clock.clone(),
            entropy,
        })
    };
    if config.ephemeral {
        return build_catalogue(settings(Entropy::system())?, MemoryStore, Loaded::default());
    }
    let (store, loaded) = SqliteStore::open(&config.data)?;
    build_catalogue(settings(Entropy::system())?, store, loaded)
}

fn secret(config: &Config, entropy: &Entropy) -> anyhow::Result<Secret> {
    match (&config.secret_file, &config.secret) {
        (Some(file), _) => Secret::from_file(file),
        (None, Some(given)) => given.checked().context("the variable LIBROS_SECRET"),
        (None, None) if config.ephemeral => Ok(Secret::random(entropy)),
        (None, None) => Secret::kept_in(&config.data, entropy),
    }
}

/// Says so, loudly, when others than this machine can reach a service that was not prepared for them.
fn warn_of_exposure(config: &Config, addresses: &Addresses) {
    let exposed = addresses.all().find(|address| !address.ip().is_loopback());
    if let Some(address) = exposed
        && addresses.catalogue.is_some()
        && config.secret_file.is_none()
        && config.secret.is_none()
    {
        tracing::warn!(
            %address,
            "OTHER MACHINES CAN REACH THIS SERVICE, and the key of its password hashes is not of your choosing: give one with \
             --secret-file or LIBROS_SECRET. The initial users and API keys are public knowledge, too."
        );
    }
}

async fn listen(config: &Config, addresses: Addresses, served: Resettable, clock: Clock) -> anyhow::Result<()> {
    let transport = Transport::new(Limits {
        body_max: config.max_body,
        connections_max: config.max_connections.get(),
        bytes_max: config.max_bytes_in_flight,
        ..Limits::default()
    });
    let mut ready = Ready::default();
    if let (Some(address), Some(catalogue)) = (addresses.catalogue, &served.catalogue) {
        let url = open(&transport, address, Arc::clone(catalogue), "catalogue").await?;
        ready.say("catalogue", &url);
    }
    if let (Some(address), Some(rest)) = (addresses.users, &served.rest) {
        let url = open(&transport, address, Arc::clone(rest), "users").await?;
        for name in ["users", "registration", "blog"] {
            ready.say(name, &url);
        }
    }
    if let (Some(address), Some(graphql)) = (addresses.graphql, &served.graphql) {
        let url = open(&transport, address, Arc::clone(graphql), "graphql").await?;
        ready.say("graphql", &(url + "/graphql"));
    }
    if let Some(address) = addresses.graphql_reduced {
        let reduced = Arc::new(GraphqlReduced::new());
        let url = open(&transport, address, reduced, "graphql-reduced").await?;
        ready.say("graphql_reduced", &(url + "/graphql"));
    }
    if let Some(address) = config.control_addr {
        let control = Arc::new(Control::new(clock, served));
        let url = open(&transport, address, control, "control").await?;
        ready.say("control", &url);
    }
    transport.serve_until_signalled(|| ready.print()).await.context("the system does not tell of signals")
}

async fn open<I: Interface>(
    transport: &Transport,
    address: SocketAddr,
    interface: Arc<I>,
    option: &str,
) -> anyhow::Result<String> {
    let opened = transport.open(address, interface).await;
    let address =
        opened.with_context(|| format!("cannot listen on {address}: choose another address with --{option}-addr"))?;
    Ok(format!("http://{address}"))
}

/// The line that says where everything is.
#[derive(Debug, Default)]
struct Ready(String);

impl Ready {
    fn say(&mut self, name: &str, url: &str) {
        self.0 += &format!(" {name}={url}");
    }

    fn print(&self) {
        let mut out = std::io::stdout();
        // Whoever does not listen does not need it.
        _ = writeln!(out, "ready{}", self.0);
        _ = out.flush();
    }
}
