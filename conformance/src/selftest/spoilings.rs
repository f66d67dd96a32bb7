//! Spoils one documented thing in one class of answers at a time. The invariants must fail the spoiled answer, which was recorded before;
//! else a case must fail on an impostor that answers so.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::judging::{judge_by_plan, session};
use super::{all, in_parallel};
use crate::case::Case;
use crate::contract::rule::Contract;
use crate::http::exchange::{Exchange, Received, Sent};
use crate::implementation::profile::{Address, Interface};
use crate::impostor::{Impostor, Options, Spoil};
use crate::invariants;
use crate::invariants::route::{Credential, Route};
use crate::invariants::tally::{Class, Sample};
use crate::runner::event::NullListener;
use crate::runner::run::{Plan, run};
use crate::runner::verdict::Verdict;

/// How an answer is spoiled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    DropHeader(String),
    AlterHeader(String),
    DropMember(String),
    Retype(String),
    Alter(String),
    AddMember(String),
    Status(u16),
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DropHeader(name) => write!(f, "without {name}"),
            Self::AlterHeader(name) => write!(f, "another {name}"),
            Self::DropMember(place) => write!(f, "without {place}"),
            Self::Retype(place) => write!(f, "{place} of another type"),
            Self::Alter(place) => write!(f, "another {place}"),
            Self::AddMember(place) => {
                write!(f, "a member more in {}", if place.is_empty() { "the body" } else { place })
            }
            Self::Status(status) => write!(f, "status {status}"),
        }
    }
}

/// One change of the answers of one class and shape.
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

/// What failed a spoiling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noticed {
    ByRule(&'static str),
    ByCase(String),
    Permitted(&'static str),
    Not,
}

/// Headers that the transport adds, or that frame the body.
const OF_TRANSPORT: [&str; 5] = ["date", "connection", "keep-alive", "transfer-encoding", "content-length"];

/// Why something may differ of which no open rule speaks, since any answer would fit.
const UNSAID: &str = "no sentence names it";

pub fn judge_spoilings(jobs: usize, inputs: u32) -> Result<Vec<(Spoiling, Noticed)>, String> {
    let samples = samples(inputs)?;
    let mut judged = Vec::new();
    let mut unnoticed = Vec::new();
    // What a request asks in a way that the documents leave open is answered in a way that they leave open.
    for ((class, shape), sample) in samples.iter().filter(|((class, _), _)| class.2.is_some()) {
        for change in changes(&sample.exchange) {
            let spoiling = Spoiling { class: *class, shape: shape.clone(), change };
            if let Some(permitted) = permitted(&spoiling) {
                if permitted != UNSAID && Contract::built_in().rule(permitted).is_none() {
                    return Err(format!("`{permitted}`, which permits {spoiling}, is no rule"));
                }
                judged.push((spoiling, Noticed::Permitted(permitted)));
                continue;
            }
            match noticed_at_once(&spoiling, &sample.exchange) {
                Some(rule) => judged.push((spoiling, Noticed::ByRule(rule))),
                None => unnoticed.push((spoiling, sample)),
            }
        }
    }
    let tried = in_parallel(unnoticed, jobs, |(spoiling, sample)| {
        let noticed = noticed_live(&spoiling, sample, inputs)?;
        Ok((spoiling, noticed))
    });
    judged.extend(tried.into_iter().collect::<Result<Vec<_>, String>>()?);
    judged.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(judged)
}

/// One answer of each class and shape that a run on the clean impostor meets.
fn samples(inputs: u32) -> Result<BTreeMap<(Class, Vec<String>), Sample>, String> {
    let impostor =
        Impostor::start(Options::default()).map_err(|error| format!("cannot start the impostor: {error}"))?;
    let session = session(&impostor.urls(), 1, inputs)?;
    let plan = Plan { keeps_samples: true, ..Plan::default() };
    let outcome = run(&session, &all(), &plan, &NullListener, &std::sync::atomic::AtomicBool::new(false));
    Ok(outcome.samples)
}

/// Whether any value fits in the spoiled place: groups of a 401, some types of bodies, an identifier, one boolean of a login.
fn is_unsaid(spoiling: &Spoiling) -> bool {
    let (route, status, _) = spoiling.class;
    let demo =
        matches!(route, Route::Graphql | Route::Reduced | Route::SignUp | Route::ListEntries | Route::ReducedElsewhere);
    match &spoiling.change {
        Change::DropHeader(name) | Change::AlterHeader(name) => match name.to_ascii_lowercase().as_str() {
            "content-type" => demo || status == 204,
            name => status == 401 && name != "www-authenticate",
        },
        Change::Alter(place) => route == Route::SignUp && place == "/id" || place.ends_with("/trustedDeviceEnabled"),
        _ => false,
    }
}

/// The open rule that permits the spoiled answer, or the reason why it may differ.
fn permitted(spoiling: &Spoiling) -> Option<&'static str> {
    let (route, status, _) = spoiling.class;
    let is_altered = matches!(spoiling.change, Change::AlterHeader(_));
    match &spoiling.change {
        _ if is_unsaid(spoiling) => Some(UNSAID),
        Change::AlterHeader(name) if name.eq_ignore_ascii_case("X-API-Build") => Some("headers/api-build"),
        Change::AlterHeader(name) if name.eq_ignore_ascii_case("WWW-Authenticate") => Some("errors/401-realm"),
        Change::DropHeader(name) | Change::AlterHeader(name) => {
            let may = name.ends_with("Allow-Headers") || is_altered && name.ends_with("Allow-Origin");
            (route == Route::ReducedPreflight && may).then_some("graphql-reduced/options-cors")
        }
        Change::Alter(place) if place == "/tokens/jwtToken" => Some("tokens/final-placeholder"),
        Change::Status(400) if route == Route::TwoFactorElsewhere => Some("two-factor/unknown-path-credential"),
        Change::Alter(place) => {
            let name = place.rsplit('/').next().unwrap_or_default();
            let is_text = matches!(name, "mensaje" | "advertencia") || name == "error" && status != 401;
            is_text.then_some("errors/wording")
        }
        Change::AddMember(_) if matches!(route, Route::SignUp | Route::Graphql | Route::ListEntries) => {
            Some("graphql/extra-keys")
        }
        _ => None,
    }
}

