//! What the operator chooses: options of the command line, each also as `LIBROS_<NAME>` in the environment.
//!
//! Read once, at the start. Opens nothing.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::FalseyValueParser;
use clap::{ArgAction, Parser, ValueEnum};
use http::HeaderValue;

use crate::app::Addresses;
use crate::crypto::{password::Cost, secret::Secret};
use crate::transport::Limits;
use libros_server_system::processors;

/// The port of the catalogue, and of the users interface when it runs alone.
const PORT: u16 = 3000;

/// Serves the Library Catalogue Service.
///
/// Once every listener is up, one line on standard output says where: `ready <name>=<url> ...`.
#[derive(Debug, Clone, Parser)]
#[command(name = "libros-server", version)]
pub(crate) struct Config {
    /// Which interfaces to serve
    #[arg(value_enum, value_name = "INTERFACE", default_value_t = Served::All)]
    pub(crate) served: Served,

    /// Where the catalogue listens: books, authentication, two-factor [default: 127.0.0.1:3000]
    #[arg(long, env = "LIBROS_CATALOGUE_ADDR", value_name = "ADDR", value_parser = address)]
    pub(crate) catalogue_addr: Option<SocketAddr>,

    /// Where the users interface listens: users, posts, registration, blog [default: 127.0.0.1:3001, alone 127.0.0.1:3000]
    #[arg(long, env = "LIBROS_USERS_ADDR", value_name = "ADDR", value_parser = address)]
    pub(crate) users_addr: Option<SocketAddr>,

    /// Where the GraphQL endpoint listens [default: 127.0.0.1:4000]
    #[arg(long, env = "LIBROS_GRAPHQL_ADDR", value_name = "ADDR", value_parser = address)]
    pub(crate) graphql_addr: Option<SocketAddr>,

    /// Where the reduced GraphQL endpoint listens [default: 127.0.0.1:4001]
    #[arg(long, env = "LIBROS_GRAPHQL_REDUCED_ADDR", value_name = "ADDR", value_parser = address)]
    pub(crate) graphql_reduced_addr: Option<SocketAddr>,

    /// Where tests move the clock and bring the initial state back; a loopback address [default: off]
    #[arg(long, env = "LIBROS_CONTROL_ADDR", value_name = "ADDR", value_parser = loopback)]
    pub(crate) control_addr: Option<SocketAddr>,

    /// The folder that holds what must outlive the process
    #[arg(long, env = "LIBROS_DATA", value_name = "DIR", default_value = "libros-data")]
    pub(crate) data: PathBuf,

    /// Keep the data in a PostgreSQL database instead, which replicas may share: postgres://user@host/database; name several hosts if
    /// it can fail over
    #[arg(long, env = "LIBROS_STORE", value_name = "URL")]
    pub(crate) store: Option<String>,

    /// Which writes a replica's reads include
    #[arg(long, env = "LIBROS_READS", value_enum, value_name = "READS", default_value_t = Reads::Confirmed)]
    pub(crate) reads: Reads,

    /// Keep everything in memory and nothing on disk; --data is ignored
    #[arg(long, env = "LIBROS_EPHEMERAL", action = ArgAction::SetTrue, value_parser = FalseyValueParser::new())]
    pub(crate) ephemeral: bool,

    /// The initial books, instead of the built-in five: one JSON object a line
    #[arg(long, env = "LIBROS_BOOKS", value_name = "FILE.jsonl")]
    pub(crate) books: Option<PathBuf>,

    /// The name in X-API-Build
    #[arg(long, env = "LIBROS_BUILD", value_name = "NAME", default_value = "development", value_parser = build)]
    pub(crate) build: HeaderValue,

    /// The file with the secret of all keyed hashes and sealed values; LIBROS_SECRET may hold the secret itself [default: made
    /// once and kept beside the data]
    // rule: login/secret-configurable
    #[arg(long, env = "LIBROS_SECRET_FILE", value_name = "FILE")]
    pub(crate) secret_file: Option<PathBuf>,

    /// The file with the previous secret: give it for one start to change the secret
    #[arg(long, env = "LIBROS_FORMER_SECRET_FILE", value_name = "FILE")]
    pub(crate) former_secret_file: Option<PathBuf>,

    /// The secret itself: from the environment alone, since others can see a command line. --secret-file wins over it.
    #[arg(skip = Secret::in_environment())]
    pub(crate) secret: Option<Secret>,

    /// What hashing one password costs: KiB of memory, passes, lanes
    #[arg(long, env = "LIBROS_PASSWORD_COST", value_name = "KIB,PASSES,LANES", default_value_t)]
    pub(crate) password_cost: Cost,

    /// Threads that serve [default: one a processor]
    #[arg(long, env = "LIBROS_THREADS", value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The largest request body, in bytes
    #[arg(long, env = "LIBROS_MAX_BODY", value_name = "BYTES", default_value_t = Limits::default().body_max)]
    pub(crate) max_body: usize,

