//! The writer: commits what waits in one go (group commit), and where other processes write to the same store, takes in what
//! they wrote and takes turns with them.
//!
//! It commits at once while no other writer has come first. Otherwise it asks for its turn; callers about to write wait
//! until it has come, so that nothing is decided in vain, and then all that has gathered meanwhile is decided and committed as one.
//! A turn only makes conflicts rare. With or without it, the store checks each commit, and that readers are current.
//! Changes become durable in the order of submission. Knows no store in particular.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::group::Group;
use super::interface::{Bell, NotDurable, Store};
use super::order::{CatchUp, Fate, Follower, Order};
use super::sync::Receiver;

/// How long a replica without work waits before it reads what the others wrote: local reads are at most this stale while the store answers.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long a turn waits for the next caller that is about to write, and how often at most, since other replicas wait meanwhile.
const AWAITED_FOR: Duration = Duration::from_millis(1);
const AWAITED_AT_MOST: u8 = 32;

/// Rounds of waiting for a turn after which a catch-up shows whether the store still answers.
const UNASKED_AT_MOST: u8 = 64;

/// After this many turns in which no other process wrote, it writes without one.
const TURNS_AFTER_OTHERS: u8 = 8;

/// Carries out orders, one round after the other.
pub(super) struct Writer<S> {
    store: S,
    orders: Receiver<Order>,
    followers: Vec<Arc<dyn Follower>>,
    /// Wakes this thread when a turn comes; only of a shared store.
    bell: Option<Bell>,
    group: Group,
    /// Callers that wait for the newest state.
    behind: Vec<CatchUp>,
    turn: Turn,
    /// Turns still to take before it commits without one.
    turns_due: u8,
    /// Whether others have written since the last turn.
    has_news: bool,
    is_stopping: bool,
    /// Whether the store gave no turn the last time.
    is_turnless: bool,
    /// Whether the store could not be asked the last time.
    is_cut: bool,
    /// Whether something was written that a follower cannot read.
    is_lost: bool,
}

#[derive(Clone, Copy)]
enum Turn {
    Unasked,
    /// Rounds left until a catch-up shows whether the store still answers.
    Asked {
        rounds: u8,
    },
    /// Lasts until the group has `complete` submissions, no more come, or it has waited `waits` times.
    Come {
        complete: usize,
        waits: u8,
    },
}

/// The result of a group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Stored,
    /// It held no changes.
    Nothing,
    Failed,
    /// Others wrote first; it waits on.
    Overtaken,
}

impl<S: Store> Writer<S> {
    pub(super) fn new(store: S, orders: Receiver<Order>) -> Self {
        Self {
            store,
            orders,
            followers: Vec::new(),
            bell: None,
            group: Group::default(),
            behind: Vec::new(),
            turn: Turn::Unasked,
            turns_due: 0,
            has_news: false,
            is_stopping: false,
            is_turnless: false,
            is_cut: false,
            is_lost: false,
        }
    }

