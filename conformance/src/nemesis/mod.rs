//! Attacks a cluster: clients work on all replicas while faults strike, one at a time; then all is healed and judged.
//!
//! Faults are the profile's commands. Judges only what clients saw.

mod accounts;
mod attack;
mod client;
mod faults;
mod history;
mod judge;
pub(crate) mod page;

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

pub(crate) use crate::nemesis::attack::Attack;

use crate::implementation::profile::Address;
use crate::nemesis::attack::{LOOK, NO_WRITER};
use crate::nemesis::client::{CLIENTS, Client};
use crate::nemesis::faults::{Fault, Faults};
use crate::nemesis::history::{Event, Finding, Outcome, Promise, Seen, microseconds};

/// How long clients work before the first fault, and after each.
const REST: Duration = Duration::from_millis(700);

#[derive(Debug, Clone)]
pub(crate) struct Strike {
    pub(crate) fault: String,
    /// The profile's name of the node, or `all`.
    pub(crate) node: String,
    pub(crate) begun_us: u64,
    pub(crate) healed_us: u64,
    /// When creates succeeded again on every replica.
    pub(crate) recovered_us: Option<u64>,
    /// Longest time without a confirmed create, from its beginning to its recovery.
    pub(crate) pause_us: u64,
}

pub(crate) struct Attacked {
    pub(crate) target: String,
    pub(crate) seed: u64,
    pub(crate) replicas: Vec<String>,
    pub(crate) strikes: Vec<Strike>,
    pub(crate) seen: Seen,
    pub(crate) lasted_us: u64,
    pub(crate) started_at_ms: i64,
    pub(crate) is_interrupted: bool,
}

