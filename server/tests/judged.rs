//! The server judged from outside, over HTTP alone, by the suite whose program the environment names.
//!
//! What `just mutants` runs on every mutant of the server: first the suite must find no fault, then the readings it saw of open
//! rules must be the reviewed ones. The server judged is one that was started before, on the same folder, and killed. Never
//! links the suite; without `LIBROS_CONFORMANCE` it says so and passes: the suite judges the reference in its own tests anyway.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// The server with every interface on a free port, passwords cheap to hash.
const OPTIONS: &str = "all --password-cost 8,1,1 --catalogue-addr 127.0.0.1:0 --users-addr 127.0.0.1:0 \
     --graphql-addr 127.0.0.1:0 --graphql-reduced-addr 127.0.0.1:0 --control-addr 127.0.0.1:0";

/// The readings of the reference, a `rule: reading` a line, below a heading.
const REVIEWED: &str = include_str!("../../conformance/tests/snapshots/readings.snap");

#[test]
fn suite_finds_no_fault_and_the_reviewed_readings() {
    let Some(suite) = std::env::var_os("LIBROS_CONFORMANCE") else {
        eprintln!("SKIPPED: LIBROS_CONFORMANCE does not name the suite's program");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder for the data");
    let data = folder.path().join("data");
    let report = folder.path().join("report.json");
    start_and_kill(&data);
    let server = format!("'{}' {OPTIONS} --data '{}'", env!("CARGO_BIN_EXE_libros-server"), data.display());
    let status = Command::new(&suite)
        .args(["run", "--fail-fast", "--wait", "20", "--timeout", "10", "--seed", "1", "--restart", "--spawn", &server])
        .args(["--report", &format!("json={}", report.display())])
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", Path::new(&suite).display()));
    assert!(status.success(), "the suite ended with {status}");
    let report = std::fs::read_to_string(report).expect("the suite's report");
    let seen = readings(&serde_json::from_str(&report).expect("a report in JSON"));
    let reviewed: BTreeSet<String> = REVIEWED.lines().skip(3).map(str::to_owned).collect();
    // A machine that is busy answers the largest queries slowly, and then no larger ones are sent.
    let slow = |seen: &String| Some(seen.strip_suffix(", the last one slowly")?.rsplit_once(": ")?.0.to_owned());
    let is_measured = |line: &&String| seen.iter().filter_map(slow).any(|what| line.starts_with(&what));
    let differing: Vec<&String> = seen.symmetric_difference(&reviewed).filter(|line| !is_measured(line)).collect();
    assert!(differing.is_empty(), "READ OTHERWISE than reviewed: {differing:#?}");
}

/// Starts the server on an empty folder, so that the next one reads what this one stored, and kills it once it is ready.
fn start_and_kill(data: &Path) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_libros-server"))
        .args(OPTIONS.split_whitespace())
        .arg("--data")
        .arg(data)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut ready = String::new();
    let output = server.stdout.take().expect("its output is piped");
    BufReader::new(output).read_line(&mut ready).expect("its first line");
    server.kill().expect("it can be killed");
    server.wait().expect("it ends");
    assert!(ready.starts_with("ready "), "the server said {ready:?} instead of being ready");
}

fn readings(report: &Value) -> BTreeSet<String> {
    let cases = report["cases"].as_array().into_iter().flatten();
    let notes = cases.flat_map(|case| case["notes"].as_array().into_iter().flatten());
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    notes.map(|note| format!("{}: {}", text(&note["rule"]), text(&note["meaning"]))).collect()
}
