//! The impostor's model as the oracle of histories: its replies, and when its sessions, tokens, logins and trust end.
//!
//! Where a rule leaves a step open, every accepted reading is followed, each with a state of its own. Sends nothing.

use std::cell::RefCell;
use std::collections::BTreeMap;

use libros_conformance_model::message::{self, Request};
use libros_conformance_model::records::{Device, User};
pub(crate) use libros_conformance_model::refusals::{
    BLOCKED, INVALID_CODE, NOT_CONFIGURED, NOT_ENABLED, USER_LACKS_PERMISSION, WRONG_PASSWORD,
};
use libros_conformance_model::state::State;
use serde_json::Value;

use super::memory::Memory;
use super::step::{End, StepRequest};
use crate::clock;
use crate::fixture::time::{HOUR_MS, MINUTE_MS};
use crate::http::exchange::Received;
use crate::implementation::profile::Interface;
use crate::impostor::faults::Faults;
use crate::impostor::world::World;
use crate::oracle::jwt;

const TRUST_MS: i64 = 30 * 24 * HOUR_MS;

/// A choice that the documents leave to implementations.
pub(super) enum OpenChoice {
    Reading(&'static str),
    /// A change of the state after a reply of 200: the impostor has no such reading.
    StateChange(fn(&mut State, &StepRequest, i64)),
}

/// The open choices of a history, by the route they affect. An implementation takes each always or never.
pub(super) const OPEN_CHOICES: [(&str, &str, OpenChoice); 9] = [
    ("POST", "/auth/verify-2fa", OpenChoice::Reading("refused-checks-prolong-the-block")),
    ("POST", "/auth/verify-2fa", OpenChoice::Reading("failures-counted-at-every-check")),
    ("POST", "/auth/login", OpenChoice::Reading("trusted-login-refreshes-device")),
    ("POST", "/auth/login", OpenChoice::StateChange(refresh_where_enabled)),
    ("POST", "/2fa/disable", OpenChoice::Reading("disable-removes-devices")),
    ("POST", "/2fa/disable", OpenChoice::StateChange(|state, _, _| state.attempts.clear())),
    ("POST", "/2fa/enable", OpenChoice::StateChange(|state, _, _| state.devices.clear())),
    ("POST", "/2fa/enable", OpenChoice::StateChange(|state, _, _| state.attempts.clear())),
    ("GET", "/2fa/trusted-devices", OpenChoice::Reading("expired-devices-dropped")),
];

/// A login that skipped the second factor counts as a use of the device; one that needs none does not.
fn refresh_where_enabled(state: &mut State, request: &StepRequest, now_ms: i64) {
    let email = request.field("email");
    let is_enabled =
        |user: &User| email == *user.email && user.two_factor.as_ref().is_some_and(|record| record.enabled);
    let agent = request.value_of("User-Agent").unwrap_or_default();
    if state.users.iter().any(is_enabled) {
        let used = |device: &&mut Device| device.user_agent == agent && now_ms <= device.last_used + TRUST_MS;
        state.devices.iter_mut().filter(used).for_each(|device| device.last_used = now_ms);
    }
}

/// The model: a world for each set of readings asked for so far.
#[derive(Default)]
pub(super) struct Model {
    worlds: RefCell<BTreeMap<u32, (World, Faults)>>,
}

/// The model of a service that has these books, and is only read.
pub struct Stocked {
    model: Model,
    state: RefCell<State>,
}

impl Stocked {
    pub fn new(books: Vec<Value>) -> Self {
        let model = Model::default();
        let state = RefCell::new(State { books, ..model.initial() });
        Self { model, state }
    }

    pub fn reply(&self, request: &StepRequest) -> Received {
        self.model.reply(0, &mut self.state.borrow_mut(), request, clock::unix_ms())
    }
}

/// A state of the model that explains every reply so far, under some choice of readings.
#[derive(Debug, Clone)]
pub(super) struct Branch {
    pub(super) state: State,
    pub(super) memory: Memory,
    /// Bits by their index in [`OPEN_CHOICES`]: the choices taken, and those that a reply has shown to be taken or not.
    taken: u32,
    decided: u32,
}

impl Model {
    fn initial(&self) -> State {
        self.with_world(0, |world, _| world.lock().model.clone())
    }

    fn with_world<T>(&self, taken: u32, act: impl FnOnce(&World, &Faults) -> T) -> T {
        let mut worlds = self.worlds.borrow_mut();
        let (world, readings) = worlds.entry(taken).or_insert_with(|| {
            let ids = OPEN_CHOICES.iter().enumerate().filter_map(|(at, (_, _, choice))| match choice {
                OpenChoice::Reading(id) if taken & (1 << at) != 0 => Some(*id),
                _ => None,
            });
            let readings = Faults::none().reading(&ids.collect::<Vec<_>>());
            // The other worlds only answer from the state of a branch.
            let start = if taken == 0 { readings.start() } else { State::default() };
            (World::new(start), readings)
        });
        act(world, readings)
    }

    /// The reply to a request at that time, with the open choices in `taken`.
    fn reply(&self, taken: u32, state: &mut State, request: &StepRequest, now_ms: i64) -> Received {
        let reply = self.with_world(taken, |world, readings| {
            std::mem::swap(&mut world.lock().model, state);
            let request = readings.misread(&to_model(request, now_ms));
            let mut reply = readings.answer(world, &request, false);
            readings.finish(&request, &mut reply);
            std::mem::swap(&mut world.lock().model, state);
            reply
        });
        let bytes = |text: String| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        let headers = reply.headers.into_iter().map(|(name, value)| (name, bytes(value))).collect();
        Received::new(reply.status, headers, reply.body, false)
    }

