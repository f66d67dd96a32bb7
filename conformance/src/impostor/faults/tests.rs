//! The tables of faults against the contract.

use std::collections::BTreeSet;

use super::*;
use crate::contract::rule::Contract;

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<_> = all().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), all().count());
}

#[test]
fn every_fault_breaks_rules_of_the_contract() {
    for fault in all() {
        for rule in fault.rules {
            assert!(
                Contract::built_in().rule(rule).is_some(),
                "the fault {} breaks {rule}, which seeds/rules does not declare",
                fault.id
            );
        }
    }
}

#[test]
fn every_fault_stands_in_the_file_of_its_chapter_and_says_what_goes_wrong() {
    for table in CHAPTERS {
        let chapter = |fault: &Fault| fault.rule().split('/').next();
        assert!(table.iter().all(|fault| chapter(fault) == chapter(&table[0])), "{:?}", table[0]);
        assert!(table.iter().all(|fault| fault.text.ends_with('.')), "{:?}", table[0]);
    }
}

#[test]
fn every_judged_rule_can_be_broken() {
    let broken: BTreeSet<_> = all().flat_map(|fault| fault.rules).collect();
    let whole: Vec<_> = Contract::built_in()
        .rules()
        .filter(|rule| rule.is_judged())
        .map(|rule| rule.id.as_str())
        .filter(|id| !broken.contains(id))
        .collect();
    assert!(whole.is_empty(), "no fault breaks {whole:?}: declare one in conformance/src/impostor/faults");
}
