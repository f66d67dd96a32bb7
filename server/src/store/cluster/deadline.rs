//! A log that answers within a bound or counts as silent: a database may be reached and yet say nothing, for as long as it likes.
//!
//! Each call runs on a thread that owns a log. A call that takes too long is left behind with its thread and its connection, and
//! the next one gets new ones. Knows no database.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Duration;

use anyhow::anyhow;

use super::log::{AppendError, Appended, Log, Position, Tail};
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
    /// A read of everything, or a fold.
    pub(crate) everything: Duration,
}

/// A log whose calls end in time.
pub(crate) struct Deadline<L> {
    open: Box<dyn Fn() -> L + Send>,
    limits: Limits,
    /// Leads to the thread in use; none after a call that took too long.
    calls: Option<Sender<Call<L>>>,
    /// Each thread holds one more.
    threads: Arc<()>,
}

impl<L> std::fmt::Debug for Deadline<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deadline").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<L: Log + 'static> Deadline<L> {
    pub(crate) fn new(limits: Limits, open: impl Fn() -> L + Send + 'static) -> Self {
        Self { open: Box::new(open), limits, calls: None, threads: Arc::new(()) }
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
        let calls = match self.calls.take() {
            Some(calls) => calls,
            None => self.thread()?,
        };
        let (answer, answered) = mpsc::channel();
        // Nobody listens any more to an answer that comes too late.
        let call = Box::new(move |log: &mut L| drop(answer.send(call(log))));
        calls.send(call).map_err(|_| anyhow!("the thread that asks the database has ended"))?;
        let answer = answered.recv_timeout(within);
        let answer = answer.map_err(|_| anyhow!("THE DATABASE IS REACHED AND SAYS NOTHING for {within:?}"))?;
        self.calls = Some(calls);
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

impl<L: Log + 'static> Log for Deadline<L> {
    fn append(&mut self, after: u64, token: &str, changes: &str) -> Result<Appended, AppendError> {
        let (token, changes) = (token.to_owned(), changes.to_owned());
        let answer = self.call(self.limits.answer, move |log| log.append(after, &token, &changes));
        answer.unwrap_or_else(|silent| Err(AppendError::Silent(silent)))
    }

    fn read(&mut self, position: &Position) -> anyhow::Result<Tail> {
        let position = position.clone();
        self.call(self.limits.answer, move |log| log.read(&position))?
    }

    fn load(&mut self) -> anyhow::Result<(Position, Rows)> {
        self.call(self.limits.everything, Log::load)?
    }

    fn fold(&mut self, up_to: u64) -> anyhow::Result<()> {
        self.call(self.limits.everything, move |log| log.fold(up_to))?
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::Receiver;

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
            Ok(())
        }
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
}