    pub(super) fn write_until_stopped(mut self) {
        // It ends at a stop, and when a write of another process cannot be read: no caller gets a result then.
        while !self.is_stopping && !self.is_lost {
            let first = if self.is_shared() {
                self.orders.recv_timeout(self.patience())
            } else {
                self.orders.recv().map_err(|_| RecvTimeoutError::Disconnected)
            };
            match first {
                Ok(first) => self.round(first),
                Err(RecvTimeoutError::Timeout) => self.idle_round(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// How long it waits for orders before the work of an idle round.
    pub(super) fn patience(&self) -> Duration {
        if matches!(self.turn, Turn::Come { .. }) { AWAITED_FOR } else { LOOK_EVERY }
    }

    /// Carries out the waiting orders; without any does the idle work if `is_idle`. Returns whether there were orders.
    #[cfg(all(test, feature = "postgres"))]
    pub(super) fn step(&mut self, is_idle: bool) -> bool {
        let first = self.orders.try_recv().ok();
        let has_orders = first.is_some();
        if let Some(first) = first {
            self.round(first);
        } else if is_idle {
            self.idle_round();
        }
        has_orders
    }

    fn is_shared(&self) -> bool {
        !self.followers.is_empty()
    }

    /// The work when no order came for a while.
    fn idle_round(&mut self) {
        match self.turn {
            Turn::Come { .. } => self.end_turn(),
            Turn::Unasked => _ = self.catch_up(),
            Turn::Asked { .. } => self.await_turn(0),
        }
    }

    fn round(&mut self, first: Order) {
        self.receive(Some(first));
        match self.turn {
            _ if self.is_stopping => self.finish(),
            Turn::Unasked if self.turns_due == 0 => self.commit_at_once(),
            Turn::Unasked => self.ask_turn(),
            Turn::Asked { rounds } => self.await_turn(rounds),
            Turn::Come { complete, waits } => self.go_on(complete, waits),
        }
    }

    /// Takes the orders that have come.
    fn receive(&mut self, first: Option<Order>) {
        let mut next = first.or_else(|| self.orders.try_recv().ok());
        while let Some(order) = next {
            match order {
                Order::Write(submission) => self.group.push(submission),
                Order::Follow(followers, bell) => (self.followers, self.bell) = (followers, Some(bell)),
                Order::CatchUp(waiting) => self.behind.push(waiting),
                Order::Turn => {}
                Order::Stop => self.is_stopping = true,
            }
            next = if self.is_stopping || self.group.is_full() { None } else { self.orders.try_recv().ok() };
        }
    }

    fn commit_at_once(&mut self) {
        let is_idle = !self.group.is_full();
        let outcome = self.commit_group();
        if outcome == Outcome::Overtaken {
            self.turns_due = TURNS_AFTER_OTHERS;
            return self.ask_turn();
        }
        _ = self.answer(outcome == Outcome::Stored, |_| true);
        self.store.maintain(is_idle);
    }

    /// Asks for the turn if a caller is about to write; readers do not wait for it.
    fn ask_turn(&mut self) {
        let has_writers = !self.group.waiting.is_empty() || self.behind.iter().any(|waiting| waiting.writes);
        if let Some(bell) = self.bell.as_ref().filter(|_| has_writers && self.turns_due > 0) {
            self.store.ask_turn(bell);
            self.turn = Turn::Asked { rounds: UNASKED_AT_MOST };
        }
        _ = self.answer(false, |waiting| !waiting.writes);
    }

    fn await_turn(&mut self, rounds: u8) {
        let Some(given) = self.store.turn() else {
            let is_due = rounds == 0;
            let asked = if is_due { self.catch_up() } else { Ok(()) };
            if asked.and_then(|()| self.answer(is_due, |waiting| !waiting.writes)).is_err() {
                return self.give_up();
            }
            self.turn = Turn::Asked { rounds: if is_due { UNASKED_AT_MOST } else { rounds - 1 } };
            return;
        };
        if let Err(error) = &given
            && !self.is_turnless
        {
            tracing::warn!(
                why = format!("{error:#}"),
                "the store gives this replica no turn to write; it writes without"
            );
        }
        self.is_turnless = given.is_err();
        self.begin_turn();
    }

    /// Catches up. Callers that waited decide now, callers that decided on an older state decide again.
    fn begin_turn(&mut self) {
        // The catch-up that follows answers the orders that have come until here.
        self.receive(None);
        if self.catch_up().is_err() {
            return self.give_up();
        }
        let rejected = self.group.drain_rejected();
        let writers = self.behind.iter().filter(|waiting| waiting.writes).count();
        _ = self.answer(true, |_| true);
        self.go_on(self.group.waiting.len() + rejected + writers, AWAITED_AT_MOST);
    }

    fn go_on(&mut self, complete: usize, waits: u8) {
        if waits == 0 || self.is_stopping || self.group.is_full() || self.group.waiting.len() >= complete {
            self.end_turn();
        } else {
            self.turn = Turn::Come { complete, waits: waits - 1 };
        }
    }

    fn end_turn(&mut self) {
        self.turn = Turn::Unasked;
        let is_idle = !self.group.is_full();
        let outcome = self.commit_group();
        if outcome == Outcome::Nothing {
            self.store.pass();
        }
        let has_others = std::mem::take(&mut self.has_news) || outcome == Outcome::Overtaken;
        self.turns_due = if has_others { TURNS_AFTER_OTHERS } else { self.turns_due.saturating_sub(1) };
        let has_turns = self.turns_due > 0;
        _ = self.answer(outcome == Outcome::Stored, |waiting| !(has_turns && waiting.writes));
        self.store.maintain(is_idle);
        // Others may have their turn meanwhile.
        self.ask_turn();
    }

    /// Fails every waiting caller.
    fn give_up(&mut self) {
        self.turn = Turn::Unasked;
        self.store.pass();
        self.group.resolve(Err(NotDurable::Failed), NotDurable::Failed);
        for waiting in self.behind.drain(..) {
            _ = waiting.result.send(Err(NotDurable::Failed));
        }
    }

    /// Commits what still waits at a stop, without asking for a turn.
    fn finish(&mut self) {
        if !matches!(self.turn, Turn::Unasked) {
            self.store.pass();
        }
        let is_idle = !self.group.is_full();
        let mut outcome = self.commit_group();
        while outcome == Outcome::Overtaken {
            if self.catch_up().is_err() {
                return self.give_up();
            }
            outcome = self.commit_group();
        }
        _ = self.answer(outcome == Outcome::Stored, |_| true);
        self.store.maintain(is_idle);
    }

    /// Commits the decisions of the group that were not dropped, and sends the results.
    fn commit_group(&mut self) -> Outcome {
        // Without other writers only a failed commit drops a decision. With them the caller should decide again.
        let of_rejected = if self.is_shared() { NotDurable::Overtaken } else { NotDurable::Failed };
        self.group.leave_out_rejected();
        let changes = &self.group.changes;
        if changes.is_empty() {
            // Only refusals, which waited for the groups before.
            self.group.resolve(Ok(()), of_rejected);
            return Outcome::Nothing;
        }
        let (fate, outcome) = match self.store.commit(changes) {
            Ok(()) => (Ok(()), Outcome::Stored),
            Err(error) if error.downcast_ref() == Some(&NotDurable::Overtaken) => {
                if self.is_shared() {
                    return Outcome::Overtaken;
                }
                (Err(NotDurable::Overtaken), Outcome::Failed)
            }
            Err(error) => {
                tracing::error!(why = format!("{error:#}"), changes = changes.len(), "changes cannot be stored");
                (Err(NotDurable::Failed), Outcome::Failed)
            }
        };
        self.group.resolve(fate, of_rejected);
        outcome
    }

    /// Answers the waiting calls that `selects` selects once this replica is current; catches up first unless `is_current`.
    fn answer(&mut self, is_current: bool, selects: impl Fn(&CatchUp) -> bool) -> Fate {
        if !self.behind.iter().any(&selects) {
            return Ok(());
        }
        let fate = if is_current { Ok(()) } else { self.catch_up() };
        for waiting in self.behind.extract_if(.., |waiting| selects(waiting)) {
            _ = waiting.result.send(fate);
        }
        fate
    }

    /// Takes in everything that the others have committed by now.
    fn catch_up(&mut self) -> Fate {
        let news = match self.store.news() {
            Ok(news) => news,
            Err(error) => {
                if !self.is_cut {
                    tracing::error!(
                        why = format!("{error:#}"),
                        "the store that replicas share cannot be used: requests that need it are answered 500; trying again"
                    );
                }
                self.is_cut = true;
                return Err(NotDurable::Failed);
            }
        };
        if self.is_cut {
            tracing::warn!("the store that replicas share can be used again");
        }
        self.is_cut = false;
        self.has_news |= !news.is_empty();
        for follower in self.followers.iter().filter(|_| !news.is_empty()) {
            if let Err(why) = follower.take_in(&news) {
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