impl Attack<'_> {
    /// Attacks for `lasting`, heals and judges; calls `tell` with each fault once it is over. Fails if a command failed; heals first.
    pub(crate) fn run(self, lasting: Duration, tell: &mut dyn FnMut(&Strike)) -> Result<Attacked, String> {
        let attack = &self;
        let strikes = thread::scope(|scope| {
            for number in 0..CLIENTS {
                scope.spawn(move || Client::new(attack, number).work());
            }
            scope.spawn(|| accounts::work(attack));
            let strikes = self.strike_all(lasting, tell);
            self.is_over.store(true, Ordering::Relaxed);
            strikes
        })?;
        let (is_interrupted, lasted_us) = (self.is_interrupted(), self.history.now_us());
        if !is_interrupted {
            (0..self.replicas.len()).for_each(|node| judge::read_all(attack, node));
        }
        judge::judge(attack);
        Ok(Attacked {
            target: self.target.name.clone(),
            seed: self.seed,
            replicas: self.replicas.iter().map(Address::url).collect(),
            strikes,
            seen: std::mem::take(&mut *self.history.seen()),
            lasted_us,
            started_at_ms: self.history.started_at_ms,
            is_interrupted,
        })
    }

    fn strike_all(&self, lasting: Duration, tell: &mut dyn FnMut(&Strike)) -> Result<Vec<Strike>, String> {
        let mut faults = Faults::new(self.nemesis, &self.nodes, self.replicas.len(), self.seed);
        let mut strikes: Vec<Strike> = Vec::new();
        self.rest(REST);
        // A cluster that does not recover in time is judged as it is.
        while !self.is_interrupted()
            && self.history.now_us() < microseconds(lasting)
            && strikes.last().is_none_or(|last| last.recovered_us.is_some())
        {
            let strike = self.strike(&faults.draw())?;
            tell(&strike);
            strikes.push(strike);
            self.rest(REST);
        }
        Ok(strikes)
    }

    fn strike(&self, fault: &Fault) -> Result<Strike, String> {
        let begun_us = self.history.now_us();
        self.writer.store(fault.writer.unwrap_or(NO_WRITER), Ordering::Relaxed);
        let begun = fault.begin();
        if begun.is_ok() {
            self.rest(fault.lasts);
        }
        self.writer.store(NO_WRITER, Ordering::Relaxed);
        let healed = fault.heal();
        begun.and(healed)?;
        let healed_us = self.history.now_us();
        let node = if fault.is_of_all { "all".to_owned() } else { self.nodes[fault.node].clone() };
        let recovered_us = thread::scope(|scope| {
            let waits = |replica| scope.spawn(move || self.recovered(replica, healed_us));
            let waiting: Vec<_> = (0..self.replicas.len()).map(waits).collect();
            let ends = waiting.into_iter().map(|wait| wait.join().ok().flatten());
            ends.collect::<Option<Vec<u64>>>()?.into_iter().max()
        });
        if recovered_us.is_none() && !self.is_interrupted() {
            let text = format!(
                "within {} s after `{}` of {node}, creates did not succeed again on every replica",
                self.nemesis.recovers_s, fault.name
            );
            self.history.find(Promise::Liveness, text, healed_us);
        }
        let pause_us = self.pause_us(begun_us, recovered_us.unwrap_or_else(|| self.history.now_us()));
        let pauses_max_s = self.nemesis.pauses_s.unwrap_or(u32::MAX);
        if pause_us > u64::from(pauses_max_s) * 1_000_000 {
            let name = &fault.name;
            let text =
                format!("`{name}` of {node} kept all creates from being confirmed for more than {pauses_max_s} s");
            self.history.find(Promise::Liveness, text, begun_us);
        }
        Ok(Strike { fault: fault.name.clone(), node, begun_us, healed_us, recovered_us, pause_us })
    }

    /// When a create was confirmed on this replica, after all was healed.
    fn recovered(&self, replica: usize, healed_us: u64) -> Option<u64> {
        let limit_us = healed_us + u64::from(self.nemesis.recovers_s) * 1_000_000;
        let mut client = Client::new(self, CLIENTS + replica);
        while client.create(replica).1.is_none() {
            if self.is_interrupted() || self.history.now_us() > limit_us {
                return None;
            }
            thread::sleep(LOOK);
        }
        Some(self.history.now_us()).filter(|now_us| *now_us <= limit_us)
    }

    /// The longest time between these two without a confirmed create.
    fn pause_us(&self, from_us: u64, to_us: u64) -> u64 {
        let seen = self.history.seen();
        let is_create = |event: &&Event| event.is_create && event.outcome == Outcome::Confirmed;
        let ends = seen.events.iter().filter(is_create).map(|event| event.ended_us);
        let mut marks: Vec<u64> =
            ends.filter(|end_us| (from_us..to_us).contains(end_us)).chain([from_us, to_us]).collect();
        marks.sort_unstable();
        marks.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
    }
}

impl Attacked {
    /// The exit code, the verdict, and the class of its colour on a page.
    pub(crate) fn verdict(&self) -> (u8, &'static str, &'static str) {
        let is_judged = !self.strikes.is_empty() && !self.seen.books.is_empty();
        match (self.is_interrupted, self.seen.findings.is_empty(), is_judged) {
            (true, ..) => (130, "interrupted", "interrupted"),
            (false, false, _) => (1, "not-conformant", "not-conformant"),
            (false, true, false) => (4, "nothing was judged", "nothing-judged"),
            (false, true, true) => (0, "conformant", "conformant"),
        }
    }

    /// Broken promises in words, each with the number of findings and the first of them.
    pub(crate) fn broken(&self) -> impl Iterator<Item = (&'static str, usize, &Finding)> {
        Promise::ALL.iter().filter_map(|promise| {
            let mut found = self.seen.findings.iter().filter(|finding| finding.promise == *promise);
            let first = found.next()?;
            Some((promise.sentence(), 1 + found.count(), first))
        })
    }

    pub(crate) fn counts(&self) -> String {
        let of = |outcome| self.seen.events.iter().filter(|event| event.outcome == outcome).count();
        let [confirmed, refused, unknown] = [Outcome::Confirmed, Outcome::Refused, Outcome::Unknown].map(of);
        let (faults, books, codes) = (self.strikes.len(), self.seen.books.len(), self.seen.codes);
        format!(
            "{faults} faults; {confirmed} operations confirmed, {refused} refused, {unknown} unknown; {books} books and {codes} once-only codes judged"
        )
    }
}
