//! The other threads of a replica, each with its own connection, so that they do not delay reads: one waits for turns to append, the other
//! folds. A turn keeps other replicas from appending for a while; correctness never depends on it. If a turn does not come in time, its
//! connection is dropped. After two in a row, the replica asks for no turn for a while.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use futures_channel::mpsc::{UnboundedSender as Sender, unbounded};
use futures_channel::oneshot::{self, Receiver};

use super::log::{AppendError, Appended};
use super::postgres::PostgresLog;
use super::threads;
use crate::interface::Bell;
use libros_server_system::clock::Stopwatch;

/// A call to run on the thread that owns the log.
type Call = Box<dyn FnOnce(&mut PostgresLog) + Send>;

const TURN_WITHIN: Duration = Duration::from_secs(5);
/// Missed turns in a row after which it asks for none. A connection that falls silent costs one turn.
const MISSED_AT_MOST: u32 = 2;
/// How long it then asks for none.
const WITHOUT: Duration = Duration::from_secs(30);

pub(crate) struct Background {
    open: Box<dyn Fn() -> PostgresLog + Send>,
    /// Leads to the thread that waits for a turn or has it.
    turns: Option<Sender<Call>>,
    turn: Turn,
    /// The number of missed turns in a row, and the time since the last.
    missed: (u32, Stopwatch),
    /// The end of the fold drops the other end of this channel.
    folding: Option<Receiver<()>>,
}

enum Turn {
    Unasked,
    Asked(Receiver<anyhow::Result<()>>, Stopwatch),
    Come,
}

impl Background {
    /// Starts no thread yet. Each thread will `open` its own connection.
    pub(crate) fn new(open: impl Fn() -> PostgresLog + Send + 'static) -> Self {
        let missed = (0, Stopwatch::start());
        Self { open: Box::new(open), turns: None, turn: Turn::Unasked, missed, folding: None }
    }

    fn thread(&self) -> anyhow::Result<Sender<Call>> {
        let (calls, mut asked) = unbounded::<Call>();
        let mut log = (self.open)();
        threads::spawn(move || {
            while let Ok(call) = threads::wait(asked.recv()) {
                call(&mut log);
            }
        })?;
        Ok(calls)
    }

    /// Asks for a turn, and returns at once; the bell rings when it has come, or will not come.
    pub(crate) fn ask_turn(&mut self, bell: &Bell) {
        let (answer, answered) = oneshot::channel();
        // If no thread takes the call, it drops `answer`, which also tells the receiver.
        self.turn = Turn::Asked(answered, Stopwatch::start());
        if self.missed.0 >= MISSED_AT_MOST && self.missed.1.elapsed() < WITHOUT {
            return bell();
        }
        let Some(calls) = self.turns.take().or_else(|| self.thread().ok()) else { return bell() };
        let bell = Arc::clone(bell);
        let hold = move |log: &mut PostgresLog| {
            _ = answer.send(log.take_turn());
            bell();
        };
        if calls.unbounded_send(Box::new(hold)).is_ok() {
            self.turns = Some(calls);
        }
    }

    /// The outcome of the request for a turn; `None` while it is pending. The turn ends with the next append.
    pub(crate) fn turn(&mut self) -> Option<anyhow::Result<()>> {
        let given = match &mut self.turn {
            Turn::Asked(answered, since) => match answered.try_recv() {
                Ok(Some(given)) => {
                    self.missed.0 = 0;
                    given
                }
                Ok(None) if since.elapsed() < TURN_WITHIN => return None,
                Ok(None) => {
                    // After this call the thread ends with its connection, and so does a turn that comes too late.
                    self.turns = None;
                    self.missed = (self.missed.0 + 1, Stopwatch::start());
                    Err(anyhow!("no turn came within {TURN_WITHIN:?}"))
                }
                Err(_) => Err(anyhow!("no thread waits for a turn")),
            },
            Turn::Come => Ok(()),
            Turn::Unasked => Err(anyhow!("no turn was asked for")),
        };
        self.turn = if given.is_ok() { Turn::Come } else { Turn::Unasked };
        Some(given)
    }

    /// Gives a turn back, or no longer waits for one.
    pub(crate) fn pass(&mut self) {
        // If the turn has yet to come, the thread gives it back as soon as it comes.
        if !matches!(mem::replace(&mut self.turn, Turn::Unasked), Turn::Unasked)
            && let Some(calls) = &self.turns
            && calls.unbounded_send(Box::new(PostgresLog::give_back_turn)).is_err()
        {
            self.turns = None;
        }
    }

    /// Appends an entry in the current turn, which ends the turn; `None` if there is no turn.
    pub(crate) fn append(&mut self, after: i64, token: &str, changes: &str) -> Option<Result<Appended, AppendError>> {
        let Turn::Come = mem::replace(&mut self.turn, Turn::Unasked) else { return None };
        let (answer, answered) = oneshot::channel();
        let (token, changes) = (token.to_owned(), changes.to_owned());
        let append = move |log: &mut PostgresLog| _ = answer.send(log.append(after, &token, &changes));
        if let Some(calls) = &self.turns {
            _ = calls.unbounded_send(Box::new(append));
        }
        Some(threads::wait(answered).unwrap_or_else(|_| {
            self.turns = None;
            Err(AppendError::InDoubt(anyhow!("the thread that has the turn has ended")))
        }))
    }

    /// Begins to fold the entries up to this one into the snapshot, unless the previous fold still runs.
    pub(crate) fn fold(&mut self, up_to: i64) -> anyhow::Result<()> {
        if self.folding.as_mut().is_some_and(|folding| folding.try_recv() == Ok(None)) {
            return Ok(());
        }
        let (ends, folding) = oneshot::channel::<()>();
        let mut log = (self.open)();
        threads::spawn(move || {
            if let Err(error) = log.fold(up_to) {
                tracing::warn!(why = format!("{error:#}"), "the log cannot be folded; it stays as it is");
            }
            drop(ends);
        })?;
        self.folding = Some(folding);
        Ok(())
    }
}
