//! The sentence about an undecided run, in which cases were blocked and no rule failed. Judges nothing.

use crate::report::plural::plural;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{RunOutcome, RunVerdict};

/// Why the run is undecided, in one line; `None` if it is decided.
pub(super) fn why(outcome: &RunOutcome) -> Option<String> {
    const CAUSES_NAMED: usize = 3;
    if outcome.verdict() != RunVerdict::Undecided {
        return None;
    }
    let blocked: Vec<Cause> = causes(&outcome.cases).into_iter().filter(|cause| !cause.blocked.is_empty()).collect();
    let cases = plural(blocked.iter().map(|cause| cause.blocked.len()).sum(), "case");
    let named: Vec<&str> = blocked.iter().take(CAUSES_NAMED).map(|cause| cause.text.as_str()).collect();
    let more = if blocked.len() > CAUSES_NAMED { "; and others" } else { "" };
    Some(format!(
        "no judged rule failed; {cases} could not be judged, and what blocks them may be the fault itself: {}{more}",
        named.join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::verdict::{CaseError, NoAnswer};
    use crate::contract::violation::{Mismatch, Place};
    use crate::runner::outcome::{CaseOutcome, Verdict};

    fn judged(errors: [&CaseError; 2]) -> RunOutcome {
        let cases = errors.map(|error| {
            let mut outcome = CaseOutcome::without_traffic("a::b".to_owned(), &[], Verdict::Pass, None);
            outcome.set(Err(error.clone()));
            outcome
        });
        RunOutcome { cases: cases.into(), ..RunOutcome::default() }
    }

    #[test]
    fn a_run_with_blocked_cases_is_undecided_until_a_rule_is_seen_broken() {
        let blocked = CaseError::blocked("registering a user", "want 201, got 500");
        let late = NoAnswer { is_late: true, .."no answer within 10 s".to_owned().into() };
        let late = CaseError::NoAnswer(late);
        let outcome = judged([&blocked, &late]);
        assert_eq!((outcome.verdict(), outcome.exit_code()), (RunVerdict::Undecided, 1));
        let why = why(&outcome).unwrap();
        assert!(
            why.starts_with(
                "no judged rule failed; 2 cases could not be judged, and what blocks them may be the fault itself: "
            ),
            "{why}"
        );
        assert!(why.contains("registering a user: want 201, got 500") && why.contains("within 10 s"), "{why}");
        let closed = CaseError::NoAnswer("the connection was closed".to_owned().into());
        for red in [Mismatch::new("a/b", Place::STATUS, 200, 500).into(), closed] {
            assert_eq!(judged([&blocked, &red]).verdict(), RunVerdict::NotConformant);
        }
    }
}
