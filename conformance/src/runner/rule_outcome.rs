//! What the cases of a run say about one rule.

use std::collections::BTreeSet;

use crate::contract::rule::{Contract, Level};
use crate::runner::outcome::{CaseOutcome, RunOutcome};
use crate::runner::verdict::Verdict;

/// How one rule came out of all cases that judge it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleOutcome {
    pub id: String,
    pub level: Level,
    /// Worst of its cases, as far as they speak of this rule.
    pub verdict: Verdict,
    pub cases: Vec<String>,
}

impl RunOutcome {
    pub fn rules(&self) -> Vec<RuleOutcome> {
        let contract = Contract::built_in();
        let cited: BTreeSet<&str> = self.cases.iter().flat_map(|case| case.rules.iter().copied()).collect();
        let outcome = |id: &str| {
            let rule = contract.rule(id)?;
            let citing: Vec<_> = self.cases.iter().filter(|case| case.rules.contains(&id)).collect();
            let verdict = rule_verdict(id, &citing);
            let cases = citing.iter().map(|case| case.id.clone()).collect();
            Some(RuleOutcome { id: id.to_owned(), level: rule.level, verdict, cases })
        };
        cited.into_iter().filter_map(outcome).collect()
    }
}

/// A rule fails only by a mismatch that names it; a case that stopped over another rule says nothing against it.
fn rule_verdict(id: &str, citing: &[&CaseOutcome]) -> Verdict {
    let names_it = |case: &&CaseOutcome| case.mismatch.as_ref().is_some_and(|mismatch| mismatch.rule == id);
    if let Some(case) = citing.iter().copied().find(names_it) {
        return case.verdict;
    }
    if citing.iter().any(|case| case.notes.iter().any(|note| note.rule == id)) {
        return Verdict::Noted;
    }
    let any = |verdict| citing.iter().any(|case| case.verdict == verdict);
    let order = [Verdict::Broken, Verdict::Flaky, Verdict::Pass, Verdict::Noted, Verdict::Blocked, Verdict::Fail];
    order.into_iter().find(|verdict| any(*verdict)).map_or(Verdict::Skipped, |seen| match seen {
        // Every case that cites it stopped over something else.
        Verdict::Fail => Verdict::Blocked,
        other => other,
    })
}
