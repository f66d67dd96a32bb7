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
use super::step::{Ask, End};
use crate::clock;
use crate::http::exchange::Received;
use crate::implementation::profile::Interface;
use crate::impostor::faults::Faults;
use crate::impostor::world::World;
use crate::oracle::jwt;

const MINUTE_MS: i64 = 60_000;
const TRUST_MS: i64 = 30 * 24 * 60 * MINUTE_MS;

/// A choice that the documents leave to implementations.
pub(super) enum Otherwise {
    Reading(&'static str),
    /// A change of the state after a reply of 200, where the impostor has no such reading.
    Besides(fn(&mut State, &Ask, i64)),
}

/// The open choices of a history, by the route they affect. An implementation takes each always or never.
pub(super) const OPEN: [(&str, &str, Otherwise); 9] = [
    ("POST", "/auth/verify-2fa", Otherwise::Reading("refused-checks-prolong-the-block")),
    ("POST", "/auth/verify-2fa", Otherwise::Reading("failures-counted-at-every-check")),
    ("POST", "/auth/login", Otherwise::Reading("trusted-login-refreshes-device")),
    ("POST", "/auth/login", Otherwise::Besides(refresh_where_enabled)),
    ("POST", "/2fa/disable", Otherwise::Reading("disable-removes-devices")),
    ("POST", "/2fa/disable", Otherwise::Besides(|state, _, _| state.attempts.clear())),
    ("POST", "/2fa/enable", Otherwise::Besides(|state, _, _| state.devices.clear())),
    ("POST", "/2fa/enable", Otherwise::Besides(|state, _, _| state.attempts.clear())),
    ("GET", "/2fa/trusted-devices", Otherwise::Reading("expired-devices-dropped")),
];

/// A login that skipped the second factor counts as a use of the device; one that needs none does not.
fn refresh_where_enabled(state: &mut State, ask: &Ask, now_ms: i64) {
    let email = ask.field("email");
    let is_enabled =
        |user: &User| email == *user.email && user.two_factor.as_ref().is_some_and(|record| record.enabled);
    let agent = ask.value_of("User-Agent").unwrap_or_default();
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
    /// The initial state but for the books.
    pub fn new(books: Vec<Value>) -> Self {
        let model = Model::default();
        let state = RefCell::new(State { books, ..model.initial() });
        Self { model, state }
    }

    pub fn reply(&self, ask: &Ask) -> Received {
        self.model.reply(0, &mut self.state.borrow_mut(), ask, clock::unix_ms())
    }
}

/// A state of the model that explains every reply so far, under some choice of readings.
#[derive(Debug, Clone)]
pub(super) struct Course {
    pub(super) state: State,
    pub(super) memory: Memory,
    /// Choices taken otherwise, and choices decided: bits by their index in [`OPEN`].
    otherwise: u32,
    decided: u32,
}

impl Model {
    fn initial(&self) -> State {
        self.with_world(0, |world, _| world.lock().state.clone())
    }

    fn with_world<T>(&self, otherwise: u32, act: impl FnOnce(&World, &Faults) -> T) -> T {
        let mut worlds = self.worlds.borrow_mut();
        let (world, readings) = worlds.entry(otherwise).or_insert_with(|| {
            let ids = OPEN.iter().enumerate().filter_map(|(at, (_, _, change))| match change {
                Otherwise::Reading(id) if otherwise & (1 << at) != 0 => Some(*id),
                _ => None,
            });
            let readings = Faults::none().reading(&ids.collect::<Vec<_>>());
            // The other worlds only answer from the state of a course.
            let start = if otherwise == 0 { readings.start() } else { State::default() };
            (World::new(start), readings)
        });
        act(world, readings)
    }

    /// The reply to a request at that time under the choices of these bits.
    fn reply(&self, otherwise: u32, state: &mut State, ask: &Ask, now_ms: i64) -> Received {
        let reply = self.with_world(otherwise, |world, readings| {
            std::mem::swap(&mut world.lock().state, state);
            let request = readings.misread(&request(ask, now_ms));
            let mut reply = readings.answer(world, &request, false);
            readings.finish(&request, &mut reply);
            std::mem::swap(&mut world.lock().state, state);
            reply
        });
        let bytes = |text: String| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
        let headers = reply.headers.into_iter().map(|(name, value)| (name, bytes(value))).collect();
        Received::new(reply.status, headers, reply.body, false)
    }

