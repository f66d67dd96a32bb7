//! The causes of a run's failures: cases that failed alike, and the cases they block. Pure; judges nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::contract::rule::{Contract, Level};
use crate::contract::violation::{Mismatch, Part};
use crate::http::exchange::Exchange;
use crate::runner::diagnosis::{self, Likeness, without_values};
use crate::runner::outcome::{CaseOutcome, Verdict};

/// Cases that probably failed or were blocked for one reason.
#[derive(Debug, Clone, Default)]
pub struct Cause {
    pub text: String,
    /// The broken rule, or the rule of the preparation that blocked the cases.
    pub rule: Option<&'static str>,
    /// Indices of the failed cases in the run's outcome, the most telling first.
    pub failed: Vec<usize>,
    pub blocked: Vec<usize>,
    pub looks_like: Option<Likeness>,
}

impl Cause {
    /// Whether its first case failed in the run, and held when it was played alone.
    pub fn held_alone(&self, cases: &[CaseOutcome]) -> bool {
        self.cases().next().is_some_and(|index| cases[index].held_alone())
    }

    pub fn cases(&self) -> impl Iterator<Item = usize> {
        self.failed.iter().chain(&self.blocked).copied()
    }

    pub fn is_open(&self) -> bool {
        self.rule.and_then(level) == Some(Level::Open)
    }

    /// Sorts the failed cases, the most telling first, and takes text and rule from the first.
    fn with_headline(mut self, cases: &[CaseOutcome]) -> Self {
        let likely_fault = self.looks_like.as_ref().map(|likeness| likeness.fault);
        let failed = self.failed.clone();
        self.failed.sort_by_cached_key(|index| {
            let case = &cases[*index];
            let rule = case.broken_rule();
            let reproduced_first = case.held_alone();
            let named_fault_first = !likely_fault.is_some_and(|fault| rule.is_some_and(|rule| fault.breaks(rule)));
            let contradicts_fault = self.looks_like.as_ref().is_some_and(|likeness| !likeness.agreeing.contains(index));
            // The case that received the answer failed too, and tells more about it.
            let repeated_last = failed.iter().any(|other| case.first_in.as_ref() == Some(&cases[*other].id));
            (
                reproduced_first,
                contradicts_fault,
                named_fault_first,
                repeated_last,
                rank(rule),
                case.rules.len(),
                *index,
            )
        });
        let first = self.cases().next().map(|index| &cases[index]);
        if let Some(first) = first {
            self.text = match first.verdict {
                Verdict::Fail | Verdict::Blocked => summary(first),
                other => format!("{}: {}", other.word(), first.message()),
            };
            self.rule = first.broken_rule().or_else(|| first.blocking_rule().map(|rule| rule.id.as_str()));
        }
        self
    }
}

/// Rules that the cases of other rules depend on, the most basic first.
const FOUNDATIONS: [&str; 9] = [
    "storage/between-requests",
    "registration/created",
    "registration/id-distinct",
    "login/success",
    "books/create-status",
    "books/id-next",
    "books/read",
    "api-keys/created",
    "users/id-unique",
];

fn foundation(rule: Option<&str>) -> usize {
    FOUNDATIONS.iter().position(|known| Some(*known) == rule).unwrap_or(FOUNDATIONS.len())
}

fn level(rule: &str) -> Option<Level> {
    Contract::built_in().rule(rule).map(|rule| rule.level)
}

/// A stated rule tells most, a rule that follows from others less, an open one little, and a failure without a rule least.
fn rank(rule: Option<&str>) -> u8 {
    match rule.and_then(level) {
        Some(Level::Stated | Level::Quirk) => 0,
        Some(Level::Derived) => 1,
        Some(Level::Open) => 2,
        None => 3,
    }
}

/// The causes of all red cases, the most telling first.
pub fn causes(cases: &[CaseOutcome]) -> Vec<Cause> {
    let mut causes = alike_failures(cases);
    add_blocked(&mut causes, cases);
    for likeness in diagnosis::likenesses(cases) {
        causes = merged_by_fault(causes, likeness, cases);
    }
    for verdict in [Verdict::UnexpectedPass, Verdict::Flaky, Verdict::Broken] {
        causes.extend(with_verdict(cases, verdict).map(|(index, _)| Cause { failed: vec![index], ..Cause::default() }));
    }
    let mut causes: Vec<Cause> = causes.into_iter().map(|cause| cause.with_headline(cases)).collect();
    causes.sort_by_cached_key(|cause| {
        let open_rules_last = cause.is_open();
        let failures_before_blocks = cause.failed.is_empty();
        let held_alone_last = cause.held_alone(cases);
        // A race is often lost by what fails without one too.
        let races_last = cause.rule.is_some_and(|rule| rule.starts_with("consistency/"));
        let foundations_first = foundation(cause.rule);
        let many_cases_first = Reverse(cause.cases().count());
        let likely_faults_first = cause.looks_like.is_none();
        let narrow_cases_first = cause.cases().next().map(|index| cases[index].rules.len());
        let coarse = (open_rules_last, failures_before_blocks, held_alone_last, races_last, foundations_first);
        (coarse, many_cases_first, likely_faults_first, rank(cause.rule), narrow_cases_first)
    });
    causes
}

/// Groups failed cases with the same place, want and got, or with the same rule.
fn alike_failures(cases: &[CaseOutcome]) -> Vec<Cause> {
    let mut groups: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
    for (index, case) in with_verdict(cases, Verdict::Fail) {
        let (mut signatures, mut failed) = (signatures(case), vec![index]);
        let is_alike = |(others, _): &mut (Vec<String>, _)| others.iter().any(|one| signatures.contains(one));
        let alike: Vec<_> = groups.extract_if(.., is_alike).collect();
        for (others, indices) in alike {
            signatures.extend(others);
            failed.extend(indices);
        }
        groups.push((signatures, failed));
    }
    groups.into_iter().map(|(_, failed)| Cause { failed, ..Cause::default() }).collect()
}

