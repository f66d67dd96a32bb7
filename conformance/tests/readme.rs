//! Compares the guides with the program: their sample output, counts, ids, options and files.
//!
//! `INSTA_UPDATE=always` updates output and counts.

mod program;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use libros_conformance::case::{Case, Need};
use libros_conformance::chapters::cases;
use libros_conformance::contract::rule::Contract;
use libros_conformance::impostor::faults;

use crate::program::PROGRAM;

const README_LINES_MAX: usize = 150;
const GUIDES: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "benches/README.md",
    "conformance/README.md",
    "conformance/audits/README.md",
    "server/CLUSTER.md",
    "server/README.md",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text_of(guide: &str) -> String {
    fs::read_to_string(root().join(guide)).unwrap()
}

fn guides() -> String {
    GUIDES.map(text_of).join("\n")
}

/// The parts between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn output_of(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    // A program built elsewhere is called by its path.
    String::from_utf8(output.stdout).unwrap().replace(PROGRAM, "libros-conformance")
}

fn is_blessing() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always")
}

/// Changes the text of a guide; one test at a time, since several change the same one.
fn rewrite(guide: &str, change: impl FnOnce(String) -> String) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap();
    fs::write(root().join(guide), change(text_of(guide))).unwrap();
}

/// The sample output after the comment `sample: NAME`; updated if that was requested.
fn sample(name: &str, output: impl Fn() -> String) -> String {
    let readme = text_of("README.md");
    let start = format!("<!-- sample: {name} -->\n```text\n");
    let (_, rest) = readme.split_once(&start).expect("the README has the sample");
    let (shown, _) = rest.split_once("```").unwrap();
    if is_blessing() {
        // A machine that builds is slow: the duration stays.
        let now = output();
        let now = now.replace(&format!(" in {}:", duration(&now)), &format!(" in {}:", duration(shown)));
        rewrite("README.md", |text| text.replacen(&format!("{start}{shown}"), &format!("{start}{now}"), 1));
        return now;
    }
    shown.to_owned()
}

#[test]
fn the_readme_is_short() {
    assert!(text_of("README.md").lines().count() <= README_LINES_MAX);
}

#[test]
fn the_output_that_is_shown_is_what_a_run_prints() {
    // A run leaves out cases that need a restart or must be named.
    let is_left_out = |case: &&&Case| case.needs.contains(&Need::Restart) || case.is_opt_in();
    let judged = cases::all().len() - cases::all().iter().filter(is_left_out).count();
    let whole = sample("the_reference", || {
        let output = output_of(&["run"]);
        let from = output.find("\n\n").expect("an empty line behind the chapters");
        output[from..].trim_start().to_owned()
    });
    assert!(whole.contains(&format!("\n{judged} cases in ")), "show the run anew: just bless");

    let spawned = format!("{PROGRAM} impostor --fault limit-max-is-101");
    let run = || output_of(&["run", "paging", "--spawn", &spawned]);
    let shown = sample("a_fault", run);
    assert_eq!(steady(&shown), steady(&run()), "show the run anew: just bless");
}

/// The parts of the output that do not depend on seed, duration and day.
fn steady(output: &str) -> Vec<String> {
    let kept = |line: &&str| {
        ["  paging ", "FAIL ", "  rule ", "  where "].iter().any(|start| line.starts_with(start))
            || ["broken rules", "open rules noted", " cases in "].iter().any(|words| line.contains(words))
    };
    output.lines().filter(kept).map(|line| line.replace(duration(line), "")).collect()
}

/// `1.2 s` of `86 cases in 1.2 s: 61 pass`.
fn duration(output: &str) -> &str {
    output.split_once(" cases in ").and_then(|(_, rest)| rest.split(':').next()).unwrap_or_default()
}

#[test]
fn counts_are_those_of_the_program() {
    let hostile = cases::all().iter().filter(|case| case.is_opt_in()).count();
    let (faults, broken) = (faults::all().count(), faults::all().map(|fault| fault.rules.len()).sum());
    let judged = cases::all().iter().filter(|case| !Contract::built_in().are_open(case.rules)).count();
    for (pattern, count) in [
        ("\n# of # faults killed", faults),
        ("names the broken rule | # of # |", faults),
        ("\n# of # broken rules named", broken),
        ("\n# of # cases fail on a fault", judged),
        ("fault of its own rules | # of # |", judged),
        ("| # hostile probes", hostile),
    ] {
        let with = |count: usize| pattern.replace('#', &count.to_string());
        if is_blessing() {
            for guide in GUIDES {
                rewrite(guide, |text| (0..10_000).fold(text, |text, former| text.replace(&with(former), &with(count))));
            }
        }
        assert!(guides().contains(&with(count)), "no guide says {:?}: just bless", with(count));
    }
}

#[test]
fn ids_that_are_named_exist() {
    let contract = Contract::built_in();
    let chapters: BTreeSet<&str> = contract.rules().map(|rule| rule.chapter()).collect();
    let ids: BTreeSet<String> = cases::all().iter().map(|case| case.id()).collect();
    for word in guides().split(|c: char| c.is_whitespace() || "`'()|,.".contains(c)) {
        if let Some((chapter, rest)) = word.split_once("::")
            && chapters.contains(chapter)
        {
            assert!(ids.contains(word), "the guides name the case {word}: {rest} is none of {chapter}");
        } else if let Some((chapter, rest)) = word.split_once('/')
            && chapters.contains(chapter)
            && !rest.is_empty()
            && rest.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            assert!(contract.rule(word).is_some(), "the guides name the rule {word}, which no file declares");
        }
    }
}

#[test]
fn options_that_are_named_are_understood() {
    let known =
        [&["run", "--help"][..], &["watch", "--help"], &["nemesis", "--help"], &["ledger", "--help"], &["--help"]]
            .map(output_of)
            .concat();
    let guide = text_of("conformance/README.md");
    let section = guide.split("## Options worth knowing").nth(1).unwrap().split("## Exit codes").next().unwrap();
    for option in quoted(section).into_iter().flat_map(str::split_whitespace).filter(|word| word.starts_with("--")) {
        let option = option.split('=').next().unwrap();
        assert!(known.contains(option), "the guide names {option}");
    }
}

#[test]
fn files_that_are_named_are_there() {
    for guide in GUIDES {
        let text = text_of(guide);
        for path in quoted(&text) {
            let is_path =
                ["seeds/", "server/", "conformance/", "benches/", "fixtures/"].iter().any(|top| path.starts_with(top));
            if is_path && !path.contains(['*', '<', ' ', '{']) {
                assert!(root().join(path).exists(), "{guide} names {path}, which is not there");
            }
        }
        let folder = root().join(guide).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(folder.join(link).exists(), "{guide} links to {link}, which is not there");
        }
    }
}
