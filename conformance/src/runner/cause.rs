//! The causes of a run's failures: cases that failed alike, and the cases they block. Pure; judges nothing.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::contract::rule::{Contract, Level};
use crate::contract::violation::{Mismatch, Part};
use crate::http::exchange::Exchange;
use crate::runner::diagnosis::{self, Likeness, without_values};
use crate::runner::outcome::{CaseOutcome, Verdict};

/// Cases that failed or were blocked for one reason, as far as can be seen.
#[derive(Debug, Clone)]
pub struct Cause {
    pub text: String,
    /// The rule that does not hold, or the one that a preparation of the blocked cases rests on.
    pub rule: Option<&'static str>,
    /// The cases that failed, the most telling first: positions in the run's outcome.
    pub failed: Vec<usize>,
    pub blocked: Vec<usize>,
    pub looks_like: Option<Likeness>,
}

impl Cause {
    pub fn cases(&self) -> impl Iterator<Item = usize> {
        self.failed.iter().chain(&self.blocked).copied()
    }

    fn of(failed: Vec<usize>, blocked: Vec<usize>) -> Self {
        Self { text: String::new(), rule: None, failed, blocked, looks_like: None }
    }

    pub fn is_open(&self) -> bool {
        self.rule.and_then(level) == Some(Level::Open)
    }

    /// Sorts the failed cases, the most telling first, and takes text and rule from that one.
    fn led_by(mut self, cases: &[CaseOutcome]) -> Self {
        let named = self.looks_like.as_ref().map(|likeness| likeness.fault);
        let failed = self.failed.clone();
        self.failed.sort_by_cached_key(|index| {
            let case = &cases[*index];
            let rule = case.broken();
            let reproduced_first = case.is_reproduced == Some(false);
            let named_fault_first = !named.is_some_and(|fault| rule.is_some_and(|rule| fault.breaks(rule)));
            // Its answer came in another case that failed too, and says more there.
            let repeated_last = failed.iter().any(|other| case.first_in.as_ref() == Some(&cases[*other].id));
            (reproduced_first, named_fault_first, repeated_last, rank(rule), case.rules.len(), *index)
        });
        let first = self.cases().next().map(|index| &cases[index]);
        if let Some(first) = first {
            self.text = match first.verdict {
                Verdict::Fail | Verdict::Blocked => summary(first),
                other => format!("{}: {}", other.word(), first.message()),
            };
            self.rule = first.broken().or_else(|| first.blocked_for().map(|rule| rule.id.as_str()));
        }
        self
    }
}

/// Rules on which the cases of other rules rest, the lowest first.
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
    let mut causes = failures(cases);
    let mut by_step: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    // A case that judges few rules says best what blocks others.
    let breadth = |cause: &Cause| cause.failed.iter().map(|index| cases[*index].rules.len()).min();
    for (index, case) in with(cases, Verdict::Blocked) {
        match causes.iter_mut().filter(|cause| stands_on(case, cause, cases)).min_by_key(|cause| breadth(cause)) {
            Some(cause) => cause.blocked.push(index),
            None => by_step.entry(without_values(case.message())).or_default().push(index),
        }
    }
    causes.extend(by_step.into_values().map(|blocked| Cause::of(Vec::new(), blocked)));
    for likeness in diagnosis::likenesses(cases) {
        causes = joined(causes, likeness);
    }
    for verdict in [Verdict::UnexpectedPass, Verdict::Flaky, Verdict::Broken] {
        causes.extend(with(cases, verdict).map(|(index, _)| Cause::of(vec![index], Vec::new())));
    }
    let mut causes: Vec<Cause> = causes.into_iter().map(|cause| cause.led_by(cases)).collect();
    causes.sort_by_cached_key(|cause| {
        let open_rules_last = cause.is_open();
        let failures_before_blocks = cause.failed.is_empty();
        let foundation = FOUNDATIONS.iter().position(|rule| Some(*rule) == cause.rule);
        let foundations_first = foundation.unwrap_or(FOUNDATIONS.len());
        let many_blocked_first = Reverse(cause.blocked.len());
        let likely_faults_first = cause.looks_like.is_none();
        let many_failed_first = Reverse(cause.failed.len());
        let narrow_cases_first = cause.cases().next().map(|index| cases[index].rules.len());
        let coarse = (open_rules_last, failures_before_blocks, foundations_first);
        (coarse, many_blocked_first, likely_faults_first, rank(cause.rule), many_failed_first, narrow_cases_first)
    });
    causes
}