/// Adds each blocked case to the failure that blocks it; groups the others by the step at which they stopped.
fn add_blocked(causes: &mut Vec<Cause>, cases: &[CaseOutcome]) {
    let outline_of = |index: usize| cases[index].judged_exchange().map(outline);
    // A case of a basic rule says best what blocks others, then one that judges few rules.
    let telling = |index: &usize| (foundation(cases[*index].broken_rule()), cases[*index].rules.len());
    let mut most_telling_first: Vec<usize> = (0..causes.len()).collect();
    most_telling_first.sort_by_cached_key(|at| causes[*at].failed.iter().map(telling).min());
    let mut blocking: BTreeMap<String, usize> = BTreeMap::new();
    for at in most_telling_first {
        for outline in causes[at].failed.iter().filter_map(|index| outline_of(*index)) {
            blocking.entry(outline).or_insert(at);
        }
    }
    let mut by_step: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, case) in with_verdict(cases, Verdict::Blocked) {
        match outline_of(index).and_then(|outline| blocking.get(&outline)) {
            Some(at) => causes[*at].blocked.push(index),
            None => by_step.entry(without_values(case.message())).or_default().push(index),
        }
    }
    causes.extend(by_step.into_values().map(|blocked| Cause { blocked, ..Cause::default() }));
}

/// Merges the causes of which at least half of the cases fail on the likely fault, if more than half of all do. A case that draws its
/// inputs counts only if it agrees: the matrix may lack it.
fn merged_by_fault(causes: Vec<Cause>, mut likeness: Likeness, cases: &[CaseOutcome]) -> Vec<Cause> {
    let fits = |cause: &Cause| {
        let agreeing = cause.cases().filter(|index| likeness.agreeing.contains(index)).count();
        cause.looks_like.is_none() && 2 * agreeing >= cause.cases().count()
    };
    let (fitting, mut causes): (Vec<_>, Vec<_>) = causes.into_iter().partition(fits);
    let mut merged = Cause::default();
    for cause in &fitting {
        merged.failed.extend(&cause.failed);
        merged.blocked.extend(&cause.blocked);
    }
    likeness.agreeing.retain(|index| merged.cases().any(|case| case == *index));
    let counts = |index: &usize| !cases[*index].draws || likeness.agreeing.contains(index);
    likeness.failing = merged.cases().filter(counts).count();
    if 2 * likeness.agreeing.len() <= likeness.failing {
        causes.extend(fitting);
    } else {
        causes.push(Cause { looks_like: Some(likeness), ..merged });
    }
    causes
}

/// Cases that share a signature share their cause.
fn signatures(case: &CaseOutcome) -> Vec<String> {
    let Some(mismatch) = &case.mismatch else {
        return vec![format!("silence {}", without_values(case.message()))];
    };
    let [want, got] = [mismatch.want.to_string(), mismatch.got.to_string()].map(|text| without_values(&text));
    let part = &mismatch.place.part;
    // A status or a whole body is the same only in answers to the same request.
    let request = case.judged_exchange().filter(|_| matches!(part, Part::Status | Part::Body(_)));
    let request = request.map(outline).unwrap_or_default();
    let rule = mismatch.rule;
    vec![
        format!("seen {part} {want} {got} {request}"),
        format!("rule {rule}"),
        format!("case {}", case.case_to_replay()),
    ]
}

fn summary(case: &CaseOutcome) -> String {
    case.mismatch.as_ref().map_or_else(|| case.message().to_owned(), Mismatch::summary)
}

/// Method, path without ids, and status.
fn outline(exchange: &Exchange) -> String {
    let path = exchange.sent.path.split('?').next().unwrap_or_default();
    let status = exchange.received.as_ref().map_or(0, |received| received.status);
    format!("{} {} {status}", exchange.sent.method, without_values(path))
}

fn with_verdict(cases: &[CaseOutcome], verdict: Verdict) -> impl Iterator<Item = (usize, &CaseOutcome)> {
    cases.iter().enumerate().filter(move |(_, case)| case.verdict == verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::verdict::CaseError;
    use crate::contract::violation::Place;

    fn case(id: &str, judged: CaseError) -> CaseOutcome {
        let mut outcome = CaseOutcome::without_traffic(id.to_owned(), &[], Verdict::Pass, None);
        outcome.set(Err(judged));
        outcome
    }

    fn failed(id: &str, rule: &'static str, place: Place, got: &str) -> CaseOutcome {
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
        assert_eq!((causes[0].failed.as_slice(), causes[0].rule), (&[0, 2, 3][..], Some("a/1")));
        assert_eq!(causes[1].failed, [1]);
    }

    #[test]
    fn blocked_cases_are_counted_by_the_step_that_failed() {
        let blocked = |id, what: &str| {
            let why = format!("want status 201, got 400 for {what}");
            case(id, CaseError::blocked("registering a user", why))
        };
        let [one, other] = ["user-1a2b3c at /libros/7", "user-77ffe0 at /libros/12"];
        let cases = [blocked("a::1", one), blocked("a::2", other), failed("b::2", "b/2", Place::STATUS, "404")];
        let causes = causes(&cases);
        assert_eq!(causes.len(), 2);
        assert_eq!(causes[1].blocked, [0, 1], "a failure comes before a block");
    }
}
