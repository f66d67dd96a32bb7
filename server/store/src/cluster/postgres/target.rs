//! Reaches the database: tries all hosts at once, over TLS if asked for, and begins each session. Reads no table.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use rustls::crypto::ring;
use rustls::{ClientConfig, RootCertStore};
use rustls_native_certs::{load_certs_from_paths, load_native_certs};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Error};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connection_string::ConnectionString;
use super::sockets::{Sockets, Wire};
use super::standby::Standby;

/// How long connecting to an address of the database may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);
/// How long a peer may acknowledge nothing before it counts as gone, and how often it is probed.
const SILENT_AT_MOST: Duration = Duration::from_secs(10);
const TRIED_EVERY: Duration = Duration::from_secs(2);
/// How long to wait before asking a host again that refused, while another is silent.
const PAUSE: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(super) struct Target {
    /// Each names one host.
    pub(super) hosts: Vec<Config>,
    pub(super) tls: MakeRustlsConnect,
    pub(super) sockets: Sockets,
    /// Statements that each session begins with; a host where one gets no answer does not count as reached.
    pub(super) session: Vec<String>,
    /// Only if another host may be elected.
    pub(super) standby: Option<Arc<Standby>>,
}

impl Target {
    pub(super) fn named(url: &str, session: Vec<String>) -> anyhow::Result<Self> {
        let ConnectionString { text, authorities } = ConnectionString::read(url);
        let config: Config =
            text.parse().context("the URL of the database must be like postgres://user@host/database")?;
        let uses_tls = config.get_ssl_mode() == SslMode::Require;
        ensure!(
            uses_tls || authorities.is_none(),
            "sslrootcert= is of use with TLS alone: ask for it with sslmode=verify-full"
        );
        let trusted = if uses_tls { trusted(authorities.as_deref())? } else { RootCertStore::empty() };
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(trusted)
            .with_no_client_auth();
        let hosts = hosts(&config)?;
        Ok(Self {
            standby: (hosts.len() > 1).then(Arc::default),
            hosts,
            tls: MakeRustlsConnect::new(tls),
            sockets: Sockets::of_this_thread(),
            session,
        })
    }

    pub(super) fn names(&self) -> impl Iterator<Item = String> {
        self.hosts.iter().map(|config| {
            let host = match (config.get_hosts().first(), config.get_hostaddrs().first()) {
                (Some(Host::Tcp(name)), _) => name.clone(),
                #[cfg(unix)]
                (Some(Host::Unix(folder)), _) => folder.display().to_string(),
                (None, address) => address.map_or_else(String::new, ToString::to_string),
            };
            format!("{host}:{}", config.get_ports().first().unwrap_or(&5432))
        })
    }

    /// Asks all hosts at once; returns the first session that opens, and the place of its host. If none opens, `refused` has the reasons.
    /// While another host is silent, asks a host again that refused: it may be elected meanwhile.
    pub(super) async fn open(&self, refused: &mut [Option<Error>]) -> Option<(usize, (Client, Wire))> {
        let mut opening = JoinSet::new();
        let open = |place: usize, pause| {
            let target = self.clone();
            async move {
                sleep(pause).await;
                (place, target.opened(place).await)
            }
        };
        for place in 0..self.hosts.len() {
            opening.spawn(open(place, Duration::ZERO));
        }
        while let Some(Ok((place, opened))) = opening.join_next().await {
            match opened {
                Ok(opened) => return Some((place, opened)),
                Err(error) => refused[place] = Some(error),
            }
            if refused.iter().any(Option::is_none) {
                opening.spawn(open(place, PAUSE));
            }
        }
        None
    }

    async fn opened(self, place: usize) -> Result<(Client, Wire), Error> {
        let (client, mut wire) = self.sockets.connect(&self.hosts[place], self.tls).await?;
        for statement in &self.session {
            match wire.carry(client.batch_execute(statement)).await {
                // Later statements make the tables, or refuse the role.
                Err(error) if is_for_later(&error) => {}
                done => done?,
            }
        }
        Ok((client, wire))
    }
}

fn is_for_later(error: &Error) -> bool {
    [SqlState::UNDEFINED_TABLE, SqlState::INSUFFICIENT_PRIVILEGE].iter().any(|state| error.code() == Some(state))
}

/// A configuration for each host, with what the operator's URL leaves open.
fn hosts(config: &Config) -> anyhow::Result<Vec<Config>> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    ensure!(count > 0, "the URL of the database names no host: postgres://user@host/database");
    ensure!(
        [hosts.len(), addresses.len()].iter().all(|named| [0, count].contains(named))
            && [0, 1, count].contains(&ports.len()),
        "the URL of the database names {count} hosts and not as many addresses or ports"
    );
    Ok((0..count)
        .map(|place| {
            let mut one = Config::new();
            match hosts.get(place) {
                Some(Host::Tcp(name)) => _ = one.host(name),
                #[cfg(unix)]
                Some(Host::Unix(folder)) => _ = one.host_path(folder),
                None => {}
            }
            addresses.get(place).map(|address| one.hostaddr(*address));
            ports.get(place).or(ports.first()).map(|port| one.port(*port));
            config.get_user().map(|user| one.user(user));
            config.get_password().map(|password| one.password(password));
            config.get_dbname().map(|name| one.dbname(name));
            config.get_options().map(|options| one.options(options));
            // An unchecked certificate proves nothing: there is TLS only if the URL asks for it.
            let is_asked = config.get_ssl_mode() == SslMode::Require;
            one.ssl_mode(if is_asked { SslMode::Require } else { SslMode::Disable })
                .ssl_negotiation(config.get_ssl_negotiation())
                .channel_binding(config.get_channel_binding())
                .application_name(config.get_application_name().unwrap_or("libros-server"))
                .connect_timeout(config.get_connect_timeout().copied().unwrap_or(CONNECT_WITHIN))
                .tcp_user_timeout(SILENT_AT_MOST)
                .keepalives_idle(SILENT_AT_MOST)
                .keepalives_interval(TRIED_EVERY)
                // A standby is behind, and takes no writes.
                .target_session_attrs(TargetSessionAttrs::ReadWrite);
            one
        })
        .collect())
}

/// The certificates to trust: those of the file, or else of this machine.
fn trusted(authorities: Option<&str>) -> anyhow::Result<RootCertStore> {
    let (found, place) = match authorities {
        Some(file) if file != "system" => (load_certs_from_paths(Some(Path::new(file)), None), file),
        _ => (load_native_certs(), "this machine"),
    };
    let mut trusted = RootCertStore::empty();
    trusted.add_parsable_certificates(found.certs);
    let why = found.errors.first().map_or_else(String::new, |error| format!(" ({error})"));
    ensure!(
        !trusted.is_empty(),
        "{place} holds no certificate of an authority{why}: name a PEM file of them, sslrootcert=FILE"
    );
    Ok(trusted)
}
