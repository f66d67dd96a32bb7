//! A log with two more threads, each with its own connection: one waits for turns, one folds, so that questions are not delayed.
//!
//! A turn that does not come in time is given up with its connection; after two in a row none is asked for for a while. Knows no database.

use std::mem;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use futures_channel::mpsc::{UnboundedSender as Sender, unbounded};
use futures_channel::oneshot::{self, Receiver};

use super::log::{AppendError, Appended, Filled, Hold, Log, Position, Tail, Turns};
use super::threads;
use crate::interface::Bell;
use crate::record::Change;
use crate::rows::Rows;
use libros_server_system::clock::Stopwatch;

/// A call, on the thread that owns the log.
type Call<L> = Box<dyn FnOnce(&mut L) + Send>;

/// Turns in a row that may not come before none is asked for: of a connection that has fallen silent it is one.
const MISSED_AT_MOST: u32 = 2;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) turn: Duration,
    /// Until one is asked for again, after those that did not come.
    pub(crate) without: Duration,
}

/// A log that waits for turns and folds in the background.
pub(crate) struct Background<L> {
    open: Box<dyn Fn() -> L + Send>,
    limits: Limits,
    log: L,
    /// Leads to the thread that waits for a turn or has it.
    turns: Option<Sender<Call<L>>>,
    turn: Turn,
    /// Turns in a row that did not come, and what runs since the last of them.
    missed: (u32, Stopwatch),
    /// Leads to the thread that folds, which lets go of the other end of `folding` when it has.
    folds: Option<Sender<Call<L>>>,
    folding: Option<Receiver<()>>,
}

enum Turn {
    Unasked,
    Asked(Receiver<anyhow::Result<()>>, Stopwatch),
    Come,
}

impl<L> std::fmt::Debug for Background<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<L: Log + 'static> Background<L> {
    /// A log whose calls end by themselves, and each further connection to it that is needed.
    pub(crate) fn new(limits: Limits, open: impl Fn() -> L + Send + 'static) -> Self {
        Self {
            log: open(),
            open: Box::new(open),
            limits,
            turns: None,
            turn: Turn::Unasked,
            missed: (0, Stopwatch::start()),
            folds: None,
            folding: None,
        }
    }

    fn thread(&self) -> anyhow::Result<Sender<Call<L>>> {
        let (calls, mut asked) = unbounded::<Call<L>>();
        let mut log = (self.open)();
        threads::spawn(move || {
            while let Ok(call) = threads::wait(asked.recv()) {
                call(&mut log);
            }
        })?;
        Ok(calls)
    }
}

impl<L: Log + Hold + 'static> Turns for Background<L> {
    fn ask_turn(&mut self, bell: &Bell) {
        let (answer, answered) = oneshot::channel();
        // If no thread takes the call, `answer` is dropped, which is an answer.
        self.turn = Turn::Asked(answered, Stopwatch::start());
        if self.missed.0 >= MISSED_AT_MOST && self.missed.1.elapsed() < self.limits.without {
            return bell();
        }
        let Some(calls) = self.turns.take().or_else(|| self.thread().ok()) else { return bell() };
        let bell = Arc::clone(bell);
        let hold = move |log: &mut L| {
            _ = answer.send(log.hold());
            bell();
        };
        if calls.unbounded_send(Box::new(hold)).is_ok() {
            self.turns = Some(calls);
        }
    }

    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        let given = match &mut self.turn {
            Turn::Asked(answered, since) => match answered.try_recv() {
                Ok(Some(given)) => {
                    self.missed.0 = 0;
                    given
                }
                Ok(None) if since.elapsed() < self.limits.turn => return None,
                Ok(None) => {
                    // The thread ends with this call, and with its connection a turn that comes too late.
                    self.turns = None;
                    self.missed = (self.missed.0 + 1, Stopwatch::start());
                    Err(anyhow!("the database says nothing to a replica that waits for its turn"))
                }
                Err(_) => Err(anyhow!("no turn is waited for")),
            },
            Turn::Come => Ok(()),
            Turn::Unasked => Err(anyhow!("nobody asked for a turn")),
        };
        self.turn = if given.is_ok() { Turn::Come } else { Turn::Unasked };
        Some(given)
    }

    fn pass(&mut self) {
        // One that is still waited for is let go of as soon as it comes.
        if !matches!(mem::replace(&mut self.turn, Turn::Unasked), Turn::Unasked)
            && let Some(calls) = &self.turns
            && calls.unbounded_send(Box::new(Hold::let_go)).is_err()
        {
            self.turns = None;
        }
    }
}

