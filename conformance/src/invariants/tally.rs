//! Counts the judged answers of a run by class, and keeps the rules that they broke, each with one answer that did.
//!
//! Keeps one exchange for each rule, however long the run is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use serde_json::Value;

use crate::contract::rule::Contract;
use crate::contract::violation::Mismatch;
use crate::http::client::Judge;
use crate::http::exchange::{Exchange, KEPT_BYTES};
use crate::invariants::answer::Answer;
use crate::invariants::judge;
use crate::invariants::route::{Credential, Route};
use crate::mutex::locked;

/// A class of answers: a route, a status, the kind of credential asked with.
pub type Class = (Route, u16, Option<Credential>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seen {
    pub judged: u32,
    pub broken: BTreeSet<&'static str>,
}

/// A rule that answers broke.
#[derive(Debug, Clone)]
pub struct Broken {
    /// Of the answer that came after the fewest requests of its case, so that playing the case again is short.
    pub mismatch: Mismatch,
    pub exchange: Exchange,
    pub case: String,
    pub answers: u32,
    /// How many answers of these classes were judged.
    pub judged: u32,
    pub classes: BTreeSet<(Route, u16)>,
}

impl Broken {
    /// How often and where: `41 of 44 answers: 404 of GET /libros/<id>, 404 of another path`.
    pub fn extent(&self) -> String {
        const SHOWN: usize = 4;
        let classes = self.classes.iter().map(|(route, status)| format!("{status} of {route}")).take(SHOWN);
        let more =
            self.classes.len().checked_sub(SHOWN).filter(|more| *more > 0).map(|more| format!("and {more} more"));
        let classes: Vec<String> = classes.chain(more).collect();
        let answers = if self.judged == 1 { "answer" } else { "answers" };
        let of_judged = if self.answers < self.judged { format!(" of {}", self.judged) } else { String::new() };
        format!("{}{of_judged} {answers}: {}", self.answers, classes.join(", "))
    }
}

/// One answer of a class, and the cases that received such answers.
#[derive(Debug, Clone)]
pub struct Sample {
    pub exchange: Exchange,
    pub cases: Vec<String>,
}

#[derive(Debug, Default)]
pub struct Tally {
    pub classes: BTreeMap<Class, Seen>,
    pub broken: BTreeMap<&'static str, Broken>,
    /// By class and the members of the body; empty if samples are not kept.
    pub samples: BTreeMap<(Class, Vec<String>), Sample>,
}

impl Tally {
    fn keep(&mut self, class: Class, answer: &Answer<'_>, exchange: &Exchange, case: &str) {
        let new = || Sample { exchange: exchange.clone(), cases: Vec::new() };
        let sample = self.samples.entry((class, members(answer.route, answer.json()))).or_insert_with(new);
        if !sample.cases.iter().any(|known| known == case) {
            sample.cases.push(case.to_owned());
        }
    }

    fn add(&mut self, class: Class, violations: Vec<Mismatch>, exchange: &Exchange, case: &str) {
        let seen = self.classes.entry(class).or_default();
        seen.judged += 1;
        let mut rules = BTreeSet::new();
        for mismatch in violations {
            let rule = mismatch.rule;
            seen.broken.insert(rule);
            let kept = self.broken.get(rule);
            if kept.is_none_or(|kept| exchange.number < kept.exchange.number) {
                let (answers, classes) = kept.map(|kept| (kept.answers, kept.classes.clone())).unwrap_or_default();
                let (exchange, case) = (exchange.cut_to(KEPT_BYTES), case.to_owned());
                self.broken.insert(rule, Broken { mismatch, exchange, case, answers, judged: 0, classes });
            }
            if let Some(broken) = self.broken.get_mut(rule) {
                broken.classes.insert((class.0, class.1));
                // An answer that breaks a rule in several places counts once.
                broken.answers += u32::from(rules.insert(rule));
            }
        }
    }
}

/// The names of a body's members, except those of books, which are free.
pub(crate) fn members(route: Route, body: Option<&Value>) -> Vec<String> {
    let is_book = matches!(route, Route::CreateBook | Route::ReadBook | Route::ReplaceBook);
    let members = body.and_then(Value::as_object).filter(|_| !is_book);
    members.map_or_else(Vec::new, |members| members.keys().cloned().collect())
}

/// Judges the answers of a run as they come; shared by its threads.
#[derive(Debug, Default)]
pub struct Watcher {
    tally: Mutex<Tally>,
    keeps_samples: bool,
}

impl Watcher {
    pub fn new(keeps_samples: bool) -> Self {
        Self { keeps_samples, ..Self::default() }
    }

    pub fn take(&self) -> Tally {
        let mut tally = std::mem::take(&mut *locked(&self.tally));
        for broken in tally.broken.values_mut() {
            let classes =
                tally.classes.iter().filter(|((route, status, _), _)| broken.classes.contains(&(*route, *status)));
            broken.judged = classes.map(|(_, seen)| seen.judged).sum();
        }
        tally
    }
}

impl Judge for Watcher {
    fn see(&self, exchange: &Exchange, case: &str) {
        if let Some((answer, violations)) = judge(exchange) {
            let class = (answer.route, answer.status(), answer.credential);
            let mut tally = locked(&self.tally);
            if self.keeps_samples {
                tally.keep(class, &answer, exchange, case);
            }
            tally.add(class, violations, exchange, case);
        }
    }

    fn reading(&self, rule: &str, id: &str) -> Option<&str> {
        Contract::built_in().rule(rule)?.reading(id).map(|reading| reading.text.as_str())
    }
}