/// Joins the causes of which half of the cases or more fail on the fault of this likeness. A case that draws inputs may be missing there.
fn joined(causes: Vec<Cause>, mut likeness: Likeness) -> Vec<Cause> {
    let is_of_it = |cause: &Cause| {
        let agreeing = cause.cases().filter(|index| likeness.cases.contains(index)).count();
        cause.looks_like.is_none() && 2 * agreeing >= cause.cases().count()
    };
    let (of_it, mut others): (Vec<_>, Vec<_>) = causes.into_iter().partition(is_of_it);
    let mut one = Cause::of(Vec::new(), Vec::new());
    for cause in of_it {
        one.failed.extend(cause.failed);
        one.blocked.extend(cause.blocked);
    }
    likeness.of = one.cases().count();
    if likeness.of > 0 {
        likeness.cases.retain(|index| one.cases().any(|own| own == *index));
        others.push(Cause { looks_like: Some(likeness), ..one });
    }
    others
}

/// Failed cases by what they saw: the same place, want and got, or the same rule, is one cause.
fn failures(cases: &[CaseOutcome]) -> Vec<Cause> {
    let mut causes: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
    for (index, case) in with(cases, Verdict::Fail) {
        let mut one = (marks(case), vec![index]);
        let is_alike = |(known, _): &(Vec<String>, Vec<usize>)| known.iter().any(|mark| one.0.contains(mark));
        let (alike, others): (Vec<_>, Vec<_>) = causes.into_iter().partition(is_alike);
        causes = others;
        for (known, failed) in alike {
            one.0.extend(known);
            one.1.extend(failed);
        }
        causes.push(one);
    }
    causes.into_iter().map(|(_, failed)| Cause::of(failed, Vec::new())).collect()
}

fn marks(case: &CaseOutcome) -> Vec<String> {
    let Some(mismatch) = &case.mismatch else {
        return vec![format!("silence {}", without_values(case.message()))];
    };
    let [want, got] = [mismatch.want.to_string(), mismatch.got.to_string()].map(|text| without_values(&text));
    let part = &mismatch.place.part;
    // A status or a whole body is the same only in answers to the same request.
    let asked = case.judged_exchange().filter(|_| matches!(part, Part::Status | Part::Body(_)));
    let asked = asked.map(outline).unwrap_or_default();
    let rule = mismatch.rule;
    vec![format!("seen {part} {want} {got} {asked}"), format!("rule {rule}"), format!("case {}", case.played())]
}

fn summary(case: &CaseOutcome) -> String {
    case.mismatch.as_ref().map_or_else(|| case.message().to_owned(), Mismatch::summary)
}

/// Whether a blocked case stopped at a request that failed cases of this cause made, with the same status in answer.
fn stands_on(blocked: &CaseOutcome, cause: &Cause, cases: &[CaseOutcome]) -> bool {
    let judged = |case: &CaseOutcome| case.judged_exchange().map(outline);
    let Some(stopped_at) = judged(blocked) else { return false };
    cause.failed.iter().any(|index| judged(&cases[*index]).as_ref() == Some(&stopped_at))
}

fn outline(exchange: &Exchange) -> String {
    let path = exchange.sent.path.split('?').next().unwrap_or_default();
    let status = exchange.received.as_ref().map_or(0, |received| received.status);
    format!("{} {} {status}", exchange.sent.method, without_values(path))
}

fn with(cases: &[CaseOutcome], verdict: Verdict) -> impl Iterator<Item = (usize, &CaseOutcome)> {
    cases.iter().enumerate().filter(move |(_, case)| case.verdict == verdict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::verdict::CaseError;
    use crate::contract::violation::Place;

    fn case(id: &str, judged: CaseError) -> CaseOutcome {
        let mut outcome = CaseOutcome::blank(id.to_owned(), &[], Verdict::Pass, None);
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
        let blocked = |id, session: &str| {
            let why = format!("want status 201, got 400 for user-{session}");
            case(id, CaseError::blocked("registering a user", why))
        };
        let cases = [blocked("a::1", "1a2b3c"), blocked("a::2", "77ffe0"), failed("b::2", "b/2", Place::STATUS, "404")];
        let causes = causes(&cases);
        assert_eq!(causes.len(), 2);
        assert_eq!(causes[1].blocked, [0, 1], "a failure comes before a block");
    }
}
