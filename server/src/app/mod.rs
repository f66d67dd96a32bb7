//! The only composition: builds a catalogue on a store, listens, and stops. Knows no command line.

use std::io::Write as _;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;

use anyhow::Context as _;

use crate::catalogue::Catalogue;
use crate::control::{Control, Resettable};
use crate::demo::graphql::Graphql;
use crate::demo::graphql_reduced::GraphqlReduced;
use crate::demo::rest::Rest;
use crate::message::Interface;
use crate::transport::{self, Limits, Transport};
use libros_server_system::clock::Clock;

mod catalogue;

pub use catalogue::{CatalogueSettings, build_catalogue};

/// Where each interface listens; absent where it is not served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Addresses {
    pub(crate) catalogue: Option<SocketAddr>,
    /// Users and posts, registration, blog.
    pub(crate) users: Option<SocketAddr>,
    pub(crate) graphql: Option<SocketAddr>,
    pub(crate) graphql_reduced: Option<SocketAddr>,
    /// The control protocol, which is no part of the service.
    pub(crate) control: Option<SocketAddr>,
}

impl Addresses {
    pub(crate) fn all(&self) -> impl Iterator<Item = SocketAddr> {
        let Self { catalogue, users, graphql, graphql_reduced, control: _ } = *self;
        [catalogue, users, graphql, graphql_reduced].into_iter().flatten()
    }
}

/// Serves until a signal says to stop; the catalogue is absent where it has no address. Fails when an address cannot be listened on,
/// or the system gives no threads.
pub(crate) fn serve(
    addresses: Addresses,
    limits: Limits,
    threads: NonZeroUsize,
    clock: Clock,
    catalogue: Option<Arc<Catalogue>>,
) -> anyhow::Result<()> {
    let served = Resettable {
        catalogue,
        rest: addresses.users.map(|_| Arc::new(Rest::new(clock.clone()))),
        graphql: addresses.graphql.map(|_| Arc::new(Graphql::new(clock.clone()))),
    };
    transport::block_on(threads, listen(addresses, limits, served, clock))
        .context("the system gives no threads to serve with")?
}

async fn listen(addresses: Addresses, limits: Limits, served: Resettable, clock: Clock) -> anyhow::Result<()> {
    let transport = Transport::new(limits);
    let mut ready = Ready::default();
    if let (Some(address), Some(catalogue)) = (addresses.catalogue, &served.catalogue) {
        let url = open(&transport, address, catalogue.clone(), "catalogue").await?;
        ready.say("catalogue", &url);
    }
    if let (Some(address), Some(rest)) = (addresses.users, &served.rest) {
        let url = open(&transport, address, rest.clone(), "users").await?;
        for name in ["users", "registration", "blog"] {
            ready.say(name, &url);
        }
    }
    if let (Some(address), Some(graphql)) = (addresses.graphql, &served.graphql) {
        let url = open(&transport, address, graphql.clone(), "graphql").await?;
        ready.say("graphql", &(url + "/graphql"));
    }
    if let Some(address) = addresses.graphql_reduced {
        let reduced = Arc::new(GraphqlReduced::new());
        let url = open(&transport, address, reduced, "graphql-reduced").await?;
        ready.say("graphql_reduced", &(url + "/graphql"));
    }
    if let Some(address) = addresses.control {
        let control = Arc::new(Control::new(clock, served));
        let url = open(&transport, address, control, "control").await?;
        ready.say("control", &url);
    }
    transport.serve_until_signalled(|| ready.print()).await.context("the system gives no signals")
}

async fn open(
    transport: &Transport,
    address: SocketAddr,
    interface: Arc<dyn Interface>,
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
        // Ignore a closed stdout.
        _ = writeln!(out, "ready{}", self.0);
        _ = out.flush();
    }
}
