//! A log that answers within a bound or counts as silent: a database may be reached and yet say nothing, for as long as it likes.
//!
//! Each call runs on a thread that owns a log. A call that takes too long is left behind with its thread and its connection, and
//! the next one gets new ones. Who waits for a turn does so on a second thread, and the log is folded on a third, so that questions go
//! on. Knows no database.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::time::Duration;
use std::{mem, thread};

use anyhow::anyhow;

use super::super::interface::Bell;
use super::log::{AppendError, Appended, Hold, Log, Position, Tail, Turns};
use super::rows::Rows;

/// Threads that may wait for a silent log; beyond them nothing more is asked.
const LEFT_BEHIND_AT_MOST: usize = 8;

/// A call, on the thread that owns the log.
type Call<L> = Box<dyn FnOnce(&mut L) + Send>;

/// How long calls may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// An append, or a read of what is new.
    pub(crate) answer: Duration,
    /// A read of everything.
    pub(crate) everything: Duration,
}

/// A log whose calls end in time.
pub(crate) struct Deadline<L> {
    open: Box<dyn Fn() -> L + Send>,
    limits: Limits,
    /// Leads to the thread in use; none after a call that took too long.
    calls: Option<Sender<Call<L>>>,
    /// Leads to the thread that waits for a turn or has it.
    turns: Option<Sender<Call<L>>>,
    turn: Turn,
    /// Leads to the thread that folds, which lets go of the other end of `folding` when it has.
    folds: Option<Sender<Call<L>>>,
    folding: Option<Receiver<()>>,
    /// Each thread holds one more.
    threads: Arc<()>,
}

enum Turn {
    Unasked,
    Asked(Receiver<anyhow::Result<()>>),
    Come,
}

impl<L> std::fmt::Debug for Deadline<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deadline").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<L: Log + 'static> Deadline<L> {
    pub(crate) fn new(limits: Limits, open: impl Fn() -> L + Send + 'static) -> Self {
        Self {
            open: Box::new(open),
            limits,
            calls: None,
            turns: None,
            turn: Turn::Unasked,
            folds: None,
            folding: None,
            threads: Arc::new(()),
        }
    }

    /// Calls the log.
    ///
    /// # Errors
    /// When it does not answer in time; what was asked may happen still.
    fn call<T: Send + 'static>(
        &mut self,
        within: Duration,
        call: impl FnOnce(&mut L) -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        let mut calls = self.calls.take();
        let answer = self.call_on(&mut calls, within, call);
        self.calls = calls;
        answer
    }

    /// As [`Deadline::call`], on the thread that `line` leads to; a new one where there is none.
    fn call_on<T: Send + 'static>(
        &self,
        line: &mut Option<Sender<Call<L>>>,
        within: Duration,
        call: impl FnOnce(&mut L) -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        let calls = match line.take() {
            Some(calls) => calls,
            None => self.thread()?,
        };
        let (answer, answered) = mpsc::channel();
        // Nobody listens any more to an answer that comes too late.
        let call = Box::new(move |log: &mut L| drop(answer.send(call(log))));
        calls.send(call).map_err(|_| anyhow!("the thread that asks the database has ended"))?;
        let answer = answered.recv_timeout(within);
        let answer = answer.map_err(|_| anyhow!("THE DATABASE IS REACHED AND SAYS NOTHING for {within:?}"))?;
        *line = Some(calls);
        Ok(answer)
    }

    fn thread(&self) -> anyhow::Result<Sender<Call<L>>> {
        if Arc::strong_count(&self.threads) > LEFT_BEHIND_AT_MOST {
            return Err(anyhow!(
                "the database is reached and says nothing: {LEFT_BEHIND_AT_MOST} questions wait for it already"
            ));
        }
        let (calls, asked) = mpsc::channel::<Call<L>>();
        let mut log = (self.open)();
        let one_of_them = Arc::clone(&self.threads);
        thread::Builder::new().name("shared log".into()).spawn(move || {
            let _one_of_them = one_of_them;
            for call in asked {
                call(&mut log);
            }
        })?;
        Ok(calls)
    }
}

impl<L: Log + Hold + 'static> Turns for Deadline<L> {
    fn ask_turn(&mut self, bell: &Bell) {
        let (answer, answered) = mpsc::channel();
        // Where nobody is there to answer, none is what comes of it.
        self.turn = Turn::Asked(answered);
        let Some(calls) = self.turns.take().or_else(|| self.thread().ok()) else { return bell() };
        let bell = Arc::clone(bell);
        let hold = move |log: &mut L| {
            _ = answer.send(log.hold());
            bell();
        };
        if calls.send(Box::new(hold)).is_ok() {
            self.turns = Some(calls);
        }
    }

    fn turn(&mut self) -> Option<anyhow::Result<()>> {
        let given = match &self.turn {
            Turn::Asked(answered) => match answered.try_recv() {
                Ok(given) => given,
                Err(TryRecvError::Empty) => return None,
                Err(TryRecvError::Disconnected) => Err(anyhow!("nobody is left to wait for a turn")),
            },
            Turn::Come => Ok(()),
            Turn::Unasked => Err(anyhow!("nobody asked for a turn")),
        };
        self.turn = if given.is_ok() { Turn::Come } else { Turn::Unasked };
        Some(given)
    }

    fn pass(&mut self) {
        match mem::replace(&mut self.turn, Turn::Unasked) {
            Turn::Unasked => {}
            // What it waited for ends with its connection, as soon as it has it.
            Turn::Asked(_) => self.turns = None,
            Turn::Come => {
                let mut turns = self.turns.take();
                if self.call_on(&mut turns, self.limits.answer, Hold::let_go).is_ok() {
                    self.turns = turns;
                }
            }
        }
    }
}

