//! What nearly every file of cases uses: the declaration of cases, checks, and the preparations by subject.

pub(crate) use serde_json::{Value, json};

pub(crate) use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
pub(crate) use crate::contract::violation::Place;
pub(crate) use crate::fixture::users::PASSWORD;
pub(crate) use crate::fixture::{books, clients, concurrency, demo, time, totp_steps, two_factor, users};
pub(crate) use crate::http::reply::{Reply, SeenIn as _, brief, same};
pub(crate) use crate::http::request::Request;
pub(crate) use crate::implementation::profile::Interface;
