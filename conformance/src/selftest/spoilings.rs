//! Spoils recorded answers, one header, status or member at a time. Each must break an invariant, or fail a case on an impostor that
//! spoils its answers in the same way.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::judging::judge_by;
use super::{in_parallel, selftest_cases};
use crate::case::Case;
use crate::contract::rule::Contract;
use crate::http::exchange::{Exchange, Received, Sent, TRANSPORT_HEADERS};
use crate::implementation::profile::{Address, Interface};
use crate::impostor::{Options, Spoil};
use crate::invariants;
use crate::invariants::route::{Credential, Route};
use crate::invariants::tally::{Class, Sample};
use crate::json::{key_of, pointer_to};
use crate::oracle::etag;
use crate::runner::outcome::Verdict;
use crate::runner::run::Plan;
use libros_conformance_model::message::{Reply, Request};

/// How an answer is spoiled; a member by its JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Header(Edit, String),
    Member(Edit, String),
    Status(u16),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Edit {
    Drop,
    Retype,
    Alter,
    /// Adds a member to an object.
    Extend,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(Edit::Drop, place) | Self::Member(Edit::Drop, place) => write!(f, "without {place}"),
            Self::Member(Edit::Retype, place) => write!(f, "{place} of another type"),
            Self::Member(Edit::Extend, place) if place.is_empty() => f.write_str("a member more in the body"),
            Self::Member(Edit::Extend, place) => write!(f, "a member more in {place}"),
            Self::Header(_, place) | Self::Member(_, place) => write!(f, "another {place}"),
            Self::Status(status) => write!(f, "status {status}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spoiling {
    pub class: Class,
    /// The members of the body, which are its shape.
    pub shape: Vec<String>,
    pub change: Change,
}

impl fmt::Display for Spoiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (route, status, credential) = self.class;
        let credential = credential.map_or("open", Credential::word);
        write!(f, "{status} of {route} ({credential}) {}: {}", self.shape.join(","), self.change)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noticed {
    ByRule(&'static str),
    ByCase(String),
    Permitted(&'static str),
    Not,
}

/// The reason for a change that is permitted without an open rule: any value would fit.
const ANY_VALUE: &str = "no sentence names it";

pub fn judge_spoilings(jobs: usize, inputs: u32) -> Result<Vec<(Spoiling, Noticed)>, String> {
    // One answer of each class and shape that a run on the clean impostor meets.
    let plan = Plan { keeps_samples: true, ..Plan::exclusive() };
    let samples = judge_by(Options::default(), &selftest_cases(), 1, inputs, &plan)?.samples;
    let mut judged = Vec::new();
    let mut unnoticed = Vec::new();
    // Skips classes of unknown credentials: the documents leave their answers open.
    for ((class, shape), sample) in samples.iter().filter(|((class, _), _)| class.2.is_some()) {
        for change in changes(&sample.exchange) {
            let spoiling = Spoiling { class: *class, shape: shape.clone(), change };
            if let Some(permitted) = permitted(&spoiling) {
                if permitted != ANY_VALUE && Contract::built_in().rule(permitted).is_none() {
                    return Err(format!("`{permitted}`, which permits {spoiling}, is not a rule"));
                }
                judged.push((spoiling, Noticed::Permitted(permitted)));
                continue;
            }
            match broken_invariant(&spoiling, &sample.exchange) {
                Some(rule) => judged.push((spoiling, Noticed::ByRule(rule))),
                None => unnoticed.push((spoiling, sample)),
            }
        }
    }
    let tried = in_parallel(unnoticed, jobs, |(spoiling, sample)| {
        noticed_live(&spoiling, sample, inputs).map(|noticed| (spoiling, noticed))
    });
    judged.extend(tried.into_iter().collect::<Result<Vec<_>, String>>()?);
    judged.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(judged)
}

/// Whether any value is permitted in the spoiled place: groups of a 401, some types of bodies, an identifier, one boolean of a login.
fn is_unsaid(spoiling: &Spoiling) -> bool {
    let (route, status, _) = spoiling.class;
    let is_untyped =
        matches!(route, Route::Graphql | Route::Reduced | Route::SignUp | Route::ListEntries | Route::ReducedElsewhere);
    match &spoiling.change {
        Change::Header(_, name) => match name.to_ascii_lowercase().as_str() {
            "content-type" => is_untyped || status == 204,
            name => status == 401 && name != "www-authenticate",
        },
        Change::Member(Edit::Alter, place) => {
            route == Route::SignUp && place == "/id" || place.ends_with("/trustedDeviceEnabled")
        }
        Change::Member(Edit::Extend, _) => matches!(route, Route::SignUp | Route::ListEntries),
        _ => false,
    }
}

/// The rule that leaves the spoiled value free, or [`ANY_VALUE`].
fn permitted(spoiling: &Spoiling) -> Option<&'static str> {
    if is_unsaid(spoiling) {
        return Some(ANY_VALUE);
    }
    let (route, status, _) = spoiling.class;
    match &spoiling.change {
        Change::Header(Edit::Alter, name) if name.eq_ignore_ascii_case("X-API-Build") => Some("headers/api-build"),
        Change::Header(Edit::Alter, name) if name.eq_ignore_ascii_case("WWW-Authenticate") => Some("errors/401-realm"),
        Change::Header(edit, name) => {
            let may_differ = name.ends_with("Allow-Headers") || *edit == Edit::Alter && name.ends_with("Allow-Origin");
            (route == Route::ReducedPreflight && may_differ).then_some("graphql-reduced/options-cors")
        }
        Change::Member(Edit::Alter, place) if place == "/tokens/jwtToken" => Some("tokens/final-placeholder"),
        Change::Status(400) if route == Route::TwoFactorElsewhere => Some("two-factor/unknown-path-credential"),
        Change::Member(Edit::Alter, place) => {
            let name = place.rsplit('/').next().unwrap_or_default();
            let is_text = matches!(name, "mensaje" | "advertencia") || name == "error" && status != 401;
            is_text.then_some("errors/wording")
        }
        Change::Member(Edit::Extend, _) => (route == Route::Graphql).then_some("graphql/extra-keys"),
        _ => None,
    }
}

fn changes(exchange: &Exchange) -> Vec<Change> {
    let Ok(received) = &exchange.received else { return Vec::new() };
    let mut changes = Vec::new();
    for (name, _) in &received.headers {
        if !TRANSPORT_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
            changes.extend([Edit::Drop, Edit::Alter].map(|edit| Change::Header(edit, name.clone())));
        }
    }
    if let Some(body) = received.json() {
        member_changes(body, "", &mut changes);
    }
    let neighbour = match received.status {
        200 => 201,
        201 | 204 | 304 => 200,
        400 => 422,
        401 => 403,
        404 => 400,
        _ => 404,
    };
    changes.push(Change::Status(neighbour));
    changes
}

/// Changes of a body and all its members; of a list only the first item.
fn member_changes(value: &Value, place: &str, changes: &mut Vec<Change>) {
    const DEPTH_MAX: usize = 4;
    if !place.is_empty() {
        changes.extend([Edit::Retype, Edit::Alter].map(|edit| Change::Member(edit, place.to_owned())));
    }
    if place.matches('/').count() >= DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(members) => {
            changes.push(Change::Member(Edit::Extend, place.to_owned()));
            for (name, member) in members {
                let place = pointer_to(place, name);
                changes.push(Change::Member(Edit::Drop, place.clone()));
                member_changes(member, &place, changes);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                member_changes(first, &pointer_to(place, "0"), changes);
            }
        }
        _ => {}
    }
}

