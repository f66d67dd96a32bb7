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

type ChangeReply = dyn Fn(&str, &Request, &mut Reply) + Send + Sync;

/// Changes the finished replies of an interface, named by its key.
#[derive(Clone)]
pub struct Spoil(Arc<ChangeReply>);

impl Spoil {
    pub(crate) fn by(change: impl Fn(&str, &Request, &mut Reply) + Send + Sync + 'static) -> Self {
        Self(Arc::new(change))
    }
}

/// What an impostor is started with. Addresses with port 0 get a free port.
#[derive(Clone)]
pub struct Options {
    /// The faults that are on.
    pub faults: Faults,
    /// Uses every freedom of the documents, chosen by this seed.
    pub vary: Option<u64>,
    /// Has the habits of this platform.
    pub platform: Option<Platform>,
    /// What spoils its replies.
    pub spoil: Option<Spoil>,
    /// Books, authentication, two-factor.
    pub catalogue_addr: SocketAddr,
    /// Users and posts over REST, registration, blog.
    pub users_addr: SocketAddr,
    /// The full GraphQL endpoint.
    pub graphql_addr: SocketAddr,
    /// The reduced GraphQL endpoint.
    pub graphql_reduced_addr: SocketAddr,
    /// The control protocol.
    pub control_addr: SocketAddr,
}

impl Default for Options {
    /// No fault, no variation, free ports of the loopback address.
    fn default() -> Self {
        let free = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self {
            faults: Faults::none(),
            vary: None,
            platform: None,
            spoil: None,
            catalogue_addr: free,
            users_addr: free,
            graphql_addr: free,
            graphql_reduced_addr: free,
            control_addr: free,
        }
    }
}

/// Where the interfaces of an impostor are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Urls {
    /// `http://127.0.0.1:port`
    pub catalogue: String,
    /// The second address of the catalogue, where a fault gives it one.
    pub replica: Option<String>,
    /// `http://127.0.0.1:port`, for users, registration and blog.
    pub users: String,
    /// `http://127.0.0.1:port/graphql`
    pub graphql: String,
    /// `http://127.0.0.1:port/graphql`
    pub graphql_reduced: String,
    /// `http://127.0.0.1:port`
    pub control: String,
}

impl Urls {
    /// By the names that a profile and the ready line of a launched program use.
    pub fn by_key(&self) -> BTreeMap<String, String> {
        let places = [
            ("catalogue", &self.catalogue),
            ("users", &self.users),
            ("registration", &self.users),
            ("blog", &self.users),
            ("graphql", &self.graphql),
            ("graphql_reduced", &self.graphql_reduced),
            ("control", &self.control),
        ];
        places.map(|(key, url)| (key.to_owned(), url.clone())).into()
    }
}

/// A running impostor; dropping it stops it.
pub struct Impostor {
    catalogue: Listener,
    replica: Option<Listener>,
    users: Listener,
    graphql: Listener,
    graphql_reduced: Listener,
    control: Listener,
}

impl Impostor {
    /// Starts all interfaces.
    ///
    /// # Errors
    /// When an address cannot be had.
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
        let second = || SocketAddr::new(options.catalogue_addr.ip(), 0);
        let replica = faults.has_replica().then(|| listen("catalogue", Interface::Catalogue, second(), true));
        Ok(Self {
            catalogue: listen("catalogue", Interface::Catalogue, options.catalogue_addr, false)?,
            replica: replica.transpose()?,
            users: listen("users", Interface::Users, options.users_addr, false)?,
            graphql: listen("graphql", Interface::Graphql, options.graphql_addr, false)?,
            graphql_reduced: listen("graphql_reduced", Interface::GraphqlReduced, options.graphql_reduced_addr, false)?,
            control: {
                let world = Arc::clone(&world);
                let handler = move |request: &Request| (control::answer(&world, request), true);
                Listener::start(options.control_addr, Box::new(handler))?
            },
        })
    }

    /// Where the interfaces are.
    pub fn urls(&self) -> Urls {
        let url = |listener: &Listener, path: &str| format!("http://{}{path}", listener.addr);
        Urls {
            catalogue: url(&self.catalogue, ""),
            replica: self.replica.as_ref().map(|replica| url(replica, "")),
            users: url(&self.users, ""),
            graphql: url(&self.graphql, "/graphql"),
            graphql_reduced: url(&self.graphql_reduced, "/graphql"),
            control: url(&self.control, ""),
        }
    }
}

#[cfg(test)]
mod tests;
