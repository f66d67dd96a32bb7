//! The log of replicas, in types: entries in order, each the changes of one commit, numbered from 1 without a gap. Knows no database.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: i64,
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
    /// It may be stored now or later, but only at the place asked for.
    #[error("{0:#}")]
    InDoubt(anyhow::Error),
    /// In doubt, too, and the caller has waited as long as it may.
    #[error("{0:#}")]
    Silent(anyhow::Error),
}

#[derive(Debug)]
pub(crate) enum Tail {
    /// The entries after it, in order; `is_whole` if no entry is missing.
    Entries { entries: Vec<Entry>, is_whole: bool },
    /// Some of them have been folded away.
    Folded,
    /// The log does not have what was read before, for this reason: entries were lost.
    Lost(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) number: i64,
    /// The token of that entry; `None` for one that was folded away before it was read, and at the beginning.
    pub(crate) token: Option<String>,
}

/// The result of storing the first changes of all.
#[derive(Debug)]
pub(crate) enum Filled {
    /// They are to be appended like any others.
    Append,
    /// They are there, and the log is at this position.
    There(Position),
    /// Others have stored something first.
    Overtaken,
}
