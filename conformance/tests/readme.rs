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
    for told in
        [format!("\n{judged} cases in "), format!("{faults} of {faults} faults"), format!("{hostile} hostile cases")]
    {
        assert!(readme.contains(&told), "README.md does not tell `{}`", told.trim());
    }
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