/// Changes an answer. A spoiled body comes with its own tag: another tag is another spoiling.
fn spoil(change: &Change, reply: &mut Reply) {
    match change {
        Change::Header(Edit::Drop, name) => reply.remove(name),
        Change::Header(_, name) => {
            for (_, value) in reply.headers.iter_mut().filter(|(given, _)| given.eq_ignore_ascii_case(name)) {
                *value = altered_text(value);
            }
        }
        Change::Status(status) => reply.status = *status,
        Change::Member(edit, place) => {
            let Ok(mut body) = serde_json::from_slice::<Value>(&reply.body) else { return };
            spoil_member(*edit, place, &mut body);
            if reply.has("etag") {
                reply.set("ETag", &etag::of_text(&body.get("datos").unwrap_or(&body).to_string()));
            }
            reply.body = body.to_string().into_bytes();
        }
    }
}

fn spoil_member(edit: Edit, place: &str, body: &mut Value) {
    if edit == Edit::Drop {
        let (parent, name) = place.rsplit_once('/').unwrap_or(("", place));
        if let Some(Value::Object(members)) = body.pointer_mut(parent) {
            members.shift_remove(&key_of(name));
        }
        return;
    }
    let Some(value) = body.pointer_mut(place) else { return };
    match (edit, &mut *value) {
        (Edit::Retype, Value::String(_)) => *value = 7.into(),
        (Edit::Retype, Value::Object(_)) => *value = Value::Array(Vec::new()),
        (Edit::Retype, _) => *value = "x".into(),
        (Edit::Extend, Value::Object(members)) => _ = members.insert("extra".to_owned(), "x".into()),
        (Edit::Alter, _) => alter(value),
        _ => {}
    }
}