    /// Connections at a time, over all listeners; one more is answered 503 or closed
    #[arg(long, env = "LIBROS_MAX_CONNECTIONS", value_name = "N", default_value_t = Limits::default().connections_max)]
    pub(crate) max_connections: NonZeroUsize,

    /// Bytes of bodies at a time, requests and replies, over all connections; beyond them requests are answered 503
    #[arg(long, env = "LIBROS_MAX_BYTES_IN_FLIGHT", value_name = "BYTES", default_value_t = Limits::default().bytes_max)]
    pub(crate) max_bytes_in_flight: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reads {
    /// All that any replica has confirmed: the database is asked, once for all reads that wait
    Confirmed,
    /// What this replica knows, which may be a moment old; works without the database
    Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Served {
    /// Everything
    All,
    /// Books, authentication, two-factor
    Catalogue,
    /// Users and posts, registration, blog
    Users,
    /// The GraphQL endpoint
    Graphql,
    /// The reduced GraphQL endpoint
    GraphqlReduced,
}

impl Config {
    pub(crate) fn addresses(&self) -> Addresses {
        let at = |served: Served, chosen: Option<SocketAddr>, port: u16| {
            let wanted = self.served == Served::All || self.served == served;
            wanted.then(|| chosen.unwrap_or(SocketAddr::from(([127, 0, 0, 1], port))))
        };
        // Both documents ask for this port; if both interfaces run, the second takes another.
        let users_port = if self.served == Served::Users { PORT } else { PORT + 1 };
        Addresses {
            catalogue: at(Served::Catalogue, self.catalogue_addr, PORT),
            users: at(Served::Users, self.users_addr, users_port),
            graphql: at(Served::Graphql, self.graphql_addr, 4000),
            graphql_reduced: at(Served::GraphqlReduced, self.graphql_reduced_addr, 4001),
            control: self.control_addr,
        }
    }

    pub(crate) fn serving_threads(&self) -> NonZeroUsize {
        self.threads.unwrap_or_else(processors)
    }
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let first = text.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    first.ok_or_else(|| "give a host that can be resolved and a port, such as 127.0.0.1:3000".to_owned())
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let refused = "anyone who reaches it can wipe the service: give a loopback address, such as 127.0.0.1:3900";
    Some(address(text)?).filter(|address| address.ip().is_loopback()).ok_or_else(|| refused.to_owned())
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= 1024);
    number.ok_or_else(|| "give a whole number from 1 to 1024".to_owned())
}

fn build(text: &str) -> Result<HeaderValue, String> {
    let value = HeaderValue::from_str(text).ok().filter(|value| !value.is_empty() && text.is_ascii());
    value.ok_or_else(|| "a header must be able to carry it: use visible ASCII characters".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn config(arguments: &[&str]) -> Result<Config, clap::Error> {
        Config::try_parse_from([&["libros-server"], arguments].concat())
    }

    fn addresses(arguments: &[&str]) -> Vec<String> {
        let config = config(arguments).expect("a configuration");
        let Addresses { catalogue, users, graphql, graphql_reduced, control: _ } = config.addresses();
        [catalogue, users, graphql, graphql_reduced].into_iter().flatten().map(|address| address.to_string()).collect()
    }

    #[test]
    fn every_option_has_its_variable() {
        for option in Config::command().get_opts() {
            let name = option.get_long().expect("a long name");
            if ["help", "version"].contains(&name) {
                continue;
            }
            let variable = format!("LIBROS_{}", name.to_uppercase().replace('-', "_"));
            let actual = option.get_env().and_then(|name| name.to_str());
            assert_eq!(actual, Some(variable.as_str()));
        }
    }

    #[test]
    fn each_interface_has_its_port() {
        let all = ["127.0.0.1:3000", "127.0.0.1:3001", "127.0.0.1:4000", "127.0.0.1:4001"];
        assert_eq!(addresses(&[]), all);
        assert_eq!(addresses(&["all"]), all);
        assert_eq!(addresses(&["catalogue"]), ["127.0.0.1:3000"]);
        assert_eq!(addresses(&["users"]), ["127.0.0.1:3000"]);
        assert_eq!(addresses(&["graphql"]), ["127.0.0.1:4000"]);
        assert_eq!(addresses(&["graphql-reduced"]), ["127.0.0.1:4001"]);
        assert_eq!(addresses(&["users", "--users-addr", "[::1]:80"]), ["[::1]:80"]);
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        for arguments in [
            ["--threads", "0"],
            ["--build", ""],
            ["--build", "a\nb"],
            ["--catalogue-addr", "3000"],
            ["--control-addr", "0.0.0.0:3900"],
            ["--max-body", "1MB"],
            ["--max-connections", "0"],
            ["--password-cost", "1"],
        ] {
            assert!(config(&arguments).is_err(), "{arguments:?}");
        }
    }
}
