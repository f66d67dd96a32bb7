//! The writer: commits waiting submissions together (group commit), and takes turns with other processes that write to the store.
//!
//! It commits at once until another process has written first. Then it asks for turns. Callers about to write wait for the turn, so that
//! they decide on the newest state, and one commit takes all waiting submissions. A turn only makes conflicts rare: with or without it,
//! the store checks each commit. Changes become durable in the order of submission. Knows no store in particular.

use std::mem;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use super::followers::Followers;
use super::group::Group;
use super::interface::{Bell, NotDurable, Store};
use super::order::Order;
use super::sync::Receiver;

/// How often an idle replica reads the writes of the others: local reads are at most this stale while the store answers.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How long, and how many times at most, a turn waits for the next caller that is about to write: other replicas wait meanwhile.
const AWAITED_FOR: Duration = Duration::from_millis(1);
const AWAITED_AT_MOST: u8 = 32;

/// Rounds of waiting for a turn before a catch-up shows whether the store still answers.
const ROUNDS_MAX: u8 = 64;

/// After this many turns without a write of another process, the writer takes no more turns.
const TURNS_AFTER_OTHERS: u8 = 8;

/// Carries out orders, one round after the other.
pub(super) struct Writer<S> {
    store: S,
    orders: Receiver<Order>,
    group: Group,
    followers: Followers,
    turns: Turns,
    is_stopping: bool,
}

/// The turns that processes take which write to the same store.
#[derive(Default)]
struct Turns {
    current: Turn,
    /// Turns still to take before it commits without one.
    due: u8,
    /// Wakes this thread when a turn comes; `None` unless the store is shared.
    bell: Option<Bell>,
    /// Whether the store gave no turn the last time.
    are_denied: bool,
}

#[derive(Clone, Copy, Default)]
enum Turn {
    #[default]
    Unasked,
    /// Rounds left until a catch-up shows whether the store still answers.
    Asked { rounds: u8 },
    /// Lasts until the group has `complete` submissions, no more come, or it has waited `waits` times.
    Come { complete: usize, waits: u8 },
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Stored,
    /// It held no changes.
    Nothing,
    Failed,
    /// Others wrote first. The group still waits.
    Overtaken,
}

impl<S: Store> Writer<S> {
    pub(super) fn new(store: S, orders: Receiver<Order>) -> Self {
        Self {
            store,
            orders,
            group: Group::default(),
            followers: Followers::default(),
            turns: Turns::default(),
            is_stopping: false,
        }
    }