impl<L: Log + Hold + 'static> Log for Background<L> {
    fn append(&mut self, after: u64, token: &str, changes: &str) -> Result<Appended, AppendError> {
        let Turn::Come = mem::replace(&mut self.turn, Turn::Unasked) else {
            return self.log.append(after, token, changes);
        };
        let (answer, answered) = oneshot::channel();
        let (token, changes) = (token.to_owned(), changes.to_owned());
        let append = move |log: &mut L| _ = answer.send(log.append(after, &token, &changes));
        if let Some(calls) = &self.turns {
            _ = calls.unbounded_send(Box::new(append));
        }
        threads::wait(answered).unwrap_or_else(|_| {
            self.turns = None;
            Err(AppendError::InDoubt(anyhow!("the thread that has the turn has ended")))
        })
    }

    fn fill(&mut self, changes: &[Change]) -> anyhow::Result<Filled> {
        self.log.fill(changes)
    }

    fn read(&mut self, position: &Position) -> anyhow::Result<Tail> {
        self.log.read(position)
    }

    fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
        self.log.load()
    }

    /// Begins to, unless the last time has not come to its end.
    fn fold(&mut self, up_to: u64) -> anyhow::Result<()> {
        if self.folding.as_mut().is_some_and(|folding| folding.try_recv() == Ok(None)) {
            return Ok(());
        }
        let calls = match self.folds.take() {
            Some(calls) => calls,
            None => self.thread()?,
        };
        let (ends, folding) = oneshot::channel::<()>();
        let fold = move |log: &mut L| {
            if let Err(error) = log.fold(up_to) {
                let why = format!("{error:#}");
                tracing::warn!(why, "the log cannot be folded; it stays as it is");
            }
            drop(ends);
        };
        calls.unbounded_send(Box::new(fold)).map_err(|_| anyhow!("the thread that folds the log has ended"))?;
        (self.folds, self.folding) = (Some(calls), Some(folding));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver, Sender};

    use super::*;

    const PATIENT: Limits = Limits { turn: Duration::from_secs(60), without: Duration::from_secs(60) };

    /// Says nothing to who holds or folds until its sender is dropped, where it has one.
    struct Doubtful(Option<Arc<Mutex<Receiver<()>>>>);

    impl Doubtful {
        fn wait(&self) {
            if let Some(silence) = &self.0 {
                let _ended = silence.lock().expect("no panic").recv();
            }
        }
    }

    impl Log for Doubtful {
        fn append(&mut self, _: u64, _: &str, _: &str) -> Result<Appended, AppendError> {
            Ok(Appended::Added)
        }

        fn read(&mut self, _: &Position) -> anyhow::Result<Tail> {
            Ok(Tail::Folded)
        }

        fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
            Ok((Position::default(), Rows::default()))
        }

        fn fold(&mut self, _: u64) -> anyhow::Result<()> {
            self.wait();
            Ok(())
        }
    }

    impl Hold for Doubtful {
        fn hold(&mut self) -> anyhow::Result<()> {
            self.wait();
            Ok(())
        }

        fn let_go(&mut self) {}
    }

    /// A log whose first `silent` connections in the background are silent until the sender is dropped; counts those opened.
    fn silent_at_first(silent: usize, limits: Limits) -> (Background<Doubtful>, Sender<()>, Arc<AtomicUsize>) {
        let (silence_ends, silence) = mpsc::channel();
        let (opened, silence) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(silence)));
        let counted = Arc::clone(&opened);
        let open = move || {
            let before = counted.fetch_add(1, Ordering::Relaxed);
            Doubtful((1..=silent).contains(&before).then(|| Arc::clone(&silence)))
        };
        (Background::new(limits, open), silence_ends, opened)
    }

    fn bell() -> (Bell, Receiver<()>) {
        let (rang, rung) = mpsc::channel();
        (Arc::new(move || _ = rang.send(())), rung)
    }

    #[test]
    fn nobody_waits_until_the_log_is_folded() {
        let (mut log, silence, opened) = silent_at_first(1, PATIENT);
        for up_to in 1..100 {
            log.fold(up_to).expect("it is being folded");
        }
        assert_eq!(opened.load(Ordering::Relaxed), 2, "one of them folds");
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        drop(silence);
    }

    #[test]
    fn questions_go_on_while_a_turn_is_waited_for_and_who_no_longer_waits_leaves_it_to_others() {
        let (mut log, silence, opened) = silent_at_first(1, PATIENT);
        let (bell, rung) = bell();
        log.ask_turn(&bell);
        assert!(log.turn().is_none(), "another has it");
        assert!(matches!(log.read(&Position::default()), Ok(Tail::Folded)));
        log.pass();
        drop(silence);
        rung.recv().expect("it comes, and nobody wants it any more");
        log.ask_turn(&bell);
        rung.recv().expect("it comes");
        assert!(matches!(log.turn(), Some(Ok(()))));
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        assert!(log.turn().is_some_and(|given| given.is_err()), "it has ended with the append");
        assert_eq!(opened.load(Ordering::Relaxed), 2, "one thread has waited for both");
    }

    #[test]
    fn who_is_given_no_turn_in_time_writes_without_and_asks_for_none_after_the_second() {
        let (mut log, _silence, opened) = silent_at_first(2, Limits { turn: Duration::ZERO, ..PATIENT });
        let (bell, rung) = bell();
        for _ in 0..2 {
            log.ask_turn(&bell);
            assert!(log.turn().is_some_and(|given| given.is_err()), "nothing was said in time");
            assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        }
        for _ in 0..10 {
            log.ask_turn(&bell);
            rung.recv().expect("at once");
            assert!(log.turn().is_some_and(|given| given.is_err()));
        }
        assert_eq!(opened.load(Ordering::Relaxed), 3, "none is left behind but the silent ones");
        log.limits = Limits { turn: PATIENT.turn, without: Duration::ZERO };
        log.ask_turn(&bell);
        rung.recv().expect("a new connection is not silent");
        assert!(matches!(log.turn(), Some(Ok(()))));
    }
}
