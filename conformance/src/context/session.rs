//! What all trials of a run share: whom they judge, and how.
//!
//! Sends nothing.

use std::time::Duration;

use crate::snapshot::Recorder;
use crate::target::control::Control;
use crate::target::profile::Target;
use crate::target::restart::Restarter;

/// What all trials of a run share.
#[derive(Debug)]
pub struct Session {
    /// The implementation under judgement, where the run found it.
    pub target: Target,
    /// Its control hook there, where it has one.
    pub control: Option<Control>,
    /// What generated cases draw from.
    pub seed: u64,
    /// How many inputs a generated case tries.
    pub cases: u32,
    /// How long one exchange may take.
    pub timeout: Duration,
    /// Where scenes are written down instead of being compared, when they are being recorded.
    pub recorder: Option<Recorder>,
    /// Part of every name this run makes up.
    pub nonce: String,
    /// How the target may be killed and started again, where it may.
    pub restarter: Option<Restarter>,
}

impl Session {
    /// The implementation under judgement, where it is now.
    pub fn target(&self) -> &Target {
        self.later().map_or(&self.target, |(target, _)| target)
    }

    /// Its control hook, where it is now.
    pub fn control(&self) -> Option<&Control> {
        self.later().map_or(self.control.as_ref(), |(_, control)| control.as_ref())
    }

    fn later(&self) -> Option<&(Target, Option<Control>)> {
        self.restarter.as_ref().and_then(Restarter::later)
    }
}
