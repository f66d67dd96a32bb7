//! Records the reference's answers with insta: every snapshot, and its reading of every open rule. Review changes with
//! `cargo insta review`, or with `INSTA_UPDATE=always` and `git diff`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use libros_conformance::case::Case;
use libros_conformance::chapters::cases;
use libros_conformance::context::restart::Restarter;
use libros_conformance::context::session::Session;
use libros_conformance::contract::rule::Contract;
use libros_conformance::http::control::Control;
use libros_conformance::implementation::process::Launched;
use libros_conformance::implementation::profile::Target;
use libros_conformance::implementation::reference;
use libros_conformance::runner::outcome::RunOutcome;
use libros_conformance::runner::run::{Plan, run};
use libros_conformance::snapshot::reviewed;
use tempfile::TempDir;

const WAIT: Duration = Duration::from_secs(60);

/// The reference with its own data folder; dropping it kills it.
struct Reference {
    folder: TempDir,
    launched: Mutex<Option<Launched>>,
}

impl Reference {
    fn start(&self) -> (Target, Option<Control>) {
        let mut launched = self.launched.lock().unwrap();
        drop(launched.take());
        // The tests' own build has a store on disk.
        let (program, folder) = (Path::new(env!("CARGO_BIN_EXE_libros-conformance")), self.folder.path());
        let again = reference::start_with(program, &["--data", folder.to_str().unwrap()], WAIT).unwrap();
        let target = reference::target(&again.urls).unwrap();
        *launched = Some(again);
        let control = target.control.as_deref().map(|url| Control::new(url, WAIT).unwrap());
        (target, control)
    }
}

/// Judges the reference by these cases, which all must hold; returns what they recorded.
fn judged(cases: &[&Case]) -> (RunOutcome, BTreeMap<String, String>) {
    let reference = Arc::new(Reference { folder: tempfile::tempdir().unwrap(), launched: Mutex::default() });
    let (target, control) = reference.start();
    let again = Arc::clone(&reference);
    let restarter = Some(Restarter::new(move |_| Ok(again.start())));
    let recorder = Some(Mutex::default());
    let session = Session { recorder, nonce: "0".into(), restarter, ..Session::new(target, control, 1, 1, WAIT) };
    let plan = Plan { jobs: 1, keeps_traffic: true, ..Plan::exclusive() };
    let outcome = run(&session, cases, &plan);
    for case in &outcome.cases {
        assert!(case.verdict.holds(), "{}: {:?}", case.id, case.message);
    }
    drop(reference.launched.lock().unwrap().take());
    (outcome, session.recorder.unwrap().into_inner().unwrap())
}

#[test]
fn snapshots_of_the_reference_are_as_reviewed() {
    let transcripts: Vec<_> = cases::all().into_iter().filter(|case| case.chapter == "exchanges").collect();
    let files = reviewed::files(&judged(&transcripts).1, &transcripts);
    for (name, text) in &files {
        insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), text);
        });
    }
    let stale: Vec<_> = reviewed::names().into_iter().filter(|name| !files.contains_key(name)).collect();
    assert_eq!(stale, Vec::<String>::new(), "snapshots of transcripts that no case plays any more: delete them");
}

#[test]
fn readings_of_open_rules_are_as_reviewed() {
    let is_taken = |case: &&Case| case.rules.iter().any(|id| Contract::built_in().is_open(id)) && !case.is_opt_in();
    let asking: Vec<_> = cases::all().into_iter().filter(is_taken).collect();
    let outcome = judged(&asking).0;
    let notes = outcome.cases.iter().flat_map(|case| &case.notes);
    let readings: BTreeSet<String> = notes.map(|note| format!("{}: {}\n", note.rule, note.meaning)).collect();
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("readings", readings.into_iter().collect::<String>());
    });
}

/// The length of a legend's entry at the beginning of a text: `NAME` and `N` in it match any words.
fn length_of(entry: &str, text: &str) -> Option<usize> {
    let literals = entry.replace("<N ", "<\0 ").replace(" N ", " \0 ").replace("NAME", "\0");
    let mut at = 0;
    for (index, literal) in literals.split('\0').enumerate() {
        let found = text[at..].find(literal)?;
        let skipped = &text[at..at + found];
        if (index == 0 && found > 0) || skipped.contains(['<', '>', '"']) {
            return None;
        }
        at += found + literal.len();
    }
    Some(at)
}

#[test]
fn the_legend_explains_every_placeholder() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let entries: Vec<&str> = readme
        .split('`')
        .skip(1)
        .step_by(2)
        .filter_map(|code| code.find('<').map(|at| &code[at..]))
        .filter(|entry| entry.ends_with('>'))
        .collect();
    let mut used = BTreeSet::new();
    for name in reviewed::names() {
        let text = std::fs::read_to_string(folder.join(format!("{name}.snap"))).unwrap();
        for line in text.lines() {
            let mut rest = line.strip_prefix("< ").or(line.strip_prefix("> ")).unwrap_or(line);
            while let Some(at) = rest.find('<') {
                rest = &rest[at..];
                let known = entries.iter().filter_map(|entry| Some((length_of(entry, rest)?, *entry))).max();
                let (length, entry) = known.unwrap_or_else(|| panic!("{name}: the legend does not explain `{rest}`"));
                used.insert(entry);
                rest = &rest[length..];
            }
        }
    }
    let idle: Vec<_> = entries.iter().filter(|entry| !used.contains(*entry)).collect();
    assert!(idle.is_empty(), "the legend explains what no snapshot has: {idle:?}");
}
