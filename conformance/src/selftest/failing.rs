//! Which judged cases fail on some fault of their own rules: one that fails on none may be unable to fail. Starts nothing.

use std::collections::BTreeSet;

use super::proof::FaultResult;
use crate::case::Case;
use crate::contract::rule::{Contract, Level};
use crate::impostor::faults::{self, Fault};

/// Of the judged cases whose faults were all tried: which fail on one of them, naming a rule that it breaks.
#[derive(Debug, Default)]
pub struct Failing {
    pub judged: usize,
    pub without_a_fault: Vec<String>,
}

impl Failing {
    /// Counts `cases` by the faults that were tried.
    pub(super) fn of(cases: &[&'static Case], tried: &[FaultResult]) -> Self {
        let ids: BTreeSet<&str> = tried.iter().map(|result| result.fault.id).collect();
        let failed: BTreeSet<&str> = tried.iter().flat_map(|result| &result.failed).map(String::as_str).collect();
        let judged: Vec<String> =
            cases.iter().filter(|case| is_judged(case) && is_tried(case, &ids)).map(|case| case.id()).collect();
        Self {
            judged: judged.len(),
            without_a_fault: judged.into_iter().filter(|case| !failed.contains(case.as_str())).collect(),
        }
    }
}

fn is_judged(case: &Case) -> bool {
    let is_open = |rule: &&str| Contract::built_in().rule(rule).is_none_or(|rule| rule.level == Level::Open);
    !case.rules.iter().all(is_open)
}

/// Whether every fault of the case's rules is among those.
fn is_tried(case: &Case, ids: &BTreeSet<&str>) -> bool {
    faults::all().filter(|fault| judges(case, fault)).all(|fault| ids.contains(fault.id))
}

/// Whether the case judges a rule that the fault breaks.
pub(super) fn judges(case: &Case, fault: &Fault) -> bool {
    case.rules.iter().any(|rule| fault.breaks(rule))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters::cases;

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