fn changes(exchange: &Exchange) -> Vec<Change> {
    let Ok(received) = &exchange.received else { return Vec::new() };
    let mut changes = Vec::new();
    for (name, _) in &received.headers {
        if !OF_TRANSPORT.contains(&name.to_ascii_lowercase().as_str()) {
            changes.extend([Change::DropHeader(name.clone()), Change::AlterHeader(name.clone())]);
        }
    }
    if let Some(body) = received.json() {
        member_changes(body, "", &mut changes);
    }
    let neighbour = match received.status {
        200 => 201,
        201 | 204 => 200,
        304 => 200,
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
        changes.extend([Change::Retype(place.to_owned()), Change::Alter(place.to_owned())]);
    }
    if place.matches('/').count() >= DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(members) => {
            changes.push(Change::AddMember(place.to_owned()));
            for (name, member) in members {
                let place = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
                changes.push(Change::DropMember(place.clone()));
                member_changes(member, &place, changes);
            }
        }
        Value::Array(items) => {
            if let Some(first) = items.first() {
                member_changes(first, &format!("{place}/0"), changes);
            }
        }
        _ => {}
    }
}

/// Status, headers and body of an answer, changed.
fn spoil(change: &Change, status: &mut u16, headers: &mut Vec<(String, String)>, body: &mut Vec<u8>) {
    match change {
        Change::DropHeader(name) => headers.retain(|(given, _)| !given.eq_ignore_ascii_case(name)),
        Change::AlterHeader(name) => {
            for (_, value) in headers.iter_mut().filter(|(given, _)| given.eq_ignore_ascii_case(name)) {
                *value = altered_text(value);
            }
        }
        Change::Status(other) => *status = *other,
        Change::DropMember(_) | Change::Retype(_) | Change::Alter(_) | Change::AddMember(_) => {
            let Ok(mut value) = serde_json::from_slice::<Value>(body) else { return };
            spoil_member(change, &mut value);
            *body = value.to_string().into_bytes();
        }
    }
}

fn spoil_member(change: &Change, body: &mut Value) {
    match change {
        Change::DropMember(place) => {
            let (parent, name) = place.rsplit_once('/').unwrap_or(("", place));
            if let Some(Value::Object(members)) = body.pointer_mut(parent) {
                members.shift_remove(&name.replace("~1", "/").replace("~0", "~"));
            }
        }
        Change::Retype(place) => {
            if let Some(value) = body.pointer_mut(place) {
                *value = match &*value {
                    Value::String(_) => 7.into(),
                    Value::Array(_) => Value::String("x".into()),
                    Value::Object(_) => Value::Array(Vec::new()),
                    _ => Value::String("x".into()),
                };
            }
        }
        Change::Alter(place) => {
            if let Some(value) = body.pointer_mut(place) {
                alter(value);
            }
        }
        Change::AddMember(place) => {
            if let Some(Value::Object(members)) = body.pointer_mut(place) {
                members.insert("extra".to_owned(), Value::String("x".into()));
            }
        }
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
            let last = members.keys().next_back().cloned();
            if let Some(last) = last {
                members.shift_remove(&last);
            }
        }
    }
}

