//! The permitted readings against the contract; replies in other forms.

use std::collections::{BTreeMap, BTreeSet};

use libros_conformance_model::js;
use libros_conformance_model::message::Interface;
use serde_json::json;

use super::*;
use crate::contract::rule::{Contract, Level};

#[test]
fn every_reading_is_permitted_by_open_rules() {
    for reading in readings() {
        for rule in reading.rules {
            let level = Contract::built_in().rule(rule).map(|rule| rule.level);
            assert_eq!(level, Some(Level::Open), "{}: {rule}", reading.id);
        }
    }
}

#[test]
fn other_reply_forms_say_the_same() {
    let request = Request::new(Interface::Catalogue, "GET", "/libros");
    let plain = Reply::json(200, &json!({"id": 1, "a": ["ñ/\u{1}", {"b": null, "c": 1.5}], "e": "😀"}));
    let mut spellings = BTreeSet::new();
    for seed in 0..20 {
        let mut reply = plain.clone();
        Vary::new(seed).apply(&request, &mut reply);
        assert_eq!(js::parse(&reply.body).ok(), js::parse(&plain.body).ok());
        spellings.insert(reply.body);
    }
    assert!(spellings.len() > 10, "{}", spellings.len());
}

#[test]
fn every_platform_has_readings_and_habits_that_exist_and_every_habit_is_had() {
    let known: BTreeSet<_> = habits::all().map(|habit| habit.id).collect();
    assert_eq!(known.len(), habits::all().count());
    let had: BTreeSet<_> = Platform::ALL.iter().flat_map(|platform| platform.habits()).map(String::as_str).collect();
    assert_eq!(had, known);
    for platform in Platform::ALL {
        for id in platform.readings() {
            assert!(crate::impostor::readings::find(id).is_some(), "{}: no reading {id}", platform.name());
        }
    }
    assert!(habits::all().all(|habit| habit.text.ends_with('.')));
}

#[test]
fn every_open_choice_is_taken_by_a_variation_or_a_platform() {
    let freedoms: BTreeMap<String, String> = toml::from_str(include_str!("freedoms.toml")).expect("ids by freedom");
    let had: BTreeSet<_> = Platform::ALL.iter().flat_map(|platform| platform.habits()).map(String::as_str).collect();
    for (what, ids) in freedoms {
        for id in ids.split(' ') {
            assert!(had.contains(id) || readings().any(|reading| reading.id == id), "{what}: nothing has {id}");
        }
    }
}
