//! The states that follow the writes of other processes, and the callers that wait until the states are current. Asks the store only
//! when the writer says so. Commits nothing, and knows nothing of turns.

use std::sync::Arc;

use super::interface::{NotDurable, Store};
use super::order::{CatchUp, Fate, Follower};

#[derive(Default)]
pub(super) struct Followers {
    pub(super) states: Vec<Arc<dyn Follower>>,
    /// Callers that wait for the newest state.
    pub(super) waiting: Vec<CatchUp>,
    /// Whether others have written since the last turn.
    pub(super) has_news: bool,
    /// Whether the last catch-up failed because the store could not be asked.
    is_cut: bool,
    /// Whether a state could not read a write. Then no caller gets a result.
    pub(super) is_lost: bool,
}

impl Followers {
    /// Whether other processes write to the store.
    pub(super) fn is_shared(&self) -> bool {
        !self.states.is_empty()
    }

    /// How many of the waiting callers are about to write.
    pub(super) fn writers(&self) -> usize {
        self.waiting.iter().filter(|caller| caller.writes).count()
    }

    /// Answers the callers that `selects` selects once the states are current; catches up first unless they are.
    pub(super) fn answer(
        &mut self,
        store: &mut impl Store,
        are_current: bool,
        selects: impl Fn(&CatchUp) -> bool,
    ) -> Fate {
        if !self.waiting.iter().any(&selects) {
            return Ok(());
        }
        let fate = if are_current { Ok(()) } else { self.catch_up(store) };
        for caller in self.waiting.extract_if(.., |caller| selects(caller)) {
            _ = caller.result.send(fate);
        }
        fate
    }

    /// Fails every waiting caller.
    pub(super) fn fail(&mut self) {
        for caller in self.waiting.drain(..) {
            _ = caller.result.send(Err(NotDurable::Failed));
        }
    }

    /// Applies everything that other processes have committed by now.
    pub(super) fn catch_up(&mut self, store: &mut impl Store) -> Fate {
        let was_cut = self.is_cut;
        let news = store.news().map_err(|error| {
            if !was_cut {
                tracing::error!(
                    why = format!("{error:#}"),
                    "the store that replicas share cannot be used: requests that need it are answered 500; trying again"
                );
            }
            NotDurable::Failed
        });
        self.is_cut = news.is_err();
        let news = news?;
        if was_cut {
            tracing::warn!("the store that replicas share can be used again");
        }
        if news.is_empty() {
            return Ok(());
        }
        self.has_news = true;
        for state in &self.states {
            if let Err(why) = state.take_in(&news) {
                tracing::error!(
                    why,
                    "WHAT ANOTHER REPLICA WROTE CANNOT BE READ: this one answers 500 until it is started again"
                );
                self.is_lost = true;
                return Err(NotDurable::Failed);
            }
        }
        Ok(())
    }
}
