//! The context of a case: sends its requests, checks and observes by its rules, and makes up its names. Threads of the case share it.
//!
//! Knows of the case only its id and its rules.

use std::fmt::Display;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::context::session::Session;
use crate::http::client::{Client, Judge};
use crate::http::connection::Connection;
use crate::http::control::HookCall;
use crate::http::exchange::Exchange;
use crate::http::reply::Reply;
use crate::http::request::Request;
use crate::implementation::profile::{Address, Interface, Target};
use crate::mutex::locked;
use crate::verdict::{CaseError, CaseResult, DeclaredRules};
use crate::violation::{Got, Place, Want};

/// Limit of requests without generated inputs, more than any case needs: a case that sends more is taken to loop for ever.
const SENT_MAX: u32 = 20_000;
/// Limit of requests for each generated input, shrinking included.
const SENT_PER_INPUT_MAX: u32 = 1_000;

static CONTEXTS: AtomicU32 = AtomicU32::new(0);

/// A book that a case made: its id, and how many DELETEs the case had sent before.
#[derive(Debug, Clone, Copy)]
pub struct OwnedBook {
    pub id: u64,
    pub deletes_before: usize,
}

#[derive(Debug)]
pub struct CaseContext<'a> {
    pub(super) session: &'a Session,
    id: String,
    pub(super) client: Client,
    judge: Arc<dyn Judge>,
    /// Unique in this process, so that a retried case makes up other names.
    number: u32,
    names: AtomicU32,
    turns: AtomicUsize,
    books: Mutex<Vec<OwnedBook>>,
    pub(crate) record: Mutex<Record>,
    pub(super) shares_clock: bool,
}

#[derive(Debug, Default)]
pub struct Record {
    /// Empty until the case has ended.
    pub exchanges: Vec<Exchange>,
    pub observations: Vec<Observation>,
    pub hook_calls: Vec<HookCall>,
    /// Whether other cases moved the clock so far that this case is too late to judge edges.
    pub is_blurred: bool,
    /// Whether the case draws inputs: it is played again with the same seed.
    pub draws: bool,
    /// Whether the case searches drawn inputs for a failing one: another run may find none.
    pub searches: bool,
}

