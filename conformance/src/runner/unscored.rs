//! Rules newer than the contract that scores a run: their cases are reported and fail no run. Judges nothing.

use crate::runner::outcome::{CaseOutcome, Verdict};

/// Turns cases that are not scored into notes: those that failed over a later rule, and those that judge only later rules.
pub fn apply(later: &[&str], version: &str, outcomes: &mut [CaseOutcome]) {
    for outcome in outcomes.iter_mut().filter(|outcome| outcome.verdict != Verdict::Skipped) {
        let is_later = |rule: &str| later.contains(&rule);
        let is_unscored = match &outcome.mismatch {
            Some(mismatch) => is_later(mismatch.rule),
            None => outcome.rules.iter().all(|rule| is_later(rule)),
        };
        if is_unscored {
            let why = outcome.message.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            outcome.message = Some(format!("not scored by contract {version}: {}{why}", outcome.verdict.word()));
            (outcome.verdict, outcome.is_hook_failure) = (Verdict::Noted, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::violation::{Mismatch, Place};

    fn outcome(rules: &'static [&'static str], verdict: Verdict, broken: Option<&'static str>) -> CaseOutcome {
        let mut outcome = CaseOutcome::without_traffic("a::b".to_owned(), rules, verdict, None);
        outcome.mismatch = broken.map(|rule| Mismatch::new(rule, Place::STATUS, 200, 404));
        outcome
    }

    #[test]
    fn only_what_fails_over_a_later_rule_or_judges_nothing_else_is_not_scored() {
        let mut outcomes = [
            outcome(&["a/old"], Verdict::Fail, Some("a/old")),
            outcome(&["a/old", "a/new"], Verdict::Fail, Some("a/old")),
            outcome(&["a/old", "a/new"], Verdict::Fail, Some("a/new")),
            outcome(&["a/new"], Verdict::Fail, Some("a/new")),
            outcome(&["a/new"], Verdict::Blocked, None),
            outcome(&["a/old", "a/new"], Verdict::Blocked, None),
            outcome(&["a/new"], Verdict::Skipped, None),
        ];
        apply(&["a/new"], "0.1.0", &mut outcomes);
        let verdicts = outcomes.each_ref().map(|outcome| outcome.verdict.word());
        assert_eq!(verdicts, ["fail", "fail", "noted", "noted", "noted", "blocked", "skipped"]);
        assert_eq!(outcomes[3].message.as_deref(), Some("not scored by contract 0.1.0: fail"));
    }
}