fn alter(value: &mut Value) {
    match value {
        Value::String(text) => *text = altered_text(text),
        Value::Number(number) => *value = (number.as_i64().unwrap_or_default() + 1).into(),
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *value = Value::Bool(false),
        Value::Array(items) => {
            items.pop();
        }
        Value::Object(members) => {
            if let Some(last) = members.keys().next_back().cloned() {
                members.shift_remove(&last);
            }
        }
    }
}

/// Another text of the same form: its last digit or letter becomes the next one; a `9`, `f` or `z` the one before.
fn altered_text(text: &str) -> String {
    match text.char_indices().rev().find(|(_, c)| c.is_ascii_alphanumeric()) {
        Some((at, c)) => {
            let byte = text.as_bytes()[at];
            let other = char::from(if "9zZfF".contains(c) { byte - 1 } else { byte + 1 });
            format!("{}{other}{}", &text[..at], &text[at + 1..])
        }
        None => format!("{text}x"),
    }
}

fn broken_invariant(spoiling: &Spoiling, exchange: &Exchange) -> Option<&'static str> {
    let received = exchange.received.as_ref().ok()?;
    let text = |value: &Vec<u8>| String::from_utf8_lossy(value).into_owned();
    let mut reply = Reply::bare(received.status);
    reply.headers = received.headers.iter().map(|(name, value)| (name.clone(), text(value))).collect();
    reply.body.clone_from(&received.body);
    spoil(&spoiling.change, &mut reply);
    if reply.body.len() != received.body.len() && reply.has("content-length") {
        reply.set("Content-Length", &reply.body.len().to_string());
    }
    let headers = reply.headers.into_iter().map(|(name, value)| (name, value.into_bytes())).collect();
    let mut spoiled = exchange.clone();
    spoiled.received = Ok(Arc::new(Received::new(reply.status, headers, reply.body, received.is_chunked)));
    let (_, violations) = invariants::judge(&spoiled)?;
    violations.first().map(|violation| violation.rule)
}

/// What fails on an impostor whose answers of the class are spoiled: an invariant, or a case that met the class.
fn noticed_live(spoiling: &Spoiling, sample: &Sample, inputs: u32) -> Result<Noticed, String> {
    let met = |case: &&Case| sample.cases.contains(&case.id());
    let cases: Vec<&Case> = selftest_cases().into_iter().filter(met).collect();
    let options = Options { spoil: Some(live(spoiling.clone())), ..Options::default() };
    let outcome = judge_by(options, &cases, 1, inputs, &Plan { failures_max: Some(1), ..Plan::exclusive() })?;
    if let Some(failed) = outcome.cases.into_iter().find(|case| case.verdict == Verdict::Fail) {
        return Ok(Noticed::ByCase(failed.id));
    }
    // Only cases that met the class run here; in a whole run a case of another class may judge the rule.
    let broken = outcome.answers.values().find_map(|seen| seen.broken.first());
    Ok(broken.map_or(Noticed::Not, |rule| Noticed::ByRule(rule)))
}

fn live(spoiling: Spoiling) -> Spoil {
    Spoil(Arc::new(move |key: &str, request: &Request, reply: &mut Reply| {
        let Some(interface) = Interface::of_key(key) else { return };
        let (route, status, credential) = spoiling.class;
        let path =
            if request.query.is_empty() { request.path.clone() } else { format!("{}?{}", request.path, request.query) };
        let interface = match route {
            Route::SignUp => Interface::Registration,
            Route::ListEntries => Interface::Blog,
            _ => interface,
        };
        let prefix = if matches!(interface, Interface::Graphql | Interface::GraphqlReduced) { "/graphql" } else { "" };
        let address =
            Address { is_secure: false, authority: String::new(), prefix: prefix.to_owned(), headers: Vec::new() };
        let method = request.method.clone();
        let headers = request.headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect();
        let sent = Sent { method, address, interface: Some(interface), path, headers, body: None };
        let is_of_class = reply.status == status
            && Route::of(&sent) == Some(route)
            && (!route.is_protected() || Credential::of(&sent) == credential)
            && invariants::tally::members(route, serde_json::from_slice(&reply.body).ok().as_ref()) == spoiling.shape;
        if is_of_class {
            spoil(&spoiling.change, reply);
        }
    }))
}