impl<'a> CaseContext<'a> {
    pub fn new(
        session: &'a Session,
        judge: Arc<dyn Judge>,
        id: &str,
        rules: &'static [&'static str],
        makes_users_at_once: bool,
    ) -> Self {
        let sent_max = SENT_MAX.saturating_add(session.cases.saturating_mul(SENT_PER_INPUT_MAX));
        let mut client = Client::new(DeclaredRules(rules), session.timeout, sent_max, Arc::clone(&session.throttle));
        client.judged = Some((id.to_owned(), Arc::clone(&judge)));
        client.makes_users_at_once = makes_users_at_once;
        Self {
            session,
            id: id.to_owned(),
            client,
            judge,
            number: CONTEXTS.fetch_add(1, Ordering::Relaxed),
            names: AtomicU32::new(0),
            turns: AtomicUsize::new(0),
            books: Mutex::default(),
            record: Mutex::default(),
            shares_clock: false,
        }
    }

    /// Sets whether the case shares the clock with other cases that move it.
    pub fn sharing_clock(self, shares_clock: bool) -> Self {
        Self { shares_clock, ..self }
    }

    pub fn session(&self) -> &'a Session {
        self.session
    }

    /// The run's seed. Records that the case draws inputs.
    pub fn seed(&self) -> u64 {
        locked(&self.record).draws = true;
        self.session.seed
    }

    pub fn target(&self) -> &'a Target {
        self.session.target()
    }

    /// Whether samples of answers include `/auth/verify-2fa` and `/2fa/`.
    pub fn holds_second_factor(&self) -> bool {
        self.session.holds_second_factor
    }

    pub fn test_key(&self) -> &'a str {
        &self.target().credentials.test_key
    }

    /// The key of the initial admin client: read, write, delete and manage:users.
    pub fn admin_key(&self) -> &'a str {
        &self.target().credentials.admin_key
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn name(&self) -> &str {
        self.id.rsplit("::").next().unwrap_or_default()
    }

    pub fn client(&self) -> &Client {
        &self.client
    }

    /// A text that no other case and no other run uses: `stem`, then letters, digits and hyphens.
    pub fn unique(&self, stem: &str) -> String {
        let count = self.names.fetch_add(1, Ordering::Relaxed);
        format!("{stem}-{}-{}-{}-{count}", self.session.nonce, self.number, self.name().replace('_', "-"))
    }

    pub fn request(&self, method: &str, path: &str) -> Request<'_> {
        self.request_at(Interface::Catalogue, method, path)
    }

    pub fn get(&self, path: &str) -> Request<'_> {
        self.request("GET", path)
    }

    pub fn post(&self, path: &str) -> Request<'_> {
        self.request("POST", path)
    }

    pub fn put(&self, path: &str) -> Request<'_> {
        self.request("PUT", path)
    }

    pub fn delete(&self, path: &str) -> Request<'_> {
        self.request("DELETE", path)
    }

    /// A request to any interface; `path` is appended to the interface's URL (so it is empty for the GraphQL endpoint itself).
    pub fn request_at(&self, interface: Interface, method: &str, path: &str) -> Request<'_> {
        Request::new(&self.client, (interface, self.address(interface).cloned()), method, path)
    }

    /// A request to the host of an interface at exactly this path, without the prefix of the interface.
    pub fn request_beside(&self, interface: Interface, method: &str, path: &str) -> Request<'_> {
        let host = |address: &Address| Address { prefix: String::new(), ..address.clone() };
        Request::new(&self.client, (interface, self.address(interface).map(host)), method, path)
    }

    pub fn reply(&self, exchange: Exchange) -> Result<Reply, CaseError> {
        Reply::new(exchange, self.client.rules)
    }

    /// Opens a new connection to an interface, for bytes that no [`Request`] can send.
    pub fn connect(&self, interface: Interface) -> Result<Connection, CaseError> {
        self.client.connect(self.address(interface)?)
    }

    pub fn address(&self, interface: Interface) -> Result<&'a Address, CaseError> {
        // Replicas are asked in turn, so that no request is answered by the one that answered the last.
        let turn = self.turns.fetch_add(1, Ordering::Relaxed);
        let address = self.target().address_in_turn(interface, turn);
        address.ok_or_else(|| CaseError::Broken(format!("the case uses {interface}, but its needs do not name it")))
    }

    /// Checks a condition over several replies, by the case's only rule.
    pub fn check(
        &self,
        holds: bool,
        place: impl Into<Place>,
        want: impl Into<Want>,
        got: impl Into<Got>,
    ) -> CaseResult {
        self.client.rules.check(None, holds, place, want, got)
    }

    /// Checks a condition over several replies, by one of the case's rules.
    pub fn check_rule(
        &self,
        rule: &'static str,
        holds: bool,
        place: impl Into<Place>,
        want: impl Into<Want>,
        got: impl Into<Got>,
    ) -> CaseResult {
        self.client.rules.check(Some(rule), holds, place, want, got)
    }

    /// Notes the first reading of the case's only rule, an open one, that holds. If none holds, that is a mismatch.
    pub fn observe(&self, readings: &[(&str, bool)], got: impl Into<Got>) -> CaseResult {
        self.observe_of("", readings, got)
    }

    /// As [`Self::observe`], for a rule observed on several subjects: `what` names this one.
    pub fn observe_of(&self, what: &str, readings: &[(&str, bool)], got: impl Into<Got>) -> CaseResult {
        let rules = self.client.rules;
        let rule = rules.resolve(None)?;
        let accepted_text = |id: &str| self.judge.reading(rule, id);
        if let Some((unknown, _)) = readings.iter().find(|(id, _)| accepted_text(id).is_none()) {
            return Err(CaseError::Broken(format!("the case observes `{unknown}`, which {rule} does not accept")));
        }
        let text = |id: &str| accepted_text(id).unwrap_or_default();
        let with_subject = |text: &str| if what.is_empty() { text.to_owned() } else { format!("{what}: {text}") };
        if let Some((id, _)) = readings.iter().find(|(_, holds)| *holds) {
            self.note(rule, with_subject(id), with_subject(text(id)));
            return Ok(());
        }
        let mut accepted: Vec<_> =
            readings.iter().map(|(id, _)| Want::Described(format!("\"{}\"", text(id)))).collect();
        accepted.dedup();
        Err(rules.mismatch(Some(rule), "any accepted reading", Want::OneOf(accepted), got))
    }

    /// Reports something about the case's only rule: what its key `told` names, or what could not be seen. Judges nothing.
    pub fn tell(&self, seen: impl Display) -> CaseResult {
        self.note(self.client.rules.resolve(None)?, seen.to_string(), seen.to_string());
        Ok(())
    }

    /// Reports how a probe ended; judges no rule.
    pub fn tell_of_probe(&self, outcome: &str, in_words: &str) {
        self.note(&self.id, outcome.to_owned(), in_words.to_owned());
    }

    fn note(&self, rule: &str, reading: String, meaning: String) {
        locked(&self.record).observations.push(Observation { rule: rule.into(), reading, meaning });
    }

    /// Notes a book as made by this case; see [`crate::fixture::books`] for what that means.
    pub fn note_book(&self, id: u64) {
        locked(&self.books).push(OwnedBook { id, deletes_before: self.client.deleted_count() });
    }

    /// Takes the books noted since the last reset.
    pub fn take_books(&self) -> Vec<OwnedBook> {
        std::mem::take(&mut *locked(&self.books))
    }

    /// Kills the target without notice and starts it again; only for cases with `Need::Restart`.
    pub fn restart(&self) -> CaseResult {
        let restarter = self.session.restarter.as_ref();
        let restarter = restarter
            .ok_or_else(|| CaseError::Broken("the case restarts the target, but its needs do not name that".into()))?;
        self.client.close_connections();
        let restarted = self.session.clock.put_back(|| restarter.restart(self.target()));
        restarted.map_err(|why| CaseError::NoAnswer(format!("after a restart: {why}").into()))
    }

    pub fn into_record(self) -> Record {
        let record = self.record.into_inner().unwrap_or_else(PoisonError::into_inner);
        Record { exchanges: self.client.into_exchanges(), ..record }
    }
}

/// An open rule and the accepted reading that the implementation follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    pub rule: String,
    /// The id of the reading, after its subject if there are several; or the free text reported.
    pub reading: String,
    /// The reading in words.
    pub meaning: String,
}
