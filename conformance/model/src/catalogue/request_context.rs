//! A request, the state that it is answered from, and the steps, for the handlers of the catalogue. Answers nothing.

use super::headers::ResponseBuilder;
use crate::message::Request;
use crate::state::State;
use crate::steps::Steps;

/// The service's name: realm of WWW-Authenticate and issuer of otpauth URLs.
pub(crate) const SERVICE: &str = "LibraryCatalogueService";

/// The JSON key of the principal in login and API-key answers, as the documents print it.
pub(crate) const SERVICE_KEY: &str = "the service";

/// A request, and what it is answered from.
pub(crate) struct RequestContext<'a> {
    pub(crate) steps: &'a Steps,
    pub(crate) state: &'a mut State,
    pub(crate) request: &'a Request,
}

impl<'a> RequestContext<'a> {
    pub(crate) fn now(&self) -> i64 {
        self.request.now
    }

    /// A reply of the common builder.
    pub(crate) fn reply(&self, status: u16) -> ResponseBuilder<'a> {
        ResponseBuilder::new(self.request, status)
    }
}