    /// When a session, token, login or trust ends, in milliseconds since 1970; `back` counts from the latest.
    pub(super) fn end(&self, course: &Course, end: End, back: usize, now_ms: i64) -> Option<i64> {
        let Course { state, memory, .. } = course;
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

impl Course {
    pub(super) fn new(model: &Model, drops_pending: bool) -> Self {
        Self { state: model.initial(), memory: Memory::new(drops_pending), otherwise: 0, decided: 0 }
    }

    #[cfg(test)]
    pub(super) fn doing(self, otherwise: u32) -> Self {
        Self { otherwise, ..self }
    }

    /// The reply to a request at that time, without any effect.
    pub(super) fn foreseen(&self, model: &Model, ask: &Ask, now_ms: i64) -> Received {
        model.reply(self.otherwise, &mut self.state.clone(), ask, now_ms)
    }

    /// The ways on with a request, each with its reply: more than one where it matters how an open rule is read.
    pub(super) fn followed(self, model: &Model, ask: &Ask, now_ms: i64, takes_readings: bool) -> Vec<(Self, Received)> {
        let way = |otherwise, decided| Way { otherwise, decided, after: self.gone(otherwise, model, ask, now_ms) };
        let mut ways = vec![way(self.otherwise, self.decided)];
        let matters = |(method, path, _): &(&str, &str, _)| takes_readings && ask.is(method, path);
        for (at, _) in OPEN.iter().enumerate().filter(|(_, open)| matters(open)) {
            let bit = 1 << at;
            let undecided: Vec<usize> = (0..ways.len()).filter(|plain| ways[*plain].decided & bit == 0).collect();
            for plain in undecided {
                let changed = way(ways[plain].otherwise | bit, ways[plain].decided | bit);
                if effect(&ways[plain].after) != effect(&changed.after) {
                    ways[plain].decided |= bit;
                    ways.push(changed);
                }
            }
        }
        let course = |Way { otherwise, decided, after: (state, reply) }| {
            (Self { state, memory: self.memory.clone(), otherwise, decided }, reply)
        };
        ways.into_iter().map(course).collect()
    }

    fn gone(&self, otherwise: u32, model: &Model, ask: &Ask, now_ms: i64) -> (State, Received) {
        let mut state = self.state.clone();
        let reply = model.reply(otherwise, &mut state, ask, now_ms);
        for (at, (method, path, change)) in OPEN.iter().enumerate() {
            if let Otherwise::Besides(edit) = change
                && otherwise & (1 << at) != 0
                && reply.status == 200
                && ask.is(method, path)
            {
                edit(&mut state, ask, now_ms);
            }
        }
        (state, reply)
    }
}

/// A continuation: the choices taken otherwise, the choices decided, and the state after the request.
struct Way {
    otherwise: u32,
    decided: u32,
    after: (State, Received),
}

/// The effect of a reading: the reply without its texts, and the state that later replies depend on.
fn effect((state, reply): &(State, Received)) -> (u16, Value, usize, Vec<i64>, Vec<u32>) {
    let devices = state.devices.iter().map(|device| device.last_used).collect();
    let failures = state.pending.iter().map(|pending| pending.failures).collect();
    (reply.status, without_texts(reply), state.attempts.len(), devices, failures)
}

/// The body with every text emptied: tokens and times differ from one try to the next.
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

fn request(ask: &Ask, now_ms: i64) -> Request {
    let (path, query) = ask.path.split_once('?').unwrap_or((&ask.path, ""));
    // As a reader of HTTP sees a value: without the spaces around it.
    let latin1 = |text: &str| text.trim_matches([' ', '\t']).bytes().map(char::from).collect::<String>();
    let is_sent = |(name, value): &&(String, String)| !(value.is_empty() && name == "User-Agent");
    let interface = match ask.interface {
        Interface::Catalogue => message::Interface::Catalogue,
        Interface::Graphql => message::Interface::Graphql,
        Interface::GraphqlReduced => message::Interface::GraphqlReduced,
        Interface::Users | Interface::Registration | Interface::Blog => message::Interface::Users,
    };
    Request {
        query: query.to_owned(),
        headers: ask.headers.iter().filter(is_sent).map(|(name, value)| (name.clone(), latin1(value))).collect(),
        body: ask.body.clone().unwrap_or_default().into_bytes(),
        now: now_ms,
        ..Request::new(interface, ask.method, path)
    }
}
