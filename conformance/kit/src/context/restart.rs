//! Kills and restarts an implementation that the suite started, once a run, to see what it kept. Never judges.

use std::fmt;
use std::sync::OnceLock;

use crate::http::control::Control;
use crate::implementation::profile::Target;

/// The restarted implementation and its control listener, if it has one.
type Ready = (Target, Option<Control>);

pub struct Restarter {
    again: Box<dyn Fn(&Target) -> Result<Ready, String> + Send + Sync>,
    /// The implementation after the restart, perhaps on other ports.
    later: OnceLock<Ready>,
}

impl fmt::Debug for Restarter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restarter").field("later", &self.later).finish_non_exhaustive()
    }
}

impl Restarter {
    /// `again` kills the implementation without notice and starts it again.
    pub fn new(again: impl Fn(&Target) -> Result<Ready, String> + Send + Sync + 'static) -> Self {
        Self { again: Box::new(again), later: OnceLock::new() }
    }

    /// Fails if it does not start again, or was restarted before.
    pub fn restart(&self, target: &Target) -> Result<(), String> {
        if self.later.get().is_some() {
            return Err("the target was restarted before".to_owned());
        }
        let (mut later, control) = (self.again)(target)?;
        // Keeps the keys under which answers hold the user and the client, which were found before the run.
        (later.principal, later.client) = (target.principal.clone(), target.client.clone());
        self.later.set((later, control)).map_err(|_| "the target is being restarted elsewhere".to_owned())
    }

    pub fn later(&self) -> Option<&(Target, Option<Control>)> {
        self.later.get()
    }
}
