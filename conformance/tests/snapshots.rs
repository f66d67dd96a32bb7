//! Records with insta what the reference answers: every golden exchange, and the reading it has of every open rule. Review a
//! change with `cargo insta review`, or by `INSTA_UPDATE=always cargo test -p libros-conformance --test snapshots` and `git diff`.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libros_conformance::case::Case;
use libros_conformance::cases;
use libros_conformance::event::Silence;
use libros_conformance::golden::{self, Recorder};
use libros_conformance::hook::Control;
use libros_conformance::launch::{Launched, REFERENCE_PROFILE};
use libros_conformance::outcome::{RunOutcome, Verdict};
use libros_conformance::rule::{Contract, Level};
use libros_conformance::run::{Plan, run};
use libros_conformance::target::Target;
use libros_conformance::trial::Setting;

const WAIT: Duration = Duration::from_secs(60);

/// The reference judged by these cases, which all must hold, and what they recorded.
fn judged(cases: &[&Case]) -> (RunOutcome, Recorder) {
    let launched = Launched::reference_in(env!("CARGO_BIN_EXE_libros-conformance").as_ref(), WAIT).unwrap();
    let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
    target.place_only(&launched.urls).unwrap();
    let control = target.control.as_deref().map(|url| Control::new(url, WAIT).unwrap());
    let recorder = Some(Recorder::default());
    let setting = Setting { target, control, seed: 1, cases: 1, timeout: WAIT, recorder, nonce: "0".into() };
    let plan = Plan { jobs: 1, fail_fast: false, retries: 0, is_exclusive: true, keeps_traffic: true };
    let outcome = run(&setting, cases, &plan, &Silence, &AtomicBool::new(false));
    for case in &outcome.cases {
        let holds = matches!(case.verdict, Verdict::Pass | Verdict::Noted);
        assert!(holds, "{}: {:?}", case.id, case.message);
    }
    (outcome, setting.recorder.unwrap())
}

#[test]
fn golden_exchanges_of_the_reference_are_as_reviewed() {
    let scenes: Vec<_> = cases::all().into_iter().filter(|case| case.chapter == "exchanges").collect();
    let recorded = judged(&scenes).1.into_inner().unwrap();
    for (name, text) in &recorded {
        insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), text);
        });
    }
    let names: BTreeSet<_> = recorded.into_keys().collect();
    let stale: Vec<_> = golden::recorded_scenes().into_iter().filter(|name| !names.contains(name)).collect();
    assert_eq!(stale, Vec::<String>::new(), "snapshots of scenes that no case plays any more: delete them");
}

#[test]
fn readings_of_open_rules_are_as_reviewed() {
    let contract = Contract::built_in();
    let is_open = |id: &&str| contract.rule(id).is_some_and(|rule| rule.level == Level::Open);
    let asking: Vec<_> = cases::all().into_iter().filter(|case| case.rules.iter().any(is_open)).collect();
    let outcome = judged(&asking).0;
    let notes = outcome.cases.iter().flat_map(|case| &case.notes);
    let readings: BTreeSet<String> = notes.map(|note| format!("{}: {}\n", note.rule, note.reading)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("readings", readings.into_iter().collect::<String>());
    });
}
