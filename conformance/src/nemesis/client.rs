//! A client of the cluster: creates, replaces, reads and deletes books on any replica, and notes each operation.
//!
//! Never repeats a request, unlike the client of cases: a second delete would find nothing.

use std::time::Duration;

use proptest::prelude::Rng as _;
use proptest::test_runner::TestRng;
use serde_json::{Value, json};

use crate::fixture::books::as_integer;
use crate::generate::inputs::dice;
use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::nemesis::attack::Attack;
use crate::nemesis::history::{Event, Outcome, Promise};
use crate::oracle::linearizability::{Effect, Operation};

pub(super) const PATIENCE: Duration = Duration::from_secs(5);
pub(super) const CLIENTS: usize = 12;
const REGISTERS: usize = 8;
const PAUSE: Duration = Duration::from_millis(30);
/// After an operation that was not confirmed.
const PAUSE_LONG: Duration = Duration::from_millis(100);

pub(super) struct Client<'a> {
    number: usize,
    attack: &'a Attack<'a>,
    connections: Vec<Option<Connection>>,
    dice: TestRng,
}

struct Answer {
    outcome: Outcome,
    received: Option<Received>,
    sent_us: u64,
    ended_us: u64,
}

impl Answer {
    fn status(&self) -> u16 {
        self.received.as_ref().map_or(0, |received| received.status)
    }

    fn at(&self, pointer: &str) -> Option<&Value> {
        self.received.as_ref()?.json()?.pointer(pointer)
    }
}

pub(super) fn outcome_of(status: u16) -> Outcome {
    match status {
        429 => Outcome::Refused,
        408 | 500.. => Outcome::Unknown,
        _ => Outcome::Confirmed,
    }
}

impl<'a> Client<'a> {
    pub(super) fn new(attack: &'a Attack<'a>, number: usize) -> Self {
        let connections = attack.replicas.iter().map(|_| None).collect();
        let dice = dice(attack.seed, &format!("client {number}"));
        Self { number, attack, connections, dice }
    }

    pub(super) fn work(&mut self) {
        while !self.attack.is_over() {
            let outcome = if self.drawn(2) == 0 { self.work_on_a_new_book() } else { self.work_on_a_register() };
            std::thread::sleep(if outcome == Outcome::Confirmed { PAUSE } else { PAUSE_LONG });
        }
    }

    /// Creates a book, and looks for it on any replica.
    fn work_on_a_new_book(&mut self) -> Outcome {
        let node = self.writable();
        let (outcome, id) = self.create(node);
        if let Some(id) = id {
            let node = self.any();
            self.operate(id, Effect::Saw(0), node);
        }
        outcome
    }

    fn work_on_a_register(&mut self) -> Outcome {
        // Operations on a register before it may be deleted.
        const OLD: usize = 60;
        let place = self.drawn(REGISTERS);
        // So many operations may be under way, or follow at the end.
        let reserve = CLIENTS + self.attack.replicas.len();
        let Some((id, operations)) = self.attack.history.register(place, reserve) else {
            let node = self.writable();
            let (outcome, id) = self.create(node);
            if let Some(id) = id {
                self.attack.history.seen().registers.insert(place, id);
            }
            return outcome;
        };
        let (effect, node) = match self.drawn(20) {
            0..=10 => (Effect::Saw(0), self.any()),
            19 if operations > OLD => (Effect::Removed, self.writable()),
            _ => (Effect::Stored(self.attack.history.next_version()), self.writable()),
        };
        self.operate(id, effect, node)
    }

    fn writable(&mut self) -> usize {
        let any = self.any();
        self.attack.writer().unwrap_or(any)
    }

    /// Any replica; half of the clients stay with one, so that a silent replica does not hold all of them.
    fn any(&mut self) -> usize {
        let replicas = self.attack.replicas.len();
        if self.number.is_multiple_of(2) { self.number / 2 % replicas } else { self.drawn(replicas) }
    }

    fn drawn(&mut self, below: usize) -> usize {
        self.dice.next_u32() as usize % below
    }

    pub(super) fn create(&mut self, node: usize) -> (Outcome, Option<u64>) {
        let history = &self.attack.history;
        let version = history.next_version();
        let answer = self.ask(node, "POST", "/libros", Some(self.body(version)), true);
        let id = answer.at("/id").and_then(as_integer).filter(|_| answer.status() == 201);
        match id {
            Some(id) => history.created(id, version, answer.sent_us),
            None if answer.outcome == Outcome::Confirmed => self.complain("a create", node, &answer),
            None => {}
        }
        (answer.outcome, id)
    }

