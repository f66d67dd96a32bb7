//! A request in its world, for the handlers of the catalogue. Answers nothing.

use std::sync::MutexGuard;

use super::super::state::State;
use super::super::world::World;
use crate::impostor::http::Request;
use crate::impostor::policy::Policy;

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
pub(crate) const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
pub(crate) const SERVICE_KEY: &str = "the service";

/// A request, and the world that it is answered in.
pub(crate) struct RequestContext<'a> {
    pub(crate) world: &'a World,
    pub(crate) request: &'a Request,
}

impl<'a> RequestContext<'a> {
    pub(crate) fn policy(&self) -> &'a Policy {
        &self.world.policy
    }

    pub(crate) fn now(&self) -> i64 {
        self.world.clock.now()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'a, State> {
        self.world.lock()
    }
}
