//! Records which cases notice each fault: for each broken rule the hand-written and the generated cases that name it. Also records which
//! judged cases fail on a fault of their own rules: one that fails on none may be unable to fail. Starts nothing.

use std::collections::BTreeSet;

use crate::case::Case;
use crate::contract::rule::Contract;
use crate::impostor::faults::{self, Fault};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failed {
    pub(super) case: String,
    pub(super) rule: &'static str,
    /// Whether the case draws its inputs; such catches count apart.
    pub(super) is_generated: bool,
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
        let naming_it = |is_generated: bool| {
            let mut naming_it = failed.iter().filter(|failed| failed.rule == rule);
            naming_it.find(|failed| failed.is_generated == is_generated).map(|failed| failed.case.clone())
        };
        Self { rule, by_hand: naming_it(false), generated: naming_it(true) }
    }

    /// Whether a hand-written case names the rule: catches of generated ones count apart.
    pub fn is_enough(&self) -> bool {
        self.by_hand.is_some()
    }
}

#[derive(Debug, Clone)]
pub struct FaultResult {
    pub fault: &'static Fault,
    pub proofs: Vec<Proof>,
    pub failed: BTreeSet<String>,
    pub named_instead: BTreeSet<&'static str>,
    pub tried: usize,
    /// Whether it survived at first and was killed when judged again alone: then one of its cases is flaky.
    pub at_second_try: bool,
}

impl FaultResult {
    pub(super) fn of(fault: &'static Fault, failed: &[Failed], tried: usize) -> Self {
        let (of_it, others): (Vec<_>, Vec<_>) = failed.iter().partition(|failed| fault.breaks(failed.rule));
        Self {
            fault,
            proofs: fault.rules.iter().copied().map(|rule| Proof::of(rule, failed)).collect(),
            failed: of_it.into_iter().map(|failed| failed.case.clone()).collect(),
            named_instead: others.into_iter().map(|failed| failed.rule).collect(),
            tried,
            at_second_try: false,
        }
    }

    pub fn is_killed(&self) -> bool {
        self.proofs.iter().all(Proof::is_enough)
    }
}

/// The judged cases whose faults were all tried, and which of them fail on one and name a rule that it breaks.
#[derive(Debug, Default)]
pub struct Failing {
    pub judged: usize,
    pub without_a_fault: Vec<String>,
}

impl Failing {
    pub(super) fn of(cases: &[&'static Case], tried: &[FaultResult]) -> Self {
        let ids: BTreeSet<&str> = tried.iter().map(|result| result.fault.id).collect();
        let failed: BTreeSet<&str> = tried.iter().flat_map(|result| &result.failed).map(String::as_str).collect();
        let is_tried =
            |case: &Case| faults::all().filter(|fault| judges(case, fault)).all(|fault| ids.contains(fault.id));
        let judged: Vec<String> =
            cases.iter().filter(|case| is_judged(case) && is_tried(case)).map(|case| case.id()).collect();
        Self {
            judged: judged.len(),
            without_a_fault: judged.into_iter().filter(|case| !failed.contains(case.as_str())).collect(),
        }
    }
}

fn is_judged(case: &Case) -> bool {
    !Contract::built_in().are_open(case.rules)
}

pub(super) fn judges(case: &Case, fault: &Fault) -> bool {
    case.rules.iter().any(|rule| fault.breaks(rule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;

    fn failed(case: &str, rule: &'static str) -> Failed {
        Failed { case: case.to_owned(), rule, is_generated: false }
    }

    #[test]
    fn each_rule_of_a_fault_needs_a_hand_written_case_that_names_it() {
        let fault = faults::find("bounds-compare-as-text").unwrap();
        let min = failed("list::min", "list/min-keeps");
        let max = failed("list::max", "list/max-keeps");
        let generated = Failed { is_generated: true, ..failed("list::generated", "list/max-keeps") };
        let other = failed("list::max", "list/max-inclusive");
        let result = FaultResult::of(fault, &[min.clone(), generated, other], 3);
        assert!(!result.is_killed());
        assert_eq!(result.proofs[0].by_hand.as_deref(), Some("list::min"));
        assert_eq!((&result.proofs[1].by_hand, result.proofs[1].generated.is_some()), (&None, true));
        assert_eq!(result.named_instead, BTreeSet::from(["list/max-inclusive"]));
        assert!(FaultResult::of(fault, &[min, max], 2).is_killed());
    }

    fn tried(id: &str, failed: &[&str]) -> FaultResult {
        let failed = failed.iter().map(|case| (*case).to_owned()).collect();
        FaultResult { failed, ..FaultResult::of(faults::find(id).unwrap(), &[], 1) }
    }

    #[test]
    fn a_judged_case_counts_once_all_its_faults_were_tried() {
        let ids = ["paging::page_is_1_by_default", "routing::options_of_the_asterisk"];
        let chosen: Vec<&Case> = cases::all().into_iter().filter(|case| ids.contains(&case.id().as_str())).collect();
        assert_eq!(chosen.len(), 2, "one judged, one open");
        let breaks_it = |fault: &&'static Fault| fault.breaks("paging/page-default");
        let all: Vec<&str> = faults::all().filter(breaks_it).map(|fault| fault.id).collect();
        let (last, others) = all.split_last().unwrap();
        let mut results: Vec<FaultResult> = others.iter().map(|id| tried(id, &[])).collect();
        assert_eq!(Failing::of(&chosen, &results).judged, 0);
        results.push(tried(last, &[]));
        let Failing { judged, without_a_fault } = Failing::of(&chosen, &results);
        assert_eq!((judged, without_a_fault), (1, vec![ids[0].to_owned()]));
        results.push(tried(last, &[ids[0]]));
        assert!(Failing::of(&chosen, &results).without_a_fault.is_empty());
    }
}
