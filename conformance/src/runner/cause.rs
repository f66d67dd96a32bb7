//! What failures come from: cases that failed alike, with those they block, the most telling first. Pure; judges nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::contract::rule::{Contract, Level};
use crate::contract::violation::Mismatch;
use crate::http::exchange::Exchange;
use crate::runner::outcome::{CaseOutcome, Verdict};

/// Cases that failed or were blocked for one reason, as far as can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause {
    /// What was wanted and what came, in one line.
    pub text: String,
    /// The rule of the first case, when a rule does not hold.
    pub rule: Option<String>,
    /// The cases that failed, in the order of the tables: positions in the run's outcome.
    pub failed: Vec<usize>,
    /// The cases that could not be judged because of it.
    pub blocked: Vec<usize>,
}

impl Cause {
    /// Every case of it, those that failed first.
    pub fn cases(&self) -> impl Iterator<Item = usize> {
        self.failed.iter().chain(&self.blocked).copied()
    }
}

/// The causes of everything that makes a run red, the most telling first: what is decided before what is open, many cases before
/// few, and a case about one rule before one that walks through many.
pub fn causes(cases: &[CaseOutcome]) -> Vec<Cause> {
    let mut causes = failures(cases);
    let mut by_step: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, case) in with(cases, Verdict::Blocked) {
        match causes.iter_mut().find(|cause| stands_on(case, cause, cases)) {
            Some(cause) => cause.blocked.push(index),
            None => by_step.entry(without_values(message(case))).or_default().push(index),
        }
    }
    for blocked in by_step.into_values() {
        let text = message(&cases[blocked[0]]).to_owned();
        causes.push(Cause { text, rule: None, failed: Vec::new(), blocked });
    }
    for verdict in [Verdict::UnexpectedPass, Verdict::Flaky, Verdict::Broken] {
        for (index, case) in with(cases, verdict) {
            let text = format!("{}: {}", verdict.word(), message(case));
            causes.push(Cause { text, rule: None, failed: vec![index], blocked: Vec::new() });
        }
    }
    causes.sort_by_cached_key(|cause| {
        let rules_judged = cause.cases().next().map(|index| cases[index].rules.len());
        (is_open(cause), Reverse(cause.failed.len() + cause.blocked.len()), rules_judged)
    });
    causes
}

/// Whether what does not hold is an open rule: a sentence of the documents tells more.
fn is_open(cause: &Cause) -> bool {
    let rule = cause.rule.as_ref().and_then(|rule| Contract::built_in().rule(rule));
    rule.is_some_and(|rule| rule.level == Level::Open)
}

/// Failed cases, put together where they saw the same thing: the same place, want and got, or the same rule.
fn failures(cases: &[CaseOutcome]) -> Vec<Cause> {
    let mut causes: Vec<(Vec<String>, Cause)> = Vec::new();
    for (index, case) in with(cases, Verdict::Fail) {
        let marks = marks(case);
        let mut joined = (marks, vec![index]);
        let is_alike = |(known, _): &(Vec<String>, Cause)| known.iter().any(|mark| joined.0.contains(mark));
        let (alike, others): (Vec<_>, Vec<_>) = causes.into_iter().partition(is_alike);
        causes = others;
        for (known, cause) in alike {
            joined.0.extend(known);
            joined.1.extend(cause.failed);
        }
        joined.1.sort_unstable();
        let first = &cases[joined.1[0]];
        let rule = first.mismatch.as_ref().map(|mismatch| mismatch.rule.clone());
        let cause = Cause { text: told(first), rule, failed: joined.1, blocked: Vec::new() };
        causes.push((joined.0, cause));
    }
    causes.into_iter().map(|(_, cause)| cause).collect()
}

/// What two cases of one cause have in common.
fn marks(case: &CaseOutcome) -> Vec<String> {
    let Some(mismatch) = &case.mismatch else {
        return vec![format!("silence {}", without_values(message(case)))];
    };
    let [want, got] = [mismatch.want.to_string(), mismatch.got.to_string()].map(|text| without_values(&text));
    let seen = format!("{} {want} {got}", mismatch.place.part);
    vec![format!("seen {seen}"), format!("rule {}", mismatch.rule)]
}

fn told(case: &CaseOutcome) -> String {
    case.mismatch.as_ref().map_or_else(|| message(case).to_owned(), Mismatch::summary)
}

/// Whether a blocked case stopped at a request that failed cases of this cause made, with the same status in answer.
fn stands_on(blocked: &CaseOutcome, cause: &Cause, cases: &[CaseOutcome]) -> bool {
    let judged = |case: &CaseOutcome| case.judged_exchange().map(outline);
    let Some(stopped_at) = judged(blocked) else {
        return false;
    };
    cause.failed.iter().any(|index| judged(&cases[*index]).as_ref() == Some(&stopped_at))
}

/// Method, path without its values, and status.
fn outline(exchange: &Exchange) -> String {
    let path = exchange.sent.path.split('?').next().unwrap_or_default();
    let status = exchange.received.as_ref().map_or(0, |received| received.status);
    format!("{} {} {status}", exchange.sent.method, without_values(path))
}

/// A text in which every word with a digit is one and the same: ids, tokens and times differ from case to case.
fn without_values(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || "-_.@".contains(c);
    let mut outline = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if is_part(c) {
            word.push(c);
            continue;
        }
        // Statuses are short and tell failures apart.
        let is_value = word.len() > 3 && word.chars().any(|c| c.is_ascii_digit());
        outline.push_str(if is_value { "#" } else { &word });
        outline.push(c);
        word.clear();
    }
    outline
}

fn with(cases: &[CaseOutcome], verdict: Verdict) -> impl Iterator<Item = (usize, &CaseOutcome)> {
    cases.iter().enumerate().filter(move |(_, case)| case.verdict == verdict)
}

fn message(case: &CaseOutcome) -> &str {
    case.message.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::verdict::CaseError;
    use crate::contract::violation::Place;

    fn case(id: &str, judged: CaseError) -> CaseOutcome {
        let mut outcome = CaseOutcome::blank(id.to_owned(), &[], Verdict::Pass, None);
        outcome.set(Err(judged), Contract::built_in());
        outcome
    }

    fn failed(id: &str, rule: &str, place: Place, got: &str) -> CaseOutcome {
        case(id, Mismatch::new(rule, place, "x", got).into())
    }

    #[test]
    fn cases_that_saw_the_same_have_one_cause() {
        let cases = [
            failed("a::1", "a/1", Place::header("ETag"), "y"),
            failed("b::2", "b/2", Place::STATUS, "404"),
            failed("c::3", "c/3", Place::header("ETag"), "y"),
            failed("d::4", "c/3", Place::STATUS.of("`q=1`"), "500"),
        ];
        let causes = causes(&cases);
        assert_eq!(causes.len(), 2);
        assert_eq!((causes[0].failed.as_slice(), causes[0].rule.as_deref()), (&[0, 2, 3][..], Some("a/1")));
        assert_eq!(causes[1].failed, [1]);
    }

    #[test]
    fn blocked_cases_are_counted_by_the_step_that_failed() {
        let blocked = |id, session: &str| {
            let why = format!("want status 201, got 400 for user-{session}");
            case(id, CaseError::blocked("registering a user", why))
        };
        let cases = [blocked("a::1", "1a2b3c"), blocked("a::2", "77ffe0"), failed("b::2", "b/2", Place::STATUS, "404")];
        let causes = causes(&cases);
        assert_eq!(causes.len(), 2);
        assert_eq!(causes[0].blocked, [0, 1]);
    }
}