    /// When a session, token, login or trust ends, in milliseconds since 1970; `back` counts from the latest.
    pub(super) fn end(&self, branch: &Branch, end: End, back: usize, now_ms: i64) -> Option<i64> {
        let Branch { state, memory, .. } = branch;
        let failures = || state.attempts.iter().filter(|attempt| !attempt.good).map(|attempt| attempt.at);
        match end {
            End::Session => {
                let token = memory.given("session", back)?;
                state.sessions.iter().find(|session| session.token == token).map(|session| session.expires)
            }
            End::Jwt => Some(jwt::json_of_segment(memory.given("jwt", back)?, 1)?["exp"].as_i64()? * 1_000),
            End::PendingLogin => {
                let id = memory.given("pending", back)?;
                state.pending.iter().find(|pending| pending.id == id).map(|pending| pending.since + 10 * MINUTE_MS)
            }
            End::Block => failures().next_back().map(|at| at + 15 * MINUTE_MS),
            End::Failure => failures().map(|at| at + 60 * MINUTE_MS).find(|end| *end > now_ms),
            End::Trust => state.devices.get(back % state.devices.len().max(1)).map(|it| it.last_used + TRUST_MS),
        }
    }
}

/// A branch after a request, and the reply.
type Replied = (Branch, Received);

impl Branch {
    pub(super) fn new(model: &Model, drops_pending: bool) -> Self {
        Self { state: model.initial(), memory: Memory::new(drops_pending), taken: 0, decided: 0 }
    }

    #[cfg(test)]
    pub(super) fn taking(self, taken: u32) -> Self {
        Self { taken, ..self }
    }

    /// The reply that the model would give at that time; changes nothing.
    pub(super) fn foreseen(&self, model: &Model, request: &StepRequest, now_ms: i64) -> Received {
        model.reply(self.taken, &mut self.state.clone(), request, now_ms)
    }

    /// The branches after a request; if it `forks`, one more for each undecided choice that has an effect.
    pub(super) fn after(&self, model: &Model, request: &StepRequest, now_ms: i64, forks: bool) -> Vec<Replied> {
        let mut branches = vec![self.choosing(self.taken, model, request, now_ms)];
        let is_affected = |(method, path, _): &(&str, &str, _)| forks && request.is(method, path);
        for (at, _) in OPEN_CHOICES.iter().enumerate().filter(|(_, choice)| is_affected(choice)) {
            let bit = 1 << at;
            let undecided: Vec<usize> =
                (0..branches.len()).filter(|index| branches[*index].0.decided & bit == 0).collect();
            for index in undecided {
                let mut other = self.choosing(branches[index].0.taken | bit, model, request, now_ms);
                if effect(&branches[index]) != effect(&other) {
                    branches[index].0.decided |= bit;
                    other.0.decided = branches[index].0.decided;
                    branches.push(other);
                }
            }
        }
        branches
    }

    fn choosing(&self, taken: u32, model: &Model, request: &StepRequest, now_ms: i64) -> Replied {
        let mut branch = Self { taken, ..self.clone() };
        let reply = model.reply(taken, &mut branch.state, request, now_ms);
        for (at, (method, path, choice)) in OPEN_CHOICES.iter().enumerate() {
            if let OpenChoice::StateChange(change) = choice
                && taken & (1 << at) != 0
                && reply.status == 200
                && request.is(method, path)
            {
                change(&mut branch.state, request, now_ms);
            }
        }
        (branch, reply)
    }
}

/// The effect of a reading: the reply without its texts, and the state that later replies depend on.
fn effect((Branch { state, .. }, reply): &Replied) -> (u16, Value, usize, Vec<i64>, Vec<u32>) {
    let devices = state.devices.iter().map(|device| device.last_used).collect();
    let failures = state.pending.iter().map(|pending| pending.failures).collect();
    (reply.status, without_texts(reply), state.attempts.len(), devices, failures)
}

/// The body with empty strings: tokens and times differ from reply to reply.
pub(super) fn without_texts(reply: &Received) -> Value {
    fn emptied(value: &Value) -> Value {
        match value {
            Value::String(_) => Value::from(""),
            Value::Array(items) => items.iter().map(emptied).collect(),
            Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), emptied(value))).collect(),
            other => other.clone(),
        }
    }
    reply.json().map(emptied).unwrap_or_default()
}

fn to_model(request: &StepRequest, now_ms: i64) -> Request {
    let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
    // As a reader of HTTP sees a value: without the spaces around it.
    let latin1 = |text: &str| text.trim_matches([' ', '\t']).bytes().map(char::from).collect::<String>();
    let is_sent = |(name, value): &&(String, String)| !(value.is_empty() && name == "User-Agent");
    let interface = match request.interface {
        Interface::Catalogue => message::Interface::Catalogue,
        Interface::Graphql => message::Interface::Graphql,
        Interface::GraphqlReduced => message::Interface::GraphqlReduced,
        Interface::Users | Interface::Registration | Interface::Blog => message::Interface::Users,
    };
    Request {
        query: query.to_owned(),
        headers: request.headers.iter().filter(is_sent).map(|(name, value)| (name.clone(), latin1(value))).collect(),
        body: request.body.clone().unwrap_or_default().into_bytes(),
        now: now_ms,
        ..Request::new(interface, request.method, path)
    }
}