/// Another text of the same form: its last digit, or letter, is the next one.
fn altered_text(text: &str) -> String {
    match text.char_indices().rev().find(|(_, c)| c.is_ascii_alphanumeric()) {
        Some((at, c)) => {
            let next = match c {
                '9' => '8',
                'z' => 'y',
                'Z' => 'Y',
                'f' => 'e',
                'F' => 'E',
                other => char::from(u8::try_from(u32::from(other) + 1).unwrap_or(b'0')),
            };
            format!("{}{next}{}", &text[..at], &text[at + 1..])
        }
        None => format!("{text}x"),
    }
}

fn noticed_at_once(spoiling: &Spoiling, exchange: &Exchange) -> Option<&'static str> {
    let received = exchange.received.as_ref().ok()?;
    let mut headers: Vec<(String, String)> = received
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), String::from_utf8_lossy(value).into_owned()))
        .collect();
    let (mut status, mut body) = (received.status, received.body.clone());
    spoil(&spoiling.change, &mut status, &mut headers, &mut body);
    if body.len() != received.body.len() {
        let length = body.len().to_string();
        headers
            .iter_mut()
            .filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .for_each(|(_, value)| value.clone_from(&length));
    }
    retag(&spoiling.change, &mut headers, &body);
    let headers = headers.into_iter().map(|(name, value)| (name, value.into_bytes())).collect();
    let mut spoiled = exchange.clone();
    spoiled.received = Ok(Arc::new(Received::new(status, headers, body, received.is_chunked)));
    let (_, violations) = invariants::judge(&spoiled)?;
    violations.first().map(|violation| violation.rule)
}

/// A spoiled body comes with its own tag: another tag is another spoiling.
fn retag(change: &Change, headers: &mut [(String, String)], body: &[u8]) {
    if !matches!(change, Change::DropMember(_) | Change::Retype(_) | Change::Alter(_) | Change::AddMember(_)) {
        return;
    }
    let Some((_, tag)) = headers.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case("etag")) else { return };
    let Ok(body) = serde_json::from_slice::<Value>(body) else { return };
    let data = body.get("datos").unwrap_or(&body).to_string();
    *tag = crate::oracle::etag::of_text(&data);
}

/// What fails on an impostor whose answers of the class are spoiled: an invariant, or a case that met the class.
fn noticed_live(spoiling: &Spoiling, sample: &Sample, inputs: u32) -> Result<Noticed, String> {
    let met = |case: &&&Case| sample.cases.contains(&case.id());
    let cases: Vec<&Case> = all().iter().filter(met).copied().collect();
    let plan = Plan::default();
    let options = Options { spoil: Some(live(spoiling.clone())), ..Options::default() };
    let outcome = judge_by_plan(options, &cases, 1, inputs, &plan)?;
    // A rule that no case of the class judges fails nothing here, and a case of another class in a whole run.
    let broken = outcome.answers.values().find_map(|seen| seen.broken.first());
    let failed = outcome.cases.into_iter().find(|case| case.verdict == Verdict::Fail);
    Ok(match (failed, broken) {
        (_, Some(rule)) => Noticed::ByRule(rule),
        (Some(case), None) => Noticed::ByCase(case.id),
        (None, None) => Noticed::Not,
    })
}

/// Spoils the answers of the class as they leave the impostor.
fn live(spoiling: Spoiling) -> Spoil {
    Spoil::by(move |key, request, reply| {
        let Some(interface) = Interface::ALL.into_iter().find(|interface| interface.key() == key) else { return };
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
        let headers = request.headers.iter().map(|(name, value)| (name.clone(), value.clone().into_bytes())).collect();
        let sent =
            Sent { method: request.method.clone(), address, interface: Some(interface), path, headers, body: None };
        let is_of_it = reply.status == status
            && Route::of(&sent) == Some(route)
            && (!route.is_protected() || Credential::of(&sent) == credential)
            && invariants::tally::members(route, serde_json::from_slice(&reply.body).ok().as_ref()) == spoiling.shape;
        if is_of_it {
            spoil(&spoiling.change, &mut reply.status, &mut reply.headers, &mut reply.body);
            retag(&spoiling.change, &mut reply.headers, &reply.body);
        }
    })
}
