//! Bodies of registrations on the demonstration interface.

use md5::{Digest as _, Md5};
use serde_json::{Value, json};

use crate::case::Need;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseError;
use crate::fixture::users::PASSWORD;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::target::profile::Interface;

/// What every case of the chapter needs.
pub(crate) const REGISTRATION: Need = Need::Interface(Interface::Registration);

pub(crate) const PATH: &str = "/api/users/register";

/// An e-mail nobody else has: lower-case, and short enough before the at sign for any checker.
pub(crate) fn fresh_email(cx: &CaseContext<'_>) -> String {
    let digest = hex::encode(Md5::digest(cx.unique("alta")));
    format!("alta.{}@example.com", &digest[..20])
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
