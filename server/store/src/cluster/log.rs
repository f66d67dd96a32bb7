//! What replicas ask of the log they share: an ordered list of entries, each the changes of one commit, numbered from 1
//! without a gap. Knows no database.

use std::time::Duration;

use super::threads;
use crate::interface::Bell;
use crate::record::Change;
use crate::rows::Rows;

/// How long to wait before asking again whether an entry is there.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: u64,
    /// Random: its writer recognises the entry by it.
    pub(crate) token: String,
    /// Encoded.
    pub(crate) changes: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Appended {
    Added,
    /// There are more entries than the writer knew of; nothing was added.
    NotLast,
}

/// Why an entry was not added, or why that is not known.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppendError {
    #[error("{0:#}")]
    Refused(anyhow::Error),
    /// It may be there already, or come to be there later, but at no other place than the one asked for.
    #[error("{0:#}")]
    InDoubt(anyhow::Error),
    /// As in doubt, after all the time that one may wait.
    #[error("{0:#}")]
    Silent(anyhow::Error),
}

/// The entries after one.
#[derive(Debug)]
pub(crate) enum Tail {
    /// The entries after it, in order; `is_whole` if no entry is missing.
    Entries { entries: Vec<Entry>, is_whole: bool },
    /// Some of them have been folded away.
    Folded,
    /// The log does not have what was read before, for this reason: entries were lost.
    Lost(String),
}

/// The position of a reader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) number: u64,
    /// The token of that entry; `None` for one that was folded away before it was read, and at the beginning.
    pub(crate) token: Option<String>,
}

/// What became of the first changes of all.
#[derive(Debug)]
pub(crate) enum Filled {
    /// They are to be appended like any others.
    Append,
    /// They are there, and the log is at this position.
    There(Position),
    /// Others have stored something first.
    Overtaken,
}

/// Turns of those who append, one after the other. A turn keeps others from appending for a while, if all goes well; it proves nothing.
pub(crate) trait Turns {
    /// Asks for a turn, and returns at once; the bell rings when it has come, or will not come.
    fn ask_turn(&mut self, bell: &Bell);

    /// The outcome of the request for a turn; `None` while it is pending. The turn ends with the next append.
    fn turn(&mut self) -> Option<anyhow::Result<()>>;

    /// Gives a turn back, or no longer waits for one.
    fn pass(&mut self);
}

/// A log that others can be held off from, for as long as its connection lasts and its owner is not idle for long.
pub(crate) trait Hold {
    /// Waits until no other connection holds it. The next append releases it.
    fn hold(&mut self) -> anyhow::Result<()>;

    fn let_go(&mut self);
}

pub(crate) trait Log: Send {
    /// Appends an entry if `after` is the last one. Durable and visible to all replicas on return.
    fn append(&mut self, after: u64, token: &str, changes: &str) -> Result<Appended, AppendError>;

    /// Stores the first changes of all outside the log, if they are too many for an entry.
    fn fill(&mut self, changes: &[Change]) -> anyhow::Result<Filled> {
        _ = changes;
        Ok(Filled::Append)
    }

    /// The entries after a position. Sees every entry that was confirmed before the call. Fails when the log cannot be asked.
    fn read(&mut self, position: &Position) -> anyhow::Result<Tail>;

    /// Everything as it is by now.
    fn load(&mut self) -> anyhow::Result<(Position, Rows)>;

    /// Folds the entries up to this one into the snapshot, now or later.
    fn fold(&mut self, up_to: u64) -> anyhow::Result<()>;

    /// Lets some time pass.
    fn pause(&mut self) {
        threads::sleep(PAUSE);
    }
}