impl<L: Log + Hold + 'static> Log for Deadline<L> {
    fn append(&mut self, after: u64, token: &str, changes: &str) -> Result<Appended, AppendError> {
        let (token, changes) = (token.to_owned(), changes.to_owned());
        let append = move |log: &mut L| log.append(after, &token, &changes);
        let answer = if let Turn::Come = self.turn {
            self.turn = Turn::Unasked;
            let mut turns = self.turns.take();
            let answer = self.call_on(&mut turns, self.limits.answer, append);
            self.turns = turns;
            answer
        } else {
            self.call(self.limits.answer, append)
        };
        answer.unwrap_or_else(|silent| Err(AppendError::Silent(silent)))
    }

    fn read(&mut self, position: &Position) -> anyhow::Result<Tail> {
        let position = position.clone();
        self.call(self.limits.answer, move |log| log.read(&position))?
    }

    fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
        self.call(self.limits.everything, Log::load)?
    }

    /// Begins to, unless the last time has not come to its end.
    fn fold(&mut self, up_to: u64) -> anyhow::Result<()> {
        if self.folding.as_ref().is_some_and(|folding| folding.try_recv() == Err(TryRecvError::Empty)) {
            return Ok(());
        }
        let calls = match self.folds.take() {
            Some(calls) => calls,
            None => self.thread()?,
        };
        let (ends, folding) = mpsc::channel::<()>();
        let fold = move |log: &mut L| {
            if let Err(error) = log.fold(up_to) {
                let why = format!("{error:#}");
                tracing::warn!(why, "the log cannot be folded; it stays as it is");
            }
            drop(ends);
        };
        calls.send(Box::new(fold)).map_err(|_| anyhow!("the thread that folds the log has ended"))?;
        (self.folds, self.folding) = (Some(calls), Some(folding));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    const LIMITS: Limits = Limits { answer: Duration::from_millis(20), everything: Duration::from_secs(60) };

    /// Says nothing until its sender is dropped, where it has one.
    struct Doubtful(Option<Receiver<()>>);

    impl Log for Doubtful {
        fn append(&mut self, _: u64, _: &str, _: &str) -> Result<Appended, AppendError> {
            if let Some(silence) = &self.0 {
                let _ended = silence.recv();
            }
            Ok(Appended::Added)
        }

        fn read(&mut self, _: &Position) -> anyhow::Result<Tail> {
            Ok(Tail::Folded)
        }

        fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
            Ok((Position::default(), Rows::default()))
        }

        fn fold(&mut self, _: u64) -> anyhow::Result<()> {
            if let Some(silence) = &self.0 {
                let _ended = silence.recv();
            }
            Ok(())
        }
    }

    impl Hold for Doubtful {
        fn hold(&mut self) -> anyhow::Result<()> {
            if let Some(silence) = &self.0 {
                let _ended = silence.recv();
            }
            Ok(())
        }

        fn let_go(&mut self) {}
    }

    /// A log of which the first so many connections are silent, until the senders are dropped.
    fn silent_at_first(connections: usize) -> (Deadline<Doubtful>, Vec<Sender<()>>) {
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..connections).map(|_| mpsc::channel()).unzip();
        let receivers = Mutex::new(receivers);
        let open = move || Doubtful(receivers.lock().ok().and_then(|mut receivers| receivers.pop()));
        (Deadline::new(LIMITS, open), senders)
    }

    #[test]
    fn a_call_that_is_not_answered_is_in_doubt_and_the_next_one_asks_anew() {
        let (mut log, _silence) = silent_at_first(1);
        assert!(matches!(log.append(0, "t", ""), Err(AppendError::Silent(_))));
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        assert!(matches!(log.read(&Position::default()), Ok(Tail::Folded)));
    }

    #[test]
    fn no_more_threads_wait_for_a_silent_log_than_the_limit() {
        let (mut log, silence) = silent_at_first(2 * LEFT_BEHIND_AT_MOST);
        for _ in 0..2 * LEFT_BEHIND_AT_MOST {
            assert!(matches!(log.append(0, "t", ""), Err(AppendError::Silent(_))));
        }
        assert_eq!(Arc::strong_count(&log.threads), 1 + LEFT_BEHIND_AT_MOST);
        // It speaks again: those that waited end, and there is room for others.
        drop(silence);
        while Arc::strong_count(&log.threads) > 1 {
            thread::yield_now();
        }
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
    }

    #[test]
    fn nobody_waits_until_the_log_is_folded() {
        let (mut log, silence) = silent_at_first(1);
        for up_to in 1..100 {
            log.fold(up_to).expect("it is being folded");
        }
        assert_eq!(Arc::strong_count(&log.threads), 2, "one of them folds, and nobody else has been asked");
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        drop(silence);
    }

    #[test]
    fn questions_go_on_while_a_turn_is_waited_for_and_who_no_longer_waits_leaves_it_to_others() {
        // The last connection that is told to be silent is the first one opened.
        let (mut log, mut silence) = silent_at_first(1);
        let (rang, rung) = mpsc::channel();
        let bell: Bell = Arc::new(move || _ = rang.send(()));
        log.ask_turn(&bell);
        assert!(log.turn().is_none(), "another has it");
        assert!(matches!(log.read(&Position::default()), Ok(Tail::Folded)));
        log.pass();
        drop(silence.pop());
        rung.recv().expect("it comes, and nobody wants it any more");
        log.ask_turn(&bell);
        rung.recv().expect("it comes");
        assert!(matches!(log.turn(), Some(Ok(()))));
        assert!(matches!(log.append(0, "t", ""), Ok(Appended::Added)));
        assert!(log.turn().is_some_and(|given| given.is_err()), "it has ended with the append");
    }
}
