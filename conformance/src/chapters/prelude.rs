//! The names that nearly every file of cases imports: the declaration of cases, checks, and preparations. Defines nothing.

pub(crate) use std::collections::BTreeSet;

pub(crate) use serde_json::{Map, Value, json};

pub(crate) use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
pub(crate) use crate::clock;
pub(crate) use crate::contract::violation::{Place, Want};
pub(crate) use crate::fixture::books::{BookSet, MadeBook};
pub(crate) use crate::fixture::demo::quoted;
pub(crate) use crate::fixture::time::{AFTER_MS, BEFORE_MS, HOUR_MS, MINUTE_MS, SECOND_MS, Span};
pub(crate) use crate::fixture::two_factor::Enrolled;
pub(crate) use crate::fixture::users::{MadeUser, PASSWORD, Tokens};
pub(crate) use crate::fixture::{books, clients, concurrency, demo, time, totp_steps, two_factor, users};
pub(crate) use crate::http::reply::{Reply, SeenIn as _, brief, has_exactly_keys, same};
pub(crate) use crate::http::request::{Request, encode_component, percent_encoded};
pub(crate) use crate::implementation::profile::Interface;
