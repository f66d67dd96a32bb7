//! Holds the README to the program: the counts it tells, the ids and options it names, the files it points to.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libros_conformance::case::{Case, Need};
use libros_conformance::cases;
use libros_conformance::contract::rule::Contract;
use libros_conformance::impostor::faults;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).unwrap()
}

/// What stands between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn counts_are_those_of_the_program() {
    let readme = readme();
    // A run without --restart leaves out the cases that need one, and any run those that nobody asks for.
    let is_left_out = |case: &&&Case| case.needs.contains(&Need::Restart) || case.is_asked_for();
    let judged = cases::all().len() - cases::all().iter().filter(is_left_out).count();
    let hostile = cases::all().iter().filter(|case| case.is_asked_for()).count();
    let faults = faults::all().count();
    let told =
        [format!("\n{judged} cases in "), format!("{faults} of {faults} faults"), format!("{hostile} hostile cases")];
    let missing: Vec<_> = told.iter().filter(|told| !readme.contains(*told)).map(|told| told.trim()).collect();
    assert!(
        missing.is_empty(),
        "README.md does not tell {missing:?}: run both commands again and put in what they print"
    );
}

/// Of what a run prints: what is the same whatever its seed, its duration and the day.
fn steady(output: &str) -> Vec<String> {
    let kept = |line: &&str| {
        ["  paging ", "  2 more", "FAIL ", "  rule ", "  where "].iter().any(|start| line.starts_with(start))
            || ["broken rules", "open rules noted", " cases in "].iter().any(|words| line.contains(words))
    };
    // `86 cases in 1.2 s: 61 pass`: between the two stands the duration.
    let without_duration = |line: &str| match (line.find(" in "), line.find(" s: ")) {
        (Some(from), Some(to)) if line.contains(" cases in ") => format!("{}{}", &line[..from], &line[to..]),
        _ => line.to_owned(),
    };
    output.lines().filter(kept).map(without_duration).collect()
}

#[test]
fn the_failing_run_that_is_shown_is_what_a_run_shows() {
    let program = env!("CARGO_BIN_EXE_libros-conformance");
    let spawned = format!("{program} impostor --fault limit-max-is-101");
    let arguments = ["run", "paging", "conditional", "routing", "--spawn", &spawned];
    let output = Command::new(program).args(arguments).output().unwrap();
    let readme = readme();
    let shown = readme.split("```text\nspawned  seed").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(steady(shown), steady(&String::from_utf8(output.stdout).unwrap()), "show the run anew in README.md");
}

#[test]
fn ids_that_are_named_exist() {
    let contract = Contract::built_in();
    let chapters: BTreeSet<&str> = contract.rules().map(|rule| rule.chapter()).collect();
    let ids: BTreeSet<String> = cases::all().iter().map(|case| case.id()).collect();
    for word in readme().split(|c: char| c.is_whitespace() || "`'()|,.".contains(c)) {
        if let Some((chapter, rest)) = word.split_once("::")
            && chapters.contains(chapter)
        {
            assert!(ids.contains(word), "README.md names the case {word}: {rest} is none of {chapter}");
        } else if let Some((chapter, rest)) = word.split_once('/')
            && chapters.contains(chapter)
            && !rest.is_empty()
            && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            assert!(contract.rule(word).is_some(), "README.md names the rule {word}, which nobody declares");
        }
    }
}

#[test]
fn options_that_are_named_are_understood() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_libros-conformance")).args(arguments).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let known = help(&["run", "--help"]) + &help(&["--help"]);
    let readme = readme();
    let section = readme.split("### Options worth knowing").nth(1).unwrap().split("### Exit codes").next().unwrap();
    for option in quoted(section).into_iter().flat_map(str::split_whitespace).filter(|word| word.starts_with("--")) {
        let option = option.split('=').next().unwrap();
        assert!(known.contains(option), "README.md names {option}");
    }
}

#[test]
fn files_that_are_named_are_there() {
    let texts = ["README.md", "ARCHITECTURE.md"].map(|name| fs::read_to_string(root().join(name)).unwrap());
    for path in texts.iter().flat_map(|text| quoted(text)) {
        let is_path =
            ["seeds/", "server/", "conformance/", "benches/", "fixtures/"].iter().any(|top| path.starts_with(top));
        if is_path && !path.contains(['*', '<', ' ']) {
            assert!(root().join(path).exists(), "{path} is named and not there");
        }
    }
}
