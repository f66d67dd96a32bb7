//! Fails cases for the rules that answers of the whole run broke: each rule fails one case that judges it.
//!
//! Sends nothing. A rule that no selected case judges is not reported: the selection says what a run is about.

use crate::contract::violation::Mismatch;
use crate::invariants::route::{CLASSES, Route};
use crate::invariants::tally::{Broken, Tally};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

/// The classes of answers, of the interfaces offered, that no answer belonged to: nothing was judged of them.
pub fn unmet(outcome: &RunOutcome) -> Vec<(Route, u16)> {
    let is_met = |class: &(Route, u16)| outcome.answers.keys().any(|(route, status, _)| (*route, *status) == *class);
    let offered = CLASSES.iter().filter(|(route, _)| outcome.urls.contains_key(route.interface().key()));
    let classes = offered.flat_map(|(route, statuses)| statuses.iter().map(|status| (*route, *status)));
    classes.filter(|class| !is_met(class)).collect()
}

/// Fails one case for each rule that answers broke: of those that were played, the one with the fewest rules. Skips a rule that a case
/// has failed for already, unless by a transcript, which shows one answer and not how many others are like it.
pub(super) fn judge(cases: &mut [CaseOutcome], seen: &Tally) {
    for (rule, broken) in &seen.broken {
        let names_it = |mismatch: &Mismatch| mismatch.rule == *rule && !mismatch.place.is_of_transcript();
        if cases.iter().any(|case| case.mismatch.as_ref().is_some_and(names_it)) {
            continue;
        }
        let judges_it = |case: &&mut CaseOutcome| {
            case.rules.contains(rule) && !matches!(case.verdict, Verdict::Fail | Verdict::Broken)
        };
        if let Some(case) =
            cases.iter_mut().filter(judges_it).min_by_key(|case| (case.verdict == Verdict::Skipped, case.rules.len()))
        {
            fail(case, broken);
        }
    }
}

/// Fails a case for the rule that an answer broke, even an answer to another case.
pub(super) fn fail(case: &mut CaseOutcome, broken: &Broken) {
    let seen = format!("{} (seen in {})", broken.extent(), broken.case);
    let Mismatch { rule, place, want, got, .. } = broken.mismatch.clone();
    case.exchanges = vec![broken.exchange.clone()];
    case.hook_calls.clear();
    case.first_in = Some(broken.case.clone());
    let exchanges = vec![broken.exchange.number];
    case.set(Err(Mismatch { rule, place: place.of(seen), want, got, exchanges }.into()));
}
