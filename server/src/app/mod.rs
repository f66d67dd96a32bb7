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

/// Both GraphQL endpoints, the full and the reduced one: for the fuzzer.
pub fn graphql_endpoints() -> [Arc<dyn Interface>; 2] {
    [Arc::new(Graphql::new(Clock::default())), Arc::new(GraphqlReduced::new())]
}

/// Serves until a signal; `catalogue` is `None` if it has no address. Fails if it cannot listen, or the system gives no threads.
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
    fn shared<I: Interface>(interface: &Option<Arc<I>>) -> Option<Arc<dyn Interface>> {
        Some(Arc::clone(interface.as_ref()?) as Arc<dyn Interface>)
    }
    let reduced = addresses.graphql_reduced.map(|_| Arc::new(GraphqlReduced::new()));
    let (catalogue, rest, graphql) = (shared(&served.catalogue), shared(&served.rest), shared(&served.graphql));
    let control = Some(Arc::new(Control { clock, resettable: served }));
    // Each with its address, the name of the address's option, its names in the `ready` line, and its path.
    let interfaces: [(_, _, _, &[&str], _); 5] = [
        (addresses.catalogue, catalogue, "catalogue", &["catalogue"], ""),
        (addresses.users, rest, "users", &["users", "registration", "blog"], ""),
        (addresses.graphql, graphql, "graphql", &["graphql"], "/graphql"),
        (addresses.graphql_reduced, shared(&reduced), "graphql-reduced", &["graphql_reduced"], "/graphql"),
        (addresses.control, shared(&control), "control", &["control"], ""),
    ];
    let transport = Transport::new(limits);
    let mut ready = String::from("ready");
    for (address, interface, option, names, path) in interfaces {
        let Some((address, interface)) = address.zip(interface) else { continue };
        let opened = transport.open(address, interface).await;
        let address = opened
            .with_context(|| format!("cannot listen on {address}: choose another address with --{option}-addr"))?;
        ready.extend(names.iter().map(|name| format!(" {name}=http://{address}{path}")));
    }
    // The server goes on if standard output is closed.
    let say_ready = || _ = writeln!(std::io::stdout(), "{ready}");
    transport.serve_until_signalled(say_ready).await.context("the system gives no signals")
}
