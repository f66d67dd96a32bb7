//! Runs scripts of failures: each shows its fault on a fresh target that has it, and nothing on one without it.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use libros_conformance::case::Case;
use libros_conformance::cases;
use libros_conformance::implementation::process::REFERENCE_PROFILE;
use libros_conformance::implementation::profile::Target;
use libros_conformance::impostor::faults::{self, Fault, Faults};
use libros_conformance::impostor::{Impostor, Options};
use libros_conformance::report::script;
use libros_conformance::runner::kept;
use libros_conformance::runner::outcome::RunOutcome;
use libros_conformance::selftest::generated::GENERATED_CASES;
use libros_conformance::selftest::judging::{judged, session};
use sha2::{Digest as _, Sha256};

const SECRETS: [&str; 4] = ["test_key", "admin_key", "admin_password", "regular_password"];

fn started(fault: Option<&Fault>) -> Impostor {
    let faults = fault.map_or_else(Faults::none, |fault| Faults::one(fault.id).unwrap());
    Impostor::start(Options { faults, ..Options::default() }).unwrap()
}

/// The hand-written case that names the fault's rule, as it failed; `None` if only generated ones do.
fn failed(fault: &Fault) -> Option<RunOutcome> {
    let impostor = started(Some(fault));
    let urls = impostor.urls();
    let judging: Vec<&Case> = cases::all().into_iter().filter(|case| case.rules.contains(&fault.rule())).collect();
    let session = session(&urls, 1, 16).unwrap();
    let mut outcome = judged(&session, &judging);
    let names_it = |rule: Option<&str>| rule == Some(fault.rule());
    outcome.cases.retain(|case| {
        names_it(case.mismatch.as_ref().map(|mismatch| mismatch.rule.as_str()))
            && !GENERATED_CASES.contains(&case.id.as_str())
            && !case.exchanges.is_empty()
            && !script::has_overlaps(case)
    });
    outcome.cases.truncate(1);
    kept::redact(&session.target, &mut outcome.cases);
    (!outcome.cases.is_empty()).then_some(outcome)
}

fn played(script: &Path, fault: Option<&Fault>) -> Output {
    let impostor = started(fault);
    let urls = impostor.urls();
    let own = Target::parse(REFERENCE_PROFILE).unwrap().credentials;
    let values = [own.test_key, own.admin_key, own.admin_user.password, own.regular_user.password];
    Command::new("sh").arg(script).envs(urls.by_key()).envs(SECRETS.into_iter().zip(values)).output().unwrap()
}

/// What is wrong with a fault's script: it does not show the fault, or shows one on a target without it.
fn missed(fault: &Fault, folder: &Path) -> Option<String> {
    let outcome = failed(fault)?;
    let path = folder.join(format!("{}.sh", fault.id));
    let mut text = Vec::new();
    script::write(&mut text, &outcome).unwrap();
    std::fs::write(&path, text).unwrap();
    let (with, without) = (played(&path, Some(fault)), played(&path, None));
    let told = |output: &Output| {
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    };
    let message = outcome.cases[0].message.as_deref().unwrap_or_default();
    match (with.status.code(), without.status.code()) {
        (Some(1), Some(0)) => None,
        (Some(1), _) => Some(format!("{}: SHOWN WITHOUT IT: {message}\n{}", fault.id, told(&without))),
        _ => Some(format!("{}: NOT SHOWN: {message}\n{}", fault.id, told(&with))),
    }
}

/// Faults that no sequence of curl commands shows, each with the reason.
const UNSHOWN: [(&str, &str); 1] = [("bodies-decoded-in-pieces", "curl sends a body at once")];

/// Draws one of `step` faults by its id, so that a new fault changes nothing for the others.
fn is_drawn(fault: &Fault, step: usize) -> bool {
    let digest = Sha256::digest(fault.id);
    usize::from(u16::from_be_bytes([digest[0], digest[1]])) % step == 0
}

/// Tries one of `step` faults; returns how many, and what is wrong.
fn tried(step: usize) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let is_shown = |fault: &&Fault| UNSHOWN.iter().all(|(id, _)| *id != fault.id);
    let chosen: Vec<&Fault> = faults::all().filter(|fault| is_drawn(fault, step)).filter(is_shown).collect();
    let next = AtomicUsize::new(0);
    let missed: Vec<String> = std::thread::scope(|scope| {
        let work = || {
            let mut found = Vec::new();
            while let Some(fault) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                found.extend(missed(fault, folder.path()));
            }
            found
        };
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    (chosen.len(), missed)
}

fn assert_shown(step: usize) {
    let (count, missed) = tried(step);
    assert!(missed.is_empty(), "{} of {count} faults missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn a_script_shows_its_fault_again_on_a_fresh_target_and_nothing_on_a_right_one() {
    assert_shown(75);
}

#[test]
#[ignore = "takes minutes: `just again`"]
fn every_fifth_fault_is_shown_again_by_its_script() {
    assert_shown(std::env::var("LIBROS_AGAIN_STEP").map_or(5, |step| step.parse().unwrap()));
}
