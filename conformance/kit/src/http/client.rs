//! A client: sends requests, keeps connections open, records exchanges, and holds the rules that its replies are checked by.
//!
//! Never judges and knows no case: [`crate::http::reply`] has the checks. Threads may share it.

use std::io;
use std::io::ErrorKind::{
    BrokenPipe, ConnectionAborted, ConnectionReset, FileTooLarge, InvalidData, TimedOut, WouldBlock,
};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock;
use crate::http::chain;
use crate::http::connection::Connection;
use crate::http::exchange::{Exchange, KEPT_BYTES, Received, Sent};
use crate::http::throttle::Throttle;
use crate::implementation::profile::Address;
use crate::mutex::locked;
use crate::verdict::{CaseError, DeclaredRules, NoAnswer};

/// The contract as the suite knows it: sees every exchange of a run's cases, and has the readings of open rules.
pub trait Judge: std::fmt::Debug + Send + Sync {
    /// `case` is the id of the case that sent it.
    fn see(&self, exchange: &Exchange, case: &str);

    /// The reading with this id in words, if the open rule accepts it.
    fn reading(&self, rule: &str, id: &str) -> Option<&str>;
}

impl Judge for () {
    fn see(&self, _: &Exchange, _: &str) {}

    fn reading(&self, _: &str, _: &str) -> Option<&str> {
        None
    }
}

#[derive(Debug, Default)]
pub struct Client {
    pub rules: DeclaredRules,
    pub(crate) judged: Option<(String, Arc<dyn Judge>)>,
    pub(crate) timeout: Duration,
    /// More requests stop the case, which would never end.
    sent_max: u32,
    throttle: Arc<Throttle>,
    /// The case creates users at the same moment, because that is its subject.
    pub(crate) makes_users_at_once: bool,
    sent: AtomicU32,
    /// Exchanges begun so far, however they are sent.
    begun: AtomicU32,
    exchanges: Mutex<Vec<Exchange>>,
    /// Paths of the `DELETE` requests that were not refused, in the order of completion.
    deleted: Mutex<Vec<String>>,
    idle: Mutex<Vec<Connection>>,
    /// Whether a request was oddly framed: then no other case may use these connections.
    is_odd: AtomicBool,
}

/// Whether the time limit passed; a socket's own limit, of writes and of a handshake, shows as `WouldBlock`.
fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), TimedOut | WouldBlock)
}

impl Client {
    pub fn new(rules: DeclaredRules, timeout: Duration, sent_max: u32, throttle: Arc<Throttle>) -> Self {
        Self { rules, timeout, sent_max, throttle, ..Self::default() }
    }

    pub fn connect(&self, address: &Address) -> Result<Connection, CaseError> {
        Connection::open(address, self.timeout).map_err(|error| {
            CaseError::NoAnswer(self.why(&error).for_request(format_args!("connecting to {}", address.authority)))
        })
    }

    fn why(&self, error: &io::Error) -> NoAnswer {
        let is_late = is_late(error);
        let why =
            if is_late { format!("no answer within {} s", self.timeout.as_secs_f64()) } else { error.to_string() };
        NoAnswer { why, is_late, is_unreadable: matches!(error.kind(), FileTooLarge | InvalidData) }
    }

    pub fn close_connections(&self) {
        locked(&self.idle).clear();
        self.throttle.connections().clear();
    }

    /// Adds to the record with long bodies cut; the case itself checks the uncut exchange.
    pub fn record(&self, exchange: &Exchange) {
        let kept = exchange.cut_to(KEPT_BYTES);
        locked(&self.exchanges).push(kept);
    }

    pub fn recorded_count(&self) -> usize {
        locked(&self.exchanges).len()
    }

    /// Gives its idle connections to other clients: a service with a thread for each may have few.
    pub fn lend(&self) {
        if !self.is_odd.load(Ordering::Relaxed) {
            self.throttle.connections().append(&mut locked(&self.idle));
        }
    }

