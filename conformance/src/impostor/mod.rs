//! The impostor: a naive second implementation of both documents, in memory, written to be obviously right.
//! It shares no code with the server or the cases. Its list function is the suite's oracle; its switchable faults
//! prove that every case can fail; its variation proves that no case asks for more than the documents do.

mod control;
pub(crate) mod effect;
pub mod faults;
pub(crate) mod http;
pub mod readings;
mod vary;
pub(crate) mod world;

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use libros_conformance_model::message::{Interface, Reply, Request};

use faults::Faults;
use http::Listener;
pub use vary::Platform;
use vary::Vary;
use world::World;

/// Changes the finished replies of an interface, named by its key.
#[derive(Clone)]
pub struct Spoil(pub(crate) Arc<dyn Fn(&str, &Request, &mut Reply) + Send + Sync>);

/// Where an impostor listens; port 0 stands for a free one.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Addresses {
    /// Books, authentication, two-factor
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3000")]
    catalogue_addr: SocketAddr,
    /// Users and posts over REST, registration, blog
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3001")]
    users_addr: SocketAddr,
    /// GraphQL, the full schema
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:4000")]
    graphql_addr: SocketAddr,
    /// GraphQL, the reduced variant
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:4001")]
    graphql_reduced_addr: SocketAddr,
    /// The control protocol
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:3900")]
    control_addr: SocketAddr,
}

impl Default for Addresses {
    /// Free ports of the loopback address.
    fn default() -> Self {
        let [catalogue_addr, users_addr, graphql_addr, graphql_reduced_addr, control_addr] =
            [SocketAddr::from((Ipv4Addr::LOCALHOST, 0)); 5];
        Self { catalogue_addr, users_addr, graphql_addr, graphql_reduced_addr, control_addr }
    }
}

#[derive(Clone, Default)]
pub struct Options {
    pub faults: Faults,
    /// Uses every freedom of the documents, chosen by this seed.
    pub vary: Option<u64>,
    /// Has the habits of this platform.
    pub platform: Option<Platform>,
    pub spoil: Option<Spoil>,
    pub addresses: Addresses,
}

/// The keys of the interfaces in a profile and in the line `ready`, each with the listener that has it and the path of its URL.
const PLACES: [(&str, &str, &str); 7] = [
    ("catalogue", "catalogue", ""),
    ("users", "users", ""),
    ("registration", "users", ""),
    ("blog", "users", ""),
    ("graphql", "graphql", "/graphql"),
    ("graphql_reduced", "graphql_reduced", "/graphql"),
    ("control", "control", ""),
];

/// A running impostor; dropping it stops it.
pub struct Impostor {
    listeners: BTreeMap<&'static str, Listener>,
    /// The second address of the catalogue, where a fault gives it one.
    replica: Option<Listener>,
}

impl Impostor {
    /// Starts all interfaces; fails if an address cannot be bound.
    pub fn start(options: Options) -> io::Result<Self> {
        let mut faults = options.faults;
        if let Some(seed) = options.vary {
            faults = faults.reading(&Vary::chosen(seed));
        }
        if let Some(platform) = options.platform {
            faults = faults.reading(platform.readings()).having(&vary::habit_effects(platform.habits()));
        }
        let world = Arc::new(World::new(faults.start()));
        let faults = Arc::new(faults);
        let listen = |key: &'static str, interface: Interface, addr: SocketAddr, is_second: bool| {
            let (world, faults) = (Arc::clone(&world), Arc::clone(&faults));
            let (vary, spoil) = (options.vary.map(Vary::new), options.spoil.clone());
            let handler = move |request: &Request| {
                let seen = faults.misread(&Request { interface, now: world.clock.now(), ..request.clone() });
                let mut reply = faults.answer(&world, &seen, is_second);
                faults.finish(&seen, &mut reply);
                if let Some(Spoil(spoil)) = &spoil {
                    spoil(key, request, &mut reply);
                }
                let keep = vary.as_ref().is_none_or(|vary| vary.apply(request, &mut reply));
                (reply, keep)
            };
            Listener::start(addr, Box::new(handler))
        };
        let at = options.addresses;
        let second = || SocketAddr::new(at.catalogue_addr.ip(), 0);
        let replica = faults.replica.map(|_| listen("catalogue", Interface::Catalogue, second(), true));
        let mut listeners = BTreeMap::new();
        for (key, interface, addr) in [
            ("catalogue", Interface::Catalogue, at.catalogue_addr),
            ("users", Interface::Users, at.users_addr),
            ("graphql", Interface::Graphql, at.graphql_addr),
            ("graphql_reduced", Interface::GraphqlReduced, at.graphql_reduced_addr),
        ] {
            listeners.insert(key, listen(key, interface, addr, false)?);
        }
        let control = move |request: &Request| (control::answer(&world, request), true);
        listeners.insert("control", Listener::start(at.control_addr, Box::new(control))?);
        Ok(Self { listeners, replica: replica.transpose()? })
    }

    /// The URLs of the interfaces by their keys, in the order of the line `ready`.
    pub fn places(&self) -> [(String, String); 7] {
        PLACES.map(|(key, of, path)| (key.to_owned(), format!("http://{}{path}", self.listeners[of].addr)))
    }

    pub fn urls(&self) -> BTreeMap<String, String> {
        self.places().into()
    }

    pub fn catalogue(&self) -> String {
        format!("http://{}", self.listeners["catalogue"].addr)
    }

    pub fn replica(&self) -> Option<String> {
        self.replica.as_ref().map(|replica| format!("http://{}", replica.addr))
    }
}

#[cfg(test)]
mod tests;
