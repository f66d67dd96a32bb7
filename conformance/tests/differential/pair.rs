//! Starts the two services, keeps their clocks together, and sends requests over kept connections. Judges nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use libros_conformance::clock;
use libros_conformance::http::connection::Connection;
use libros_conformance::http::control::Control;
use libros_conformance::http::exchange::{Exchange, Received, Sent};
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::{Address, Credentials, Interface, Target};
use libros_conformance::implementation::reference::{self, REFERENCE_PROFILE};
use libros_conformance::impostor::{Impostor, Options};

const WAIT: Duration = Duration::from_secs(60);

/// A request to one of them.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) interface: Interface,
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Option<Vec<u8>>,
}

impl Ask {
    pub(crate) fn new(interface: Interface, method: &'static str, path: impl Into<String>) -> Self {
        Self { interface, method, path: path.into(), headers: Vec::new(), body: None }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.as_bytes().to_vec()));
        self
    }

    pub(crate) fn json(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("Content-Type", "application/json")
    }
}

pub(crate) struct Services {
    _launched: Launched,
    _impostor: Impostor,
    pub(crate) targets: [Target; 2],
    controls: [Control; 2],
}

impl Services {
    pub(crate) fn start() -> Self {
        let launched = reference::start_with(Path::new(env!("CARGO_BIN_EXE_libros-conformance")), &[], WAIT).unwrap();
        let impostor = Impostor::start(Options::default()).unwrap();
        let targets = [&launched.urls, &impostor.urls().by_key()].map(|urls| {
            let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
            target.place_only(urls).unwrap();
            target
        });
        let controls = targets.each_ref().map(|target| Control::new(target.control.as_ref().unwrap(), WAIT).unwrap());
        Self { _launched: launched, _impostor: impostor, targets, controls }
    }

    pub(crate) fn credentials(&self) -> &Credentials {
        &self.targets[0].credentials
    }

    /// Restores the initial state of both.
    pub(crate) fn reset(&self) {
        self.controls.iter().for_each(|control| control.reset().unwrap());
    }

    /// Moves both clocks.
    pub(crate) fn advance(&self, seconds: f64) {
        self.controls.iter().for_each(|control| _ = control.advance(seconds).unwrap());
    }

    /// A caller with its own connections.
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller { services: self, open: [BTreeMap::new(), BTreeMap::new()] }
    }
}

/// Kept connections to both.
pub(crate) struct Caller<'a> {
    services: &'a Services,
    open: [BTreeMap<String, Connection>; 2],
}

impl Caller<'_> {
    /// The request as sent to one of them.
    pub(crate) fn sent(&self, side: usize, ask: &Ask) -> Sent {
        let address = self.services.targets[side].address(ask.interface).unwrap();
        Sent {
            method: ask.method.to_owned(),
            address: Address { prefix: String::new(), ..address.clone() },
            interface: None,
            path: ask.path.clone(),
            headers: ask.headers.clone(),
            body: ask.body.clone(),
        }
    }

    /// Sends it to one of them.
    pub(crate) fn ask(&mut self, side: usize, ask: &Ask) -> Exchange {
        let sent = self.sent(side, ask);
        let sent_at_ms = clock::unix_ms();
        let received = self.receive(side, &sent).map_err(|error| error.to_string().into());
        let received = received.map(Arc::new);
        Exchange { number: 0, sent, received, is_answered: true, duration_ms: 0, sent_at_ms }
    }

    fn receive(&mut self, side: usize, sent: &Sent) -> std::io::Result<Received> {
        let authority = &sent.address.authority;
        let kept = self.open[side].remove(authority).filter(Connection::is_idle);
        let mut connection = match kept {
            Some(connection) => connection,
            None => Connection::open(&sent.address, WAIT)?,
        };
        let (received, may_stay) = connection.exchange(sent, WAIT)?;
        if may_stay {
            self.open[side].insert(authority.clone(), connection);
        }
        Ok(received)
    }
}
