//! The submissions of the next commit: their changes in one list, and the callers that wait. Commits nothing.

use futures_channel::oneshot;

use super::interface::NotDurable;
use super::order::{Decision, Fate, Submission};
use super::record::Change;

/// Most submissions in one commit; limits how long the first waits for the last.
pub(super) const GROUP_MAX: usize = 1024;

/// Submissions in their order: durable together or not at all, except for decisions that were dropped.
#[derive(Default)]
pub(super) struct Group {
    pub(super) waiting: Vec<Waiting>,
    pub(super) changes: Vec<Change>,
}

pub(super) struct Waiting {
    decision: Box<dyn Decision>,
    confirm: oneshot::Sender<Fate>,
    /// The number of its changes in the group.
    changes: usize,
    is_rejected: bool,
}

impl Waiting {
    fn resolve(self, fate: Fate) {
        self.decision.on_commit(fate.is_ok());
        // It does not matter if the caller no longer waits.
        _ = self.confirm.send(fate);
    }
}

impl Group {
    pub(super) fn push(&mut self, submission: Submission) {
        let Submission { mut changes, decision, confirm } = submission;
        self.waiting.push(Waiting { decision, confirm, changes: changes.len(), is_rejected: false });
        self.changes.append(&mut changes);
    }

    pub(super) fn is_full(&self) -> bool {
        self.waiting.len() >= GROUP_MAX
    }

    /// Removes the changes of dropped decisions.
    pub(super) fn leave_out_rejected(&mut self) {
        if self.waiting.iter().all(|one| one.decision.stands()) {
            return;
        }
        let mut changes = std::mem::take(&mut self.changes).into_iter();
        for one in &mut self.waiting {
            let own = changes.by_ref().take(one.changes);
            if one.decision.stands() {
                self.changes.extend(own);
            } else {
                own.for_each(drop);
                one.changes = 0;
                one.is_rejected = true;
            }
        }
    }

    /// Lets the callers of dropped decisions decide again; returns their number.
    pub(super) fn drain_rejected(&mut self) -> usize {
        self.leave_out_rejected();
        let rejected = self.waiting.extract_if(.., |one| one.is_rejected);
        rejected.map(|one| one.resolve(Err(NotDurable::Overtaken))).count()
    }

    /// Sends the result to every caller, in order.
    pub(super) fn resolve(&mut self, fate: Fate, of_rejected: NotDurable) {
        self.changes.clear();
        for one in self.waiting.drain(..) {
            let fate = if one.is_rejected { Err(of_rejected) } else { fate };
            one.resolve(fate);
        }
    }
}
