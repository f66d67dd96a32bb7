//! The reference, started for the comparison, and kept connections to it. Judges nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use libros_conformance::contract::verdict::{CaseError, CaseResult};
use libros_conformance::generate::histories::{Ask, Service};
use libros_conformance::http::connection::Connection;
use libros_conformance::http::control::Control;
use libros_conformance::http::exchange::{Exchange, Received, Sent};
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::{Address, Target};
use libros_conformance::implementation::reference;

use super::draw::PROFILE;

const WAIT: Duration = Duration::from_secs(60);

pub(crate) struct Reference {
    _launched: Launched,
    target: Target,
    control: Control,
}

impl Reference {
    pub(crate) fn start() -> Self {
        let launched = reference::start_with(Path::new(env!("CARGO_BIN_EXE_libros-conformance")), &[], WAIT).unwrap();
        let mut target = PROFILE.clone();
        target.place_only(&launched.urls).unwrap();
        let control = Control::new(target.control.as_ref().unwrap(), WAIT).unwrap();
        Self { _launched: launched, target, control }
    }

    /// Restores the initial state.
    pub(crate) fn reset(&self) {
        self.control.reset().unwrap();
    }

    /// A caller with its own connections.
    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller { reference: self, open: RefCell::default() }
    }

    /// The request as sent.
    pub(crate) fn sent(&self, ask: &Ask) -> Sent {
        let address = self.target.address(ask.interface).unwrap();
        Sent {
            method: ask.method.to_owned(),
            address: Address { prefix: String::new(), ..address.clone() },
            interface: None,
            path: ask.path.clone(),
            headers: ask.headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect(),
            body: ask.body.clone().map(String::into_bytes),
        }
    }

    /// The request and a reply to it, as text.
    pub(crate) fn transcript(&self, ask: &Ask, reply: &Received) -> String {
        let (sent, received) = (self.sent(ask), Ok(Arc::new(reply.clone())));
        Exchange { number: 0, sent, received, is_answered: true, duration_ms: 0, sent_at_ms: 0 }.transcript()
    }
}

pub(crate) struct Caller<'a> {
    reference: &'a Reference,
    open: RefCell<BTreeMap<String, Connection>>,
}

impl Service for Caller<'_> {
    fn now_ms(&self) -> Result<i64, CaseError> {
        self.reference.control.now().map_err(CaseError::Hook)
    }

    fn advance(&self, span_ms: i64, _: i64) -> CaseResult {
        self.reference.control.advance(span_ms).map(|_| ()).map_err(CaseError::Hook)
    }

    fn send(&self, ask: &Ask) -> Result<Received, CaseError> {
        let sent = self.reference.sent(ask);
        let exchange = || -> std::io::Result<Received> {
            let kept = self.open.borrow_mut().remove(&sent.address.authority).filter(Connection::is_idle);
            let mut connection = kept.map_or_else(|| Connection::open(&sent.address, WAIT), Ok)?;
            let (received, may_stay) = connection.exchange(&sent, WAIT)?;
            if may_stay {
                self.open.borrow_mut().insert(sent.address.authority.clone(), connection);
            }
            Ok(received)
        };
        exchange().map_err(|error| CaseError::NoAnswer(error.to_string().into()))
    }
}