    pub(super) fn write_until_stopped(mut self) {
        while !self.is_stopping && !self.followers.is_lost {
            let first = if self.followers.is_shared() {
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
        if matches!(self.turns.current, Turn::Come { .. }) { AWAITED_FOR } else { LOOK_EVERY }
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

    /// The work when no order came for a while.
    fn idle_round(&mut self) {
        match self.turns.current {
            Turn::Come { .. } => self.end_turn(),
            Turn::Unasked => _ = self.followers.catch_up(&mut self.store),
            Turn::Asked { .. } => self.await_turn(0),
        }
    }

    fn round(&mut self, first: Order) {
        self.receive(Some(first));
        match self.turns.current {
            _ if self.is_stopping => self.finish(),
            Turn::Unasked if self.turns.due == 0 => self.commit_at_once(),
            Turn::Unasked => self.ask_turn(),
            Turn::Asked { rounds } => self.await_turn(rounds),
            Turn::Come { complete, waits } => self.go_on(complete, waits),
        }
    }

    fn receive(&mut self, first: Option<Order>) {
        let mut next = first.or_else(|| self.orders.try_recv().ok());
        while let Some(order) = next {
            match order {
                Order::Write(submission) => self.group.push(submission),
                Order::Follow(states, bell) => {
                    self.followers.states = states;
                    self.turns.bell = Some(bell);
                }
                Order::CatchUp(caller) => self.followers.waiting.push(caller),
                Order::Turn => {}
                Order::Stop => self.is_stopping = true,
            }
            next = if self.is_stopping || self.group.is_full() { None } else { self.orders.try_recv().ok() };
        }
    }

    fn commit_at_once(&mut self) {
        if self.commit_and_answer() == Outcome::Overtaken {
            self.turns.due = TURNS_AFTER_OTHERS;
            self.ask_turn();
        }
    }

    /// Commits the group. Unless others wrote first, also answers every waiting caller, and then maintains the store.
    fn commit_and_answer(&mut self) -> Outcome {
        let is_idle = !self.group.is_full();
        let outcome = self.commit_group();
        if outcome != Outcome::Overtaken {
            _ = self.followers.answer(&mut self.store, outcome == Outcome::Stored, |_| true);
            self.store.maintain(is_idle);
        }
        outcome
    }

    /// Asks for the turn if a caller is about to write; readers do not wait for it.
    fn ask_turn(&mut self) {
        let has_writers = !self.group.waiting.is_empty() || self.followers.writers() > 0;
        if let Some(bell) = self.turns.bell.as_ref().filter(|_| has_writers && self.turns.due > 0) {
            self.store.ask_turn(bell);
            self.turns.current = Turn::Asked { rounds: ROUNDS_MAX };
        }
        _ = self.followers.answer(&mut self.store, false, |caller| !caller.writes);
    }

    fn await_turn(&mut self, rounds: u8) {
        let Some(given) = self.store.turn() else {
            let is_due = rounds == 0;
            let asked = if is_due { self.followers.catch_up(&mut self.store) } else { Ok(()) };
            if asked.and_then(|()| self.followers.answer(&mut self.store, is_due, |caller| !caller.writes)).is_err() {
                return self.give_up();
            }
            self.turns.current = Turn::Asked { rounds: if is_due { ROUNDS_MAX } else { rounds - 1 } };
            return;
        };
        if let Err(error) = &given
            && !self.turns.are_denied
        {
            tracing::warn!(
                why = format!("{error:#}"),
                "the store gives this replica no turn to write; it writes without"
            );
        }
        self.turns.are_denied = given.is_err();
        self.begin_turn();
    }

    /// Catches up. Callers that waited decide now, callers that decided on an older state decide again.
    fn begin_turn(&mut self) {
        // The following catch-up answers the orders received until here.
        self.receive(None);
        if self.followers.catch_up(&mut self.store).is_err() {
            return self.give_up();
        }
        let rejected = self.group.drain_rejected();
        let writers = self.followers.writers();
        _ = self.followers.answer(&mut self.store, true, |_| true);
        self.go_on(self.group.waiting.len() + rejected + writers, AWAITED_AT_MOST);
    }

    fn go_on(&mut self, complete: usize, waits: u8) {
        if waits == 0 || self.is_stopping || self.group.is_full() || self.group.waiting.len() >= complete {
            self.end_turn();
        } else {
            self.turns.current = Turn::Come { complete, waits: waits - 1 };
        }
    }

    fn end_turn(&mut self) {
        self.turns.current = Turn::Unasked;
        let is_idle = !self.group.is_full();
        let outcome = self.commit_group();
        if outcome == Outcome::Nothing {
            self.store.pass();
        }
        let has_others = mem::take(&mut self.followers.has_news) || outcome == Outcome::Overtaken;
        self.turns.due = if has_others { TURNS_AFTER_OTHERS } else { self.turns.due.saturating_sub(1) };
        let has_turns = self.turns.due > 0;
        _ = self.followers.answer(&mut self.store, outcome == Outcome::Stored, |caller| !(has_turns && caller.writes));
        self.store.maintain(is_idle);
        // Others may have their turn meanwhile.
        self.ask_turn();
    }

    /// Fails every waiting caller.
    fn give_up(&mut self) {
        self.turns.current = Turn::Unasked;
        self.store.pass();
        self.group.resolve(Err(NotDurable::Failed), NotDurable::Failed);
        self.followers.fail();
    }

    /// Commits what still waits at a stop. Asks for no turn.
    fn finish(&mut self) {
        if !matches!(self.turns.current, Turn::Unasked) {
            self.store.pass();
        }
        while self.commit_and_answer() == Outcome::Overtaken {
            if self.followers.catch_up(&mut self.store).is_err() {
                return self.give_up();
            }
        }
    }

    /// Commits the decisions of the group that were not dropped, and sends the results.
    fn commit_group(&mut self) -> Outcome {
        // Without other writers only a failed commit drops a decision. With them the caller should decide again.
        let of_rejected = if self.followers.is_shared() { NotDurable::Overtaken } else { NotDurable::Failed };
        self.group.leave_out_rejected();
        let changes = &self.group.changes;
        if changes.is_empty() {
            // The group has only refusals, which waited for earlier groups.
            self.group.resolve(Ok(()), of_rejected);
            return Outcome::Nothing;
        }
        let (fate, outcome) = match self.store.commit(changes) {
            Ok(()) => (Ok(()), Outcome::Stored),
            Err(error) if error.downcast_ref() == Some(&NotDurable::Overtaken) => {
                if self.followers.is_shared() {
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
}
