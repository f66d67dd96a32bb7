//! Bodies of registrations on the demonstration interface.

use crate::chapters::prelude::*;

/// What every case of the chapter needs.
pub(crate) const REGISTRATION: Need = Need::Interface(Interface::Registration);

pub(crate) const PATH: &str = "/api/users/register";

/// An e-mail of no other user.
pub(crate) fn fresh_email(cx: &CaseContext<'_>) -> String {
    users::email(cx, "alta")
}

/// A registration nothing can be said against.
pub(crate) fn whole(cx: &CaseContext<'_>) -> Value {
    json!({ "email": fresh_email(cx), "password": PASSWORD })
}

/// A registration, not sent yet.
pub(crate) fn registration<'t>(cx: &'t CaseContext<'_>, body: &Value) -> Request<'t> {
    cx.request_at(Interface::Registration, "POST", PATH).json(body)
}

/// Sends a registration.
pub(crate) fn register(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    registration(cx, body).send()
}
