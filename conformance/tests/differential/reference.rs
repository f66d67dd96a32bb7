//! The reference, started for the comparison, and a client that keeps its connections. Judges nothing.

use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use libros_conformance::contract::verdict::{CaseError, CaseResult, DeclaredRules};
use libros_conformance::generate::histories::{Service, StepRequest};
use libros_conformance::http::client::Client;
use libros_conformance::http::control::Control;
use libros_conformance::http::exchange::{Exchange, Received, Sent};
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::{Address, Target};
use libros_conformance::implementation::reference::{self, REFERENCE_PROFILE};

use crate::program::PROGRAM;

const WAIT: Duration = Duration::from_secs(60);

/// The profile of the reference: both sides know its keys.
pub(crate) static PROFILE: LazyLock<Target> = LazyLock::new(|| Target::parse(REFERENCE_PROFILE).unwrap());

pub(crate) struct Reference {
    _launched: Launched,
    target: Target,
    pub(crate) control: Control,
    client: Client,
}

impl Reference {
    pub(crate) fn start() -> Self {
        let launched = reference::start_with(Path::new(PROGRAM), &["--ephemeral"], WAIT).unwrap();
        let mut target = PROFILE.clone();
        target.place_only(&launched.urls).unwrap();
        let control = Control::new(target.control.as_ref().unwrap(), WAIT).unwrap();
        let client = Client::new(DeclaredRules(&[]), WAIT, u32::MAX, Arc::default());
        Self { _launched: launched, target, control, client }
    }

    pub(crate) fn sent(&self, request: &StepRequest) -> Sent {
        let address = self.target.address(request.interface).unwrap();
        let sent = Sent::new(request.method, &Address { prefix: String::new(), ..address.clone() }, &request.path);
        let sent = request.headers.iter().fold(sent, |sent, (name, value)| sent.header(name, value.as_str()));
        Sent { body: request.body.clone().map(String::into_bytes), ..sent }
    }

    /// What each side was asked and replied, the reference first.
    pub(crate) fn transcript(&self, requests: [&StepRequest; 2], replies: [&Received; 2]) -> String {
        let [got, want] =
            [0, 1].map(|side: usize| Exchange::new(self.sent(requests[side]), Ok(replies[side].clone())).transcript());
        format!("reference:\n{got}model:\n{want}")
    }
}

impl Service for Reference {
    fn now_ms(&self) -> Result<i64, CaseError> {
        self.control.now().map_err(CaseError::Hook)
    }

    fn advance(&self, span_ms: i64, _: i64) -> CaseResult {
        self.control.advance(span_ms).map(|_| ()).map_err(CaseError::Hook)
    }

    fn send(&self, request: &StepRequest) -> Result<Received, CaseError> {
        let exchange = self.client.exchange(self.sent(request), usize::MAX, false)?;
        exchange.received.map(Arc::unwrap_or_clone).map_err(CaseError::NoAnswer)
    }
}
