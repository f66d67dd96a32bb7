//! What a case acts through: requests to the target, each recorded, and names that are its own.
//!
//! A trial never judges; see [`crate::http::reply`]. It may be shared by the threads of one case.

use std::io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::case::Case;
use crate::clock;
use crate::context::session::Session;
use crate::contract::verdict::CaseError;
use crate::http::connection::Connection;
use crate::http::exchange::{Exchange, Received, Sent};
use crate::http::request::Request;
use crate::target::control::Control;
use crate::target::profile::{Interface, Target};

/// More requests than any case needs, besides those of generated inputs: a case beyond them does not end.
const SENT_MAX: u32 = 20_000;
/// More requests than any generated input needs, shrinking included.
const SENT_PER_INPUT_MAX: u32 = 1_000;

/// An open rule, and which of its accepted readings the target follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The rule's id.
    pub rule: String,
    /// The reading seen.
    pub reading: String,
}

/// How many trials there have been.
static TRIALS: AtomicU32 = AtomicU32::new(0);

/// One run of one case.
#[derive(Debug)]
pub struct CaseContext<'a> {
    setting: &'a Session,
    case: &'a Case,
    /// Its number among all trials of this process: a retried case, or one of the same name elsewhere, gets other names.
    number: u32,
    names: AtomicU32,
    sent: AtomicU32,
    exchanges: Mutex<Vec<Exchange>>,
    notes: Mutex<Vec<Observation>>,
    books: Mutex<Vec<u64>>,
    idle: Mutex<Vec<Connection>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> CaseContext<'a> {
    /// A trial of that case.
    pub fn new(setting: &'a Session, case: &'a Case) -> Self {
        Self {
            setting,
            case,
            number: TRIALS.fetch_add(1, Ordering::Relaxed),
            names: AtomicU32::new(0),
            sent: AtomicU32::new(0),
            exchanges: Mutex::default(),
            notes: Mutex::default(),
            books: Mutex::default(),
            idle: Mutex::default(),
        }
    }

    /// What all trials share.
    pub fn setting(&self) -> &'a Session {
        self.setting
    }

    /// The implementation under judgement.
    pub fn target(&self) -> &'a Target {
        self.setting.target()
    }

    /// The case on trial.
    pub fn case(&self) -> &'a Case {
        self.case
    }

    /// A text no other case and no other run uses, beginning with `stem`; letters, digits and hyphens only.
    pub fn unique(&self, stem: &str) -> String {
        let count = self.names.fetch_add(1, Ordering::Relaxed);
        format!("{stem}-{}-{}-{}-{count}", self.setting.nonce, self.number, self.case.name.replace('_', "-"))
    }

    /// A request to the catalogue.
    pub fn request(&self, method: &str, path: &str) -> Request<'_, 'a> {
        self.request_at(Interface::Catalogue, method, path)
    }

    /// `GET` from the catalogue.
    pub fn get(&self, path: &str) -> Request<'_, 'a> {
        self.request("GET", path)
    }

    /// `POST` to the catalogue.
    pub fn post(&self, path: &str) -> Request<'_, 'a> {
        self.request("POST", path)
    }

    /// `PUT` to the catalogue.
    pub fn put(&self, path: &str) -> Request<'_, 'a> {
        self.request("PUT", path)
    }

    /// `DELETE` to the catalogue.
    pub fn delete(&self, path: &str) -> Request<'_, 'a> {
        self.request("DELETE", path)
    }

    /// A request to any interface; `path` is appended to the interface's URL (so it is empty for the GraphQL endpoint itself).
    pub fn request_at(&self, surface: Interface, method: &str, path: &str) -> Request<'_, 'a> {
        let address = self.target().address(surface).cloned();
        let address = address.ok_or_else(|| CaseError::Broken(format!("the case uses {surface} without needing it")));
        Request::new(self, address, method, path)
    }

    /// A request to the host of an interface, at a path of the caller's, whatever the interface's own.
    pub fn request_beside(&self, surface: Interface, method: &str, path: &str) -> Request<'_, 'a> {
        let mut request = self.request_at(surface, method, path);
        request.forget_prefix();
        request
    }

    /// Opens a connection of its own to an interface, for traffic no request of the above kind can make.
    ///
    /// # Errors
    /// [`CaseError::NoAnswer`] when the target does not take it.
    pub fn connect(&self, surface: Interface) -> Result<Connection, CaseError> {
        let address = self.target().address(surface);
        let address =
            address.ok_or_else(|| CaseError::Broken(format!("the case uses {surface} without needing it")))?;
        Connection::open(&address.authority, self.setting.timeout)
            .map_err(|error| CaseError::NoAnswer(format!("cannot connect to {}: {error}", address.authority)))
    }

    /// Says which accepted reading of an open rule the target follows.
    pub fn observe(&self, rule: &str, reading: &str) {
        locked(&self.notes).push(Observation { rule: rule.into(), reading: reading.into() });
    }

    /// Marks a book as made by this case, to be deleted when it ends: once, since its id may be another's book from then on.
    pub fn owns_book(&self, id: u64) {
        let mut books = locked(&self.books);
        if !books.contains(&id) {
            books.push(id);
        }
    }

    /// Takes back [`Self::owns_book`]; what a case deletes itself is taken back without asking.
    pub fn disowns_book(&self, id: u64) {
        locked(&self.books).retain(|owned| *owned != id);
    }

    /// What the target thinks the time is, in milliseconds since 1970: from its control clock, else this machine's.
    ///
    /// # Errors
    /// [`CaseError::Hook`] when the control clock does not answer.
    pub fn target_now(&self) -> Result<i64, CaseError> {
        match self.setting.control() {
            Some(control) => control.now().map_err(CaseError::Hook),
            None => Ok(clock::unix_ms()),
        }
    }

    /// Moves the target's clock ahead; only for cases that need [`crate::case::Need::Clock`].
    ///
    /// # Errors
    /// [`CaseError::Hook`] when the hook fails.
    pub fn advance(&self, seconds: f64) -> Result<i64, CaseError> {
        self.control()?.advance(seconds).map_err(CaseError::Hook)
    }

    /// Puts the target into its initial state; only for cases that need [`crate::case::Need::Reset`].
    ///
    /// # Errors
    /// [`CaseError::Hook`] when the hook fails.
    pub fn reset(&self) -> Result<(), CaseError> {
        locked(&self.books).clear();
        self.control()?.reset().map_err(CaseError::Hook)
    }

    /// Kills the target, without any notice to it, and starts it again; only for cases that need
    /// [`crate::case::Need::Restart`].
    ///
    /// # Errors
    /// [`CaseError::NoAnswer`] when it does not come back.
    pub fn restart(&self) -> Result<(), CaseError> {
        let restarter = self.setting.restarter.as_ref();
        let restarter = restarter.ok_or_else(|| CaseError::Broken("the case restarts without needing it".into()))?;
        locked(&self.idle).clear();
        restarter.restart().map_err(|why| CaseError::NoAnswer(format!("after a restart: {why}")))
    }

    fn control(&self) -> Result<&'a Control, CaseError> {
        let control = self.setting.control();
        control.ok_or_else(|| CaseError::Broken("the case uses the control hook without needing it".into()))
    }

    /// Deletes the books the case made. What fails here is nobody's verdict.
    pub fn tidy_up(&self) {
        let ids = std::mem::take(&mut *locked(&self.books));
        for id in ids {
            _ = self.delete(&format!("/libros/{id}")).key(&self.target().credentials.admin_key).send_unrecorded();
        }
    }

    /// Everything that went over the wire, in order of completion, and the notes.
    pub fn into_record(self) -> (Vec<Exchange>, Vec<Observation>) {
        let exchanges = self.exchanges.into_inner().unwrap_or_else(PoisonError::into_inner);
        (exchanges, self.notes.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds to the case's record.
    pub(crate) fn record(&self, exchange: Exchange) {
        locked(&self.exchanges).push(exchange);
    }

    /// Sends a request by `transfer`. A book that it deletes is the case's own no longer, from before it is gone: at once
    /// after, its id may be another's.
    pub(crate) fn letting_go<E>(
        &self,
        sent: &Sent,
        transfer: impl FnOnce() -> Result<Received, E>,
    ) -> Result<Received, E> {
        let path = sent.path.strip_prefix(&sent.address.prefix);
        let segments = path.and_then(|path| path.strip_prefix("/libros/"));
        let id = segments.and_then(|rest| rest.split(['/', '?']).next()?.parse().ok());
        let owned = id.filter(|id| sent.method == "DELETE" && locked(&self.books).contains(id));
        owned.into_iter().for_each(|id| self.disowns_book(id));
        let received = transfer();
        let is_gone = received.as_ref().is_ok_and(|received| received.status == 204);
        if let (Some(id), false) = (owned, is_gone) {
            self.owns_book(id);
        }
        received
    }

    /// Sends and receives, over a connection kept from earlier where there is one.
    ///
    /// # Errors
    /// [`CaseError::Broken`] when the case has sent more than any case should: it would not end.
    pub(crate) fn exchange(&self, sent: Sent) -> Result<Exchange, CaseError> {
        let most = SENT_MAX.saturating_add(self.setting.cases.saturating_mul(SENT_PER_INPUT_MAX));
        if self.sent.fetch_add(1, Ordering::Relaxed) > most {
            return Err(CaseError::Broken(format!("the case has sent {most} requests and does not end")));
        }
        let (started, sent_at_ms) = (clock::stopwatch(), clock::unix_ms());
        let received = self.letting_go(&sent, || self.transfer(&sent));
        let received = received.map_err(|error| error.to_string());
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Exchange { sent, received, duration_ms, sent_at_ms })
    }

    fn transfer(&self, sent: &Sent) -> std::io::Result<Received> {
        let authority = &sent.address.authority;
        let idle = {
            let mut idle = locked(&self.idle);
            let found = idle.iter().position(|connection| connection.authority() == authority);
            found.map(|index| idle.swap_remove(index))
        };
        let again = || Connection::open(authority, self.setting.timeout);
        let (mut connection, is_kept) = match idle.filter(Connection::is_idle) {
            Some(connection) => (connection, true),
            None => (again()?, false),
        };
        let mut answer = connection.exchange(sent, self.setting.timeout);
        // A target may close a connection it no longer wants at any time, also while a request is on its way to it.
        let is_stale = |error: &std::io::Error| {
            let closed = [ConnectionAborted, ConnectionReset, BrokenPipe];
            is_kept && closed.contains(&error.kind())
        };
        if answer.as_ref().is_err_and(is_stale) {
            connection = again()?;
            answer = connection.exchange(sent, self.setting.timeout);
        }
        let (received, may_stay) = answer?;
        if may_stay {
            locked(&self.idle).push(connection);
        }
        Ok(received)
    }
}
