//! Plays random histories on both services, compares reply by reply, and shrinks those that differ.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use libros_conformance::clock;
use libros_conformance::generate::inputs::{dice, shrunk};
use libros_conformance::http::exchange::Exchange;
use libros_conformance::oracle::totp::STEP_MS;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use super::compare::{Comparison, Difference};

use super::memory::Memory;
use super::pair::{Caller, Services};
use super::pairing::Pairing;
use super::play::Player;
use super::step::{Act, Step};
use super::ways::history;

/// Stops after this many differences.
const TOLD_MAX: usize = 6;

/// Tries of simpler steps before steps are left out.
const SHRINKS_MAX: usize = 150;

/// Distance kept from the edges of a code's step.
const CALM_MS: i64 = 4_000;

/// The results of all histories.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    histories: u64,
    steps: u64,
    /// Replies by status.
    statuses: BTreeMap<u16, u64>,
    /// Replies that accepted a second factor.
    verified: u64,
    pub(crate) differences: Vec<String>,
}

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { histories, steps, statuses, verified, differences } = self;
        let told: Vec<_> = statuses.iter().map(|(status, count)| format!("{count} x {status}")).collect();
        let told = told.join(", ");
        write!(
            f,
            "{histories} histories of {steps} steps played ({told}; {verified} second factors accepted): {} differences",
            differences.len()
        )
    }
}

impl Outcome {
    fn count(&mut self, played: &Played) {
        self.histories += 1;
        self.steps += played.exchanges.len() as u64;
        for [left, _] in &played.exchanges {
            let Ok(reply) = &left.received else { continue };
            *self.statuses.entry(reply.status).or_default() += 1;
            self.verified += u64::from(reply.body.starts_with(br#"{"verificado":true"#));
        }
    }
}

pub(crate) fn run(histories: u64, seed: u64) -> Outcome {
    let services = Services::start();
    let stage = Stage { services: &services };
    let mut outcome = Outcome::default();
    let mut known = BTreeSet::new();
    for number in 0..histories {
        let mut tree = history().new_tree(&mut runner(seed, number)).unwrap();
        let drawn = tree.current();
        let played = stage.play(&drawn);
        outcome.count(&played);
        if played.difference.is_none() {
            continue;
        }
        let smaller = stage.smaller(&mut tree);
        let again = stage.play(&smaller);
        // A difference that does not recur is a race: then the whole history is reported.
        let told = if again.difference.is_some() { again } else { played };
        if known.insert(told.headline()) {
            outcome.differences.push(format!("history {number}\n{}", told.text()));
        }
        if outcome.differences.len() >= TOLD_MAX {
            break;
        }
    }
    outcome
}

fn runner(seed: u64, number: u64) -> TestRunner {
    let config = Config { failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, dice(seed, &format!("history {number}")))
}

/// One history: all exchanges until the first difference.
struct Played {
    exchanges: Vec<[Exchange; 2]>,
    /// For each exchange, how far both clocks were moved before it.
    waits: Vec<f64>,
    difference: Option<Difference>,
}

impl Played {
    /// As `curl` lines, with the last replies.
    fn text(&self) -> String {
        let mut text = String::new();
        for ([left, _], wait) in self.exchanges.iter().zip(&self.waits) {
            if *wait > 0.0 {
                text.push_str(&format!("# both clocks {wait} s ahead\n"));
            }
            text.push_str(&format!("{}\n", left.sent.curl()));
        }
        if let Some([left, right]) = self.exchanges.last() {
            text.push_str(&format!("reference:\n{}impostor:\n{}", left.transcript(), right.transcript()));
        }
        if let Some(Difference { place, left, right }) = &self.difference {
            text.push_str(&format!("differs: {place}\n  reference {left}\n  impostor  {right}\n"));
        }
        text
    }

    /// The difference and its request, to report each only once.
    fn headline(&self) -> String {
        let place = self.difference.as_ref().map_or("", |difference| &difference.place);
        let sent = self.exchanges.last().map(|[left, _]| format!("{} {}", left.sent.method, left.sent.path));
        format!("{place} of {}", sent.unwrap_or_default())
    }
}

struct Stage<'a> {
    services: &'a Services,
}

impl Stage<'_> {
    fn play(&self, history: &[Step]) -> Played {
        self.services.reset();
        let mut caller = self.services.caller();
        let mut memory = Memory::default();
        let mut pairing = Pairing::default();
        let mut played = Played { exchanges: Vec::new(), waits: Vec::new(), difference: None };
        let mut ahead_s = 0.0;
        for step in history {
            let mut wait = match step.act {
                Act::Wait(seconds) => seconds,
                _ => 0.0,
            };
            wait += calm(ahead_s + wait);
            if wait > 0.0 {
                self.services.advance(wait);
                ahead_s += wait;
            }
            let found = self.act(step, ahead_s, &mut caller, &mut memory, &mut pairing);
            let Some((exchanges, compared)) = found else { continue };
            played.exchanges.push(exchanges);
            played.waits.push(wait);
            if let Err(difference) = compared {
                played.difference = Some(difference);
                return played;
            }
        }
        played
    }

    fn act(
        &self,
        step: &Step,
        ahead_s: f64,
        caller: &mut Caller<'_>,
        memory: &mut Memory,
        pairing: &mut Pairing,
    ) -> Option<([Exchange; 2], Result<(), Difference>)> {
        let now_ms = clock::unix_ms() + ahead_ms(ahead_s);
        let player = |side| Player { credentials: self.services.credentials(), memory, now_ms, side };
        let asks = [player(0).ask(step)?, player(1).ask(step)?];
        let owner = player(0).owner(step);
        let exchanges = [0, 1].map(|side| caller.ask(side, &asks[side]));
        let told = exchanges.each_ref().map(|exchange| exchange.received.clone());
        let compared = match &told {
            [Ok(left), Ok(right)] => {
                let compared = Comparison { pairing, is_head: asks[0].method == "HEAD" }.replies(left, right);
                memory.learn(&asks[0].path, owner, left, right);
                compared
            }
            [Err(_), Err(_)] => Ok(()),
            [left, right] => {
                let shown = |told| Result::as_ref(told).map_or_else(ToString::to_string, |_| "a reply".to_owned());
                let [left, right] = [left, right].map(shown);
                Err(Difference { place: "whether there is a reply".to_owned(), left, right })
            }
        };
        Some((exchanges, compared))
    }

    /// A smaller history that still differs: simplifies steps, then leaves them out.
    fn smaller(&self, tree: &mut impl ValueTree<Value = Vec<Step>>) -> Vec<Step> {
        let differs = |steps: &[Step]| self.play(steps).difference.is_some();
        let mut best = shrunk(tree, SHRINKS_MAX, |steps| differs(steps));
        let mut size = best.len() / 2;
        while size > 0 {
            let mut at = 0;
            while at < best.len() {
                let mut candidate = best.clone();
                candidate.drain(at..(at + size).min(best.len()));
                if differs(&candidate) {
                    best = candidate;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
        best
    }
}

fn ahead_ms(seconds: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "whole seconds, a few years of them")]
    let ms = (seconds * 1_000.0).round() as i64;
    ms
}

/// Seconds to move away from the edge of a code's step, where the two services might be on either side.
fn calm(ahead_s: f64) -> f64 {
    let at = (clock::unix_ms() + ahead_ms(ahead_s)).rem_euclid(STEP_MS);
    if at < CALM_MS {
        5.0
    } else if at > STEP_MS - CALM_MS {
        10.0
    } else {
        0.0
    }
}