    /// Returns the recorded exchanges in the order of completion; gives its idle connections to other clients.
    pub fn into_exchanges(self) -> Vec<Exchange> {
        self.lend();
        self.exchanges.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Paths below the interface's own of the `DELETE` requests that the implementation may have obeyed: all but those answered 4xx.
    pub fn deleted(&self) -> Vec<String> {
        locked(&self.deleted).clone()
    }

    pub fn deleted_count(&self) -> usize {
        locked(&self.deleted).len()
    }

    /// Sends over a kept connection if there is one; reads at most `body_bytes_max`. With `makes_user`, other creations of users wait.
    pub fn exchange(&self, sent: Sent, body_bytes_max: usize, makes_user: bool) -> Result<Exchange, CaseError> {
        if self.sent.fetch_add(1, Ordering::Relaxed) >= self.sent_max {
            return Err(CaseError::Broken(format!("the case has sent {} requests and does not end", self.sent_max)));
        }
        Ok(self.exchange_in_turn(sent, makes_user, |sent| self.transfer(sent, body_bytes_max)))
    }

    /// Sends with the caller's `transfer`; records the moment and the duration.
    pub fn exchange_by(&self, sent: Sent, transfer: impl FnOnce(&Sent) -> io::Result<Received>) -> Exchange {
        let makes_user = sent.may_make_a_user();
        self.exchange_in_turn(sent, makes_user, transfer)
    }

    fn exchange_in_turn(
        &self,
        sent: Sent,
        makes_user: bool,
        transfer: impl FnOnce(&Sent) -> io::Result<Received>,
    ) -> Exchange {
        self.throttle.wait();
        self.throttle.begun(sent.is_safe());
        let at_once = self.makes_users_at_once;
        let turn = (makes_user && !at_once).then(|| self.throttle.user_turn());
        let (started, sent_at_ms) = (clock::stopwatch(), clock::unix_ms());
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let received = transfer(&sent);
        chain::ended();
        // Dropping a turn notes when a user was made.
        drop(turn);
        if makes_user && at_once {
            self.throttle.note_user();
        }
        let is_answered = received.as_ref().map_or_else(|error| error.kind() == FileTooLarge, |_| true);
        if is_answered {
            self.throttle.answered(started.elapsed(), received.is_ok());
        } else if received.as_ref().is_err_and(is_late) {
            self.throttle.was_late();
        }
        let received = received.map(Arc::new).map_err(|error| self.why(&error));
        let is_refused = received.as_ref().is_ok_and(|received| (400..500).contains(&received.status));
        if sent.method == "DELETE" && !is_refused {
            locked(&self.deleted).push(sent.path_below_prefix().to_owned());
        }
        let duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let exchange = Exchange { number, sent, received, is_answered, duration_ms, sent_at_ms };
        if let Some((case, judge)) = &self.judged {
            judge.see(&exchange, case);
        }
        exchange
    }

    fn transfer(&self, sent: &Sent, body_bytes_max: usize) -> io::Result<Received> {
        self.is_odd.fetch_or(sent.is_oddly_framed(), Ordering::Relaxed);
        let authority = &sent.address.authority;
        let take = |mut idle: MutexGuard<'_, Vec<Connection>>| {
            let found = idle.iter().rposition(|connection| connection.authority == *authority)?;
            Some(idle.swap_remove(found)).filter(Connection::is_idle)
        };
        let idle = take(locked(&self.idle)).or_else(|| take(self.throttle.connections()));
        let exchange = |mut connection: Connection| -> io::Result<Received> {
            connection.body_bytes_max = body_bytes_max;
            let (received, may_stay) = connection.exchange(sent, self.timeout)?;
            if may_stay {
                locked(&self.idle).push(connection);
            }
            Ok(received)
        };
        match idle.map(exchange) {
            // A server may close an idle connection at any time, even while a request is on its way.
            Some(Err(error)) if matches!(error.kind(), ConnectionAborted | ConnectionReset | BrokenPipe) => {}
            Some(answer) => return answer,
            None => {}
        }
        exchange(Connection::open(&sent.address, self.timeout)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn send(client: &Client, method: &str, answer: io::Result<u16>) {
        let sent = Sent::new(method, &Address::parse("http://h:1/api").unwrap(), "/libros/7");
        let received = |status| Received::new(status, Vec::new(), Vec::new(), false);
        client.exchange_by(sent, |_| answer.map(received));
    }

    #[test]
    fn a_delete_may_have_been_obeyed_unless_it_was_refused() {
        let client = Client::new(DeclaredRules(&[]), Duration::ZERO, 0, Arc::default());
        for (method, answer) in [("GET", Ok(200)), ("DELETE", Ok(404)), ("DELETE", Ok(401))] {
            send(&client, method, answer);
            assert_eq!(client.deleted_count(), 0);
        }
        for answer in [Ok(204), Ok(500), Err(io::Error::from(BrokenPipe))] {
            send(&client, "DELETE", answer);
        }
        assert_eq!(client.deleted(), ["/libros/7"; 3]);
    }
}
