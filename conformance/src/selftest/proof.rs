//! Who notices a fault: for each rule that it breaks, a hand-written case that names the rule, and a generated one. Starts nothing.

use std::collections::BTreeSet;

use super::generated::GENERATED_CASES;
use crate::impostor::faults::Fault;

/// A case that failed, and the rule that it named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) case: String,
    pub(super) rule: String,
}

/// A rule that a fault breaks, and the cases that failed and named it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Proof {
    pub rule: &'static str,
    pub by_hand: Option<String>,
    pub generated: Option<String>,
}

impl Proof {
    fn of(rule: &'static str, failed: &[Failed]) -> Self {
        let is_generated = |failed: &&&Failed| GENERATED_CASES.contains(&failed.case.as_str());
        let naming_it: Vec<&Failed> = failed.iter().filter(|failed| failed.rule == rule).collect();
        let by_hand = naming_it.iter().find(|failed| !is_generated(failed));
        let generated = naming_it.iter().find(is_generated);
        let case = |failed: &&Failed| failed.case.clone();
        Self { rule, by_hand: by_hand.map(case), generated: generated.map(case) }
    }

    /// Whether a hand-written case names the rule: what a generated one finds counts apart.
    pub fn is_enough(&self) -> bool {
        self.by_hand.is_some()
    }
}

/// One fault, and who noticed it.
#[derive(Debug, Clone)]
pub struct FaultResult {
    pub fault: &'static Fault,
    pub proofs: Vec<Proof>,
    pub failed: BTreeSet<String>,
    pub named_instead: BTreeSet<String>,
    pub tried: usize,
    /// Whether it survived at first, among others, and was killed when it was judged again, alone: a case of it is flaky.
    pub at_second_try: bool,
}

impl FaultResult {
    pub(super) fn of(fault: &'static Fault, failed: &[Failed], tried: usize) -> Self {
        let (of_it, others): (Vec<_>, Vec<_>) = failed.iter().partition(|failed| fault.breaks(&failed.rule));
        Self {
            fault,
            proofs: fault.rules.iter().copied().map(|rule| Proof::of(rule, failed)).collect(),
            failed: of_it.into_iter().map(|failed| failed.case.clone()).collect(),
            named_instead: others.into_iter().map(|failed| failed.rule.clone()).collect(),
            tried,
            at_second_try: false,
        }
    }

    pub fn is_killed(&self) -> bool {
        self.proofs.iter().all(Proof::is_enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impostor::faults;

    fn failed(case: &str, rule: &str) -> Failed {
        Failed { case: case.to_owned(), rule: rule.to_owned() }
    }

    #[test]
    fn each_rule_of_a_fault_needs_a_hand_written_case_that_names_it() {
        let fault = faults::find("bounds-compare-as-text").unwrap();
        let min = failed("list::min", "list/min-keeps");
        let max = failed("list::max", "list/max-keeps");
        let generated = failed(GENERATED_CASES[0], "list/max-keeps");
        let other = failed("list::max", "list/max-inclusive");
        let result = FaultResult::of(fault, &[min.clone(), generated, other], 3);
        assert!(!result.is_killed());
        assert_eq!(result.proofs[0].by_hand.as_deref(), Some("list::min"));
        assert_eq!((&result.proofs[1].by_hand, result.proofs[1].generated.is_some()), (&None, true));
        assert_eq!(result.named_instead, BTreeSet::from(["list/max-inclusive".to_owned()]));
        assert!(FaultResult::of(fault, &[min, max], 2).is_killed());
    }
}
