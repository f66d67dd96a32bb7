//! The outcome of each rule that the cases of a run judge. Judges nothing.

use std::collections::BTreeSet;

use crate::contract::rule::{Contract, Level};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

impl RunOutcome {
    pub fn rules(&self) -> Vec<RuleOutcome> {
        let contract = Contract::built_in();
        let cited: BTreeSet<&str> = self.cases.iter().flat_map(|case| case.rules.iter().copied()).collect();
        let outcome = |id: &str| {
            let rule = contract.rule(id)?;
            let citing: Vec<_> = self.cases.iter().filter(|case| case.rules.contains(&id)).collect();
            let cases = citing.iter().map(|case| case.id.clone()).collect();
            Some(RuleOutcome { id: id.to_owned(), level: rule.level, verdict: rule_verdict(id, &citing), cases })
        };
        cited.into_iter().filter_map(outcome).collect()
    }
}

/// The outcome of one rule over all cases that judge it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOutcome {
    pub id: String,
    pub level: Level,
    /// The verdict of a case that broke this rule; otherwise the first in the order of `rule_verdict` that any case has.
    pub verdict: Verdict,
    pub cases: Vec<String>,
}

/// A rule fails only by a mismatch that names it; a case that stopped at another rule does not count against it.
fn rule_verdict(id: &str, citing: &[&CaseOutcome]) -> Verdict {
    use Verdict::{Blocked, Broken, ExpectedFail, Fail, Flaky, Noted, Pass, UnexpectedPass};
    let breaking = citing.iter().filter(|case| case.broken_rule() == Some(id)).map(|case| case.verdict);
    if let Some(of_breaking_case) = breaking.min_by_key(|verdict| *verdict == ExpectedFail) {
        return of_breaking_case;
    }
    let is_noted = |case: &&CaseOutcome| case.notes.iter().any(|note| note.rule == id);
    if Contract::built_in().is_open(id) && citing.iter().any(is_noted) {
        return Noted;
    }
    let any = |verdict| citing.iter().any(|case| case.verdict == verdict);
    let order = [Broken, UnexpectedPass, Flaky, Pass, Noted, Blocked, Fail];
    order.into_iter().find(|verdict| any(*verdict)).map_or(Verdict::Skipped, |verdict| match verdict {
        // Every case that cites the rule failed for another one. If all those failures were expected, it counts as skipped.
        Fail => Blocked,
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::violation::{Mismatch, Place};

    #[test]
    fn a_rule_fails_only_by_a_case_that_names_it() {
        let mut failed = CaseOutcome::default();
        failed.set(Err(Mismatch::new("a/b", Place::STATUS, 200, 404).into()));
        let expected = &CaseOutcome { verdict: Verdict::ExpectedFail, ..failed.clone() };
        assert_eq!(rule_verdict("a/b", &[expected, &failed]), Verdict::Fail);
        let of = |verdict| CaseOutcome { verdict, ..CaseOutcome::default() };
        assert_eq!(rule_verdict("a/b", &[&of(Verdict::Pass), &of(Verdict::UnexpectedPass)]), Verdict::UnexpectedPass);
        assert_eq!(rule_verdict("a/b", &[&of(Verdict::Pass), &of(Verdict::Blocked)]), Verdict::Pass);
        assert_eq!(rule_verdict("a/b", &[&of(Verdict::Fail)]), Verdict::Blocked, "another rule failed");
    }
}
