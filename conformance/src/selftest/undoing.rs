//! Faults whose writes reach what other cases have prepared, so that cases side by side undo each other's preparations. Judges none.

/// Each is judged by one case at a time: of several, some were blocked or failed by what another wrote, others from run to run.
pub(super) const UNDOING: [&str; 9] = [
    "created-user-listed-twice",
    "delete-removes-the-next-too",
    "deletes-race",
    "deletes-stamp-other-books",
    "refused-creates-restore",
    "replaces-race",
    "slow-creates-restore",
    "slow-replaces-keep-their-place",
    "slow-replaces-restore",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impostor::faults;

    #[test]
    fn each_is_a_fault() {
        assert!(UNDOING.iter().all(|id| faults::find(id).is_some()));
    }
}