    /// Reads, replaces or deletes a book; the version of a read is what it sees.
    pub(super) fn operate(&mut self, id: u64, effect: Effect, node: usize) -> Outcome {
        let (what, method, body) = match effect {
            Effect::Stored(version) => ("a replace", "PUT", Some(self.body(version))),
            Effect::Removed => ("a delete", "DELETE", None),
            Effect::Saw(_) | Effect::Missed => ("a read", "GET", None),
        };
        let answer = self.ask(node, method, &format!("/libros/{id}"), body, false);
        let version = || self.attack.history.version_in(answer.at("/titulo")?.as_str()?);
        let seen = match (answer.outcome, answer.status(), effect) {
            (Outcome::Refused, ..) => return answer.outcome,
            (Outcome::Unknown, _, Effect::Saw(_) | Effect::Missed) => return answer.outcome,
            (Outcome::Confirmed, 404, _) => Some(Effect::Missed),
            (Outcome::Confirmed, 200, Effect::Saw(_)) => version().map(Effect::Saw),
            (Outcome::Unknown, ..) | (_, 200, Effect::Stored(_)) | (_, 200 | 204, Effect::Removed) => Some(effect),
            _ => None,
        };
        let Some(effect) = seen else {
            self.complain(what, node, &answer);
            return answer.outcome;
        };
        let answered_us = (answer.outcome == Outcome::Confirmed).then_some(answer.ended_us);
        let operation = Operation { client: self.number, effect, sent_us: answer.sent_us, answered_us };
        self.attack.history.operated(id, operation);
        answer.outcome
    }

    /// A page of this run's books, by id; `None` without a usable answer.
    pub(super) fn page(&mut self, node: usize, page: usize) -> Option<Vec<(u64, u32)>> {
        let path = format!("/libros?lote={}&limit=100&sort=id&page={page}", self.attack.history.marker);
        let answer = self.ask(node, "GET", &path, None, false);
        let books = answer.at("/datos").filter(|_| answer.status() == 200)?.as_array()?;
        let book = |book: &Value| {
            Some((as_integer(book.get("id")?)?, self.attack.history.version_in(book["titulo"].as_str()?)?))
        };
        Some(books.iter().filter_map(book).collect())
    }

    fn body(&self, version: u32) -> Value {
        let history = &self.attack.history;
        json!({ "titulo": history.title(version), "autor": "Alejo Carpentier", "lote": history.marker })
    }

    /// Notes an answer that no fault explains.
    fn complain(&self, what: &str, node: usize, answer: &Answer) {
        let body = answer.received.as_ref().map_or_else(String::new, Received::text);
        let (replica, body) = (self.attack.replicas[node].url(), body.chars().take(120).collect::<String>());
        let text = format!("{replica} answers {} to {what}: {body}", answer.status());
        self.attack.history.find(Promise::Answers, text, answer.sent_us);
    }

    fn ask(&mut self, node: usize, method: &str, path: &str, body: Option<Value>, is_create: bool) -> Answer {
        let attack = self.attack;
        let address = &attack.replicas[node];
        let sent = Sent::new(method, address, path).header("X-API-Key", attack.target.credentials.admin_key.as_str());
        let sent = body.into_iter().fold(sent, |sent, body| sent.json(&body));
        attack.throttle.wait();
        let sent_us = attack.history.now_us();
        let kept = self.connections[node].take().filter(Connection::is_idle);
        let (outcome, received) = match kept.map_or_else(|| Connection::open(address, PATIENCE), Ok) {
            Err(_) => (Outcome::Refused, None),
            Ok(mut connection) => match connection.exchange(&sent, PATIENCE) {
                Err(_) => (Outcome::Unknown, None),
                Ok((received, may_stay)) => {
                    self.connections[node] = may_stay.then_some(connection);
                    (outcome_of(received.status), Some(received))
                }
            },
        };
        let ended_us = attack.history.now_us();
        attack.history.seen().events.push(Event { node, is_create, sent_us, ended_us, outcome });
        Answer { outcome, received, sent_us, ended_us }
    }
}
