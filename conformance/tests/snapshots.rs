//! Records every golden exchange of the reference with insta: review a change with `cargo insta review`, or by
//! `INSTA_UPDATE=always cargo test -p libros-conformance --test snapshots` and `git diff`.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libros_conformance::cases;
use libros_conformance::event::Silence;
use libros_conformance::golden::{self, Recorder};
use libros_conformance::hook::Control;
use libros_conformance::launch::{Launched, REFERENCE_PROFILE};
use libros_conformance::outcome::Verdict;
use libros_conformance::run::{Plan, run};
use libros_conformance::target::Target;
use libros_conformance::trial::Setting;

#[test]
fn golden_exchanges_of_the_reference_are_as_reviewed() {
    let wait = Duration::from_secs(60);
    let launched = Launched::reference_in(env!("CARGO_BIN_EXE_libros-conformance").as_ref(), wait).unwrap();
    let mut target = Target::parse(REFERENCE_PROFILE).unwrap();
    target.place_only(&launched.urls).unwrap();
    let control = target.control.as_deref().map(|url| Control::new(url, wait).unwrap());
    let setting = Setting {
        target,
        control,
        seed: 1,
        cases: 1,
        timeout: wait,
        recorder: Some(Recorder::default()),
        nonce: "0".into(),
    };
    let scenes: Vec<_> = cases::all().into_iter().filter(|case| case.chapter == "exchanges").collect();
    let plan = Plan { jobs: 1, fail_fast: false, retries: 0, is_exclusive: true, keeps_traffic: true };
    let outcome = run(&setting, &scenes, &plan, &Silence, &AtomicBool::new(false));
    for case in &outcome.cases {
        assert_eq!(case.verdict, Verdict::Pass, "{}: {:?}", case.id, case.message);
    }
    let recorded = setting.recorder.unwrap().into_inner().unwrap();
    for (name, text) in &recorded {
        insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), text);
        });
    }
    let names: BTreeSet<_> = recorded.into_keys().collect();
    let stale: Vec<_> = golden::recorded_scenes().into_iter().filter(|name| !names.contains(name)).collect();
    assert_eq!(stale, Vec::<String>::new(), "snapshots of scenes that no case plays any more: delete them");
}
