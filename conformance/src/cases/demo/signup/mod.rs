//! Cases of the chapter signup: `POST /api/users/register`.

use md5::{Digest as _, Md5};
use serde_json::{Value, json};

use crate::case::{Case, Need};
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::users::PASSWORD;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::target::profile::Surface;

pub mod accepted;
pub mod refused;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[accepted::CASES, refused::CASES];

/// What every case of the chapter needs.
const REGISTRATION: Need = Need::Surface(Surface::Registration);

const PATH: &str = "/api/users/register";

/// An e-mail nobody else has: lower-case, and short enough before the at sign for any checker.
fn fresh_email(t: &Trial<'_>) -> String {
    let digest = hex::encode(Md5::digest(t.unique("alta")));
    format!("alta.{}@example.com", &digest[..20])
}

/// A registration nothing can be said against.
fn whole(t: &Trial<'_>) -> Value {
    json!({ "email": fresh_email(t), "password": PASSWORD })
}

/// A registration, not sent yet.
fn registration<'t, 'a>(t: &'t Trial<'a>, body: &Value) -> Request<'t, 'a> {
    t.request_at(Surface::Registration, "POST", PATH).json(body)
}

/// Sends a registration.
fn register(t: &Trial<'_>, body: &Value) -> Result<Reply, Stop> {
    registration(t, body).send()
}
