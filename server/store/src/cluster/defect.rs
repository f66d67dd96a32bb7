//! Defects that the log had, or would have without a line that looks needless. The simulation puts them back, and must find each.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defect {
    /// A leader that was replaced is read from for as long as it answers.
    ReadsWithoutLease,
    /// A new leader is used at once, while others may still read from the one before.
    UsesNewLeaderAtOnce,
    /// A leader that waits for no standby any more is relied on at once.
    ReliesOnLoneLeader,
    /// A session counts as open before it has committed anything.
    SkipsProof,
    /// An entry in doubt that is found in its place is taken for another's, and added once more.
    ForgetsDoubt,
    /// A call waits for its answer for ever.
    WaitsForEver,
    /// The database lets a silent server keep its turn.
    KeepsTurn,
    /// A turn is given back over a connection that may be silent, and the next one waits for that.
    GivesBackOverSilence,
}

#[cfg(test)]
thread_local! {
    /// The defect of this thread.
    pub(super) static PUT_BACK: std::cell::Cell<Option<Defect>> = const { std::cell::Cell::new(None) };
}

impl Defect {
    pub(super) fn is_back(self) -> bool {
        #[cfg(test)]
        let back = PUT_BACK.get();
        #[cfg(not(test))]
        let back = None;
        back == Some(self)
    }
}
