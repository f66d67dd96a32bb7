//! What all cases of a run share: the implementation under judgement, and the settings of the run.
//!
//! Sends nothing.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::context::restart::Restarter;
use crate::context::shared_clock::SharedClock;
use crate::http::control::Control;
use crate::http::throttle::Throttle;
use crate::implementation::profile::Target;
use crate::random;

#[derive(Debug)]
pub struct Session {
    /// The implementation under judgement, at its addresses when the run began.
    pub target: Target,
    pub control: Option<Control>,
    pub seed: u64,
    /// How many inputs a generated case draws (`--cases`).
    pub cases: u32,
    pub timeout: Duration,
    pub throttle: Arc<Throttle>,
    /// A run that records transcripts instead of comparing them: name to transcript.
    pub recorder: Option<Mutex<BTreeMap<String, String>>>,
    pub nonce: String,
    pub clock: SharedClock,
    /// How far the target's clock is ahead of this machine's, in milliseconds, for a target without a control listener; read once.
    pub clock_ahead_ms: OnceLock<i64>,
    /// The count of changing requests when the initial state was last restored.
    pub fresh: Mutex<Option<u32>>,
    pub restarter: Option<Restarter>,
    /// `false` at levels below the second factor: cases that sample all routes leave out `/2fa` and `/auth/verify-2fa`.
    pub holds_second_factor: bool,
    /// What the target issued for the profile's own passwords, each with its label: no report may show it.
    pub issued: Mutex<Vec<(&'static str, String)>>,
}

impl Session {
    /// A session with a new nonce that records no transcripts and restarts nothing.
    pub fn new(target: Target, control: Option<Control>, seed: u64, cases: u32, timeout: Duration) -> Self {
        let throttle = Arc::new(Throttle::new(target.per_minute));
        Self {
            target,
            control,
            seed,
            cases,
            timeout,
            throttle,
            recorder: None,
            nonce: random::nonce(),
            clock: SharedClock::default(),
            clock_ahead_ms: OnceLock::new(),
            fresh: Mutex::default(),
            restarter: None,
            holds_second_factor: true,
            issued: Mutex::default(),
        }
    }

    /// The implementation under judgement, at its addresses now: a restart may change them.
    pub fn target(&self) -> &Target {
        self.later().map_or(&self.target, |(target, _)| target)
    }

    pub fn control(&self) -> Option<&Control> {
        self.later().map_or(self.control.as_ref(), |(_, control)| control.as_ref())
    }

    fn later(&self) -> Option<&(Target, Option<Control>)> {
        self.restarter.as_ref().and_then(Restarter::later)
    }
}
