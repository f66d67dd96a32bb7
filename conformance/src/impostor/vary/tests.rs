//! The permitted readings against the contract; replies in other forms.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use serde_json::json;

use super::*;
use crate::contract::rule::{Contract, Level};
use crate::impostor::model::js;

/// Open rules without a reading, each with the reason.
const UNVARIED: [(&str, &str); 23] = [
    ("graphql/limits", "the reader of queries decides"),
    ("storage/survives-restart", "the impostor keeps nothing on a disk"),
    ("storage/confirmed-is-durable", "the impostor keeps nothing on a disk"),
    ("errors/wording", "varied by the texts of replies"),
    ("errors/text-per-cause", "varied by the texts of replies"),
    ("errors/duplicate-keys", "the JSON reader decides"),
    ("errors/body-too-large", "the limit is the transport's"),
    ("errors/nested-too-deep", "the JSON reader decides"),
    ("headers/bodiless-framing", "varied by the framing of replies"),
    ("headers/library-headers", "varied by the headers of replies"),
    ("graphql/query-text", "the GraphQL reader decides"),
    ("signup/own-store", "apart is the plainer reading"),
    ("credentials/initial-key-form", "the profile would have to name other keys"),
    ("blog/read", "an outline that keeps nothing can answer anything"),
    ("blog/persistence", "an outline that keeps nothing can answer anything"),
    ("routing/unknown-method", "any token is a method here, which is a reading of its own"),
    ("books/number-precision", "numbers are doubles throughout"),
    ("versioning/label-no-effect", "behaviour by label could be anything"),
    ("list/date-without-zone", "local time could be any"),
    ("list/comma-encoded", "values are decoded before they are split"),
    ("list/sort-missing-many", "the sort is deterministic here as well"),
    ("api-keys/permissions-invalid", "permissions are texts throughout"),
    ("api-keys/rate-limit-unenforced", "a limit in force would stop the suite itself"),
];

#[test]
fn every_reading_is_permitted_by_open_rules() {
    let ids: BTreeSet<_> = readings().map(|reading| reading.id).collect();
    assert_eq!(ids.len(), readings().count());
    for reading in readings() {
        for rule in reading.rules {
            let level = Contract::built_in().rule(rule).map(|rule| rule.level);
            assert_eq!(level, Some(Level::Open), "{}: {rule}", reading.id);
        }
    }
}

#[test]
fn every_open_rule_is_varied_or_says_why_not() {
    let varied: BTreeSet<_> = readings().flat_map(|reading| reading.rules).copied().collect();
    let excused: BTreeSet<_> = UNVARIED.iter().map(|(rule, _)| *rule).collect();
    assert!(varied.is_disjoint(&excused));
    // What hostile input comes to is the transport's, and only told.
    let is_of_transport = |id: &str| id.starts_with("hostile/");
    let open = Contract::built_in().rules().filter(|rule| rule.level == Level::Open && rule.hidden.is_none());
    let open = open.filter(|rule| !is_of_transport(&rule.id));
    let missing: Vec<_> =
        open.map(|rule| rule.id.as_str()).filter(|id| !varied.contains(id) && !excused.contains(id)).collect();
    assert!(
        missing.is_empty(),
        "declare a reading of {missing:?} in conformance/src/impostor/readings, or say in UNVARIED of this file why there is none"
    );
}

#[test]
fn other_reply_forms_say_the_same() {
    let request = Request {
        method: "GET".to_owned(),
        path: "/libros".to_owned(),
        query: String::new(),
        headers: Vec::new(),
        body: Vec::new(),
        absolute: false,
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        begun: Instant::now(),
        seams: Vec::new(),
    };
    let plain =
        Reply::json(200, "application/json", &json!({"id": 1, "a": ["ñ/\u{1}", {"b": null, "c": 1.5}], "e": "😀"}));
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
    let had: BTreeSet<_> = Platform::ALL.iter().flat_map(|platform| platform.habits()).copied().collect();
    assert_eq!(had, known);
    for platform in Platform::ALL {
        for id in platform.readings() {
            assert!(crate::impostor::readings::find(id).is_some(), "{}: no reading {id}", platform.name());
        }
    }
    assert!(habits::all().all(|habit| habit.text.ends_with('.')));
}
