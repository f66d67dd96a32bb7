//! Defects that the log had, or would have without a line that looks useless. The simulation restores each, and must find it.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Defect {
    /// Reads from a replaced leader as long as it answers.
    ReadsWithoutLease,
    /// Uses a new leader at once, while others may still read from the old one.
    UsesNewLeaderAtOnce,
    /// Relies at once on a leader that no longer waits for a standby.
    ReliesOnLoneLeader,
    /// A session counts as open before it has committed anything.
    SkipsProof,
    /// Takes an entry of its own, whose append was in doubt, for another replica's, and appends it again.
    ForgetsDoubt,
    /// Waits for an answer for ever.
    WaitsForEver,
    /// The database lets a silent server keep its turn.
    KeepsTurn,
    /// Gives a turn back over a connection that may be silent, so that the next turn has to wait.
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
