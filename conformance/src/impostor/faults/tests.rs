//! The tables of faults against the contract and against the code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::*;
use crate::contract::rule::Contract;

/// The impostor's sources, the tables aside.
fn sources() -> String {
    fn read(folder: &Path, into: &mut String) {
        for entry in fs::read_dir(folder).expect("the sources are there").flatten() {
            let path = entry.path();
            if path.ends_with("faults") {
                continue;
            }
            if path.is_dir() {
                read(&path, into);
            } else {
                into.push_str(&fs::read_to_string(&path).expect("sources are text"));
            }
        }
    }
    let mut text = String::new();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/impostor"), &mut text);
    text
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<_> = all().map(|fault| fault.id).collect();
    assert_eq!(ids.len(), all().count());
}

#[test]
fn every_fault_breaks_rules_of_the_contract() {
    for fault in all() {
        for rule in fault.also.iter().chain([&fault.rule]) {
            assert!(Contract::built_in().rule(rule).is_some(), "{}: no rule {rule}", fault.id);
        }
    }
}

#[test]
fn every_fault_stands_in_the_file_of_its_chapter_and_says_what_goes_wrong() {
    for table in CHAPTERS {
        let chapter = |fault: &Fault| fault.rule.split('/').next();
        assert!(table.iter().all(|fault| chapter(fault) == chapter(&table[0])), "{:?}", table[0]);
        assert!(table.iter().all(|fault| fault.text.ends_with('.')), "{:?}", table[0]);
    }
}

#[test]
fn every_judged_rule_can_be_broken() {
    let broken: BTreeSet<_> = all().flat_map(|fault| fault.also.iter().chain([&fault.rule])).collect();
    let whole: Vec<_> = Contract::built_in()
        .rules()
        .filter(|rule| rule.is_judged())
        .map(|rule| rule.id.as_str())
        .filter(|id| !broken.contains(id))
        .collect();
    assert!(whole.is_empty(), "no fault breaks {whole:?}");
}

#[test]
fn every_declared_fault_is_asked_for_and_every_fault_asked_for_is_declared() {
    let text = sources();
    for fault in all().filter(|fault| matches!(fault.effect, Effect::Switch)) {
        assert!(text.contains(&format!("\"{}\"", fault.id)), "nothing asks for {}", fault.id);
    }
    for asked in text.split("on(").skip(1).chain(text.split("pick(").skip(1)) {
        let Some(id) = asked.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
            continue;
        };
        let slug = id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        assert!(!slug || find(id).is_some(), "{id} is asked for and not declared");
    }
}
