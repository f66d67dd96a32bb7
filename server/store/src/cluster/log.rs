//! The log of replicas, in types: entries in order, each the changes of one commit, numbered from 1 without a gap. Knows no database.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) number: i64,
    /// A random text, by which the writer recognises its entry.
    pub(crate) token: String,
    /// Encoded.
    pub(crate) changes: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Appended {
    Added,
    /// The log has entries that the writer did not know; nothing was added.
    NotLast,
}

/// Why an entry was not added, or why it is in doubt.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AppendError {
    #[error("{0:#}")]
    Refused(anyhow::Error),
    /// The entry may be stored now or later, but only at this place.
    #[error("{0:#}")]
    InDoubt(anyhow::Error),
    /// Also in doubt, and the caller must not wait any longer.
    #[error("{0:#}")]
    Silent(anyhow::Error),
}

#[derive(Debug)]
pub(crate) enum Tail {
    /// The entries after it, in order; `is_whole` if no entry is missing.
    Entries { entries: Vec<Entry>, is_whole: bool },
    /// Some of them have been folded away.
    Folded,
    /// The log lost entries that were read before, for this reason.
    Lost(String),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) number: i64,
    /// The token of that entry; `None` at the beginning, and for an entry that was folded before it was read.
    pub(crate) token: Option<String>,
}

/// The result of storing the first changes of all.
#[derive(Debug)]
pub(crate) enum Filled {
    /// The caller must append them like any others.
    Append,
    /// They are stored, and the log is at this position.
    At(Position),
    /// Others have stored something first.
    Overtaken,
}
