//! Runs that end before their cases do, and the size limit of reports.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;

use crate::answers::{fine, listening, silent, write_and_close};
use crate::child::{Ended, suite, suite_meanwhile};

const REPORT_BYTES_MAX: u64 = 20 << 20;
/// Set when the suite has sent a request: its handler of interrupts, without which it would end and report nothing, is set before.
static ASKED: OnceLock<()> = OnceLock::new();

fn read(report: &Path) -> Value {
    serde_json::from_slice(&fs::read(report).unwrap()).unwrap()
}

/// Runs the suite against a URL, and reads its report back.
fn reported(url: &str, options: &[&str], act: impl FnOnce(&Child)) -> (Ended, Value) {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let to_report = format!("json={}", report.display());
    let always = ["--url", url, "--skip-preflight", "--timeout", "600", "--report", &to_report];
    (suite_meanwhile(&[&always, options].concat(), act), read(&report))
}

fn interrupt(child: &Child) {
    ASKED.wait();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn an_interrupt_ends_a_run_that_waits_for_an_answer_with_its_reports_written() {
    let (ended, report) = reported(&listening(|_| (ASKED.set(()), silent()).1), &["paging", "sessions"], interrupt);
    assert_eq!(ended.code, Some(130), "{}{}", ended.out, ended.complaint);
    assert_eq!((&report["complete"], &report["result"]), (&Value::from(false), &Value::from("interrupted")));
    assert_eq!(ended.out.lines().last(), Some("interrupted"), "{}", ended.out);
}

fn limited(url: &str) -> (Ended, Value) {
    reported(url, &["--time-limit", "12s", "--jobs", "4"], |_| {})
}

#[test]
fn a_time_limit_ends_a_run_in_a_sentence_and_a_slow_target_is_forecast() {
    let slow = listening(|to| {
        std::thread::sleep(Duration::from_millis(500));
        fine(to, "{}")
    });
    let (ended, report) = limited(&slow);
    assert_eq!((ended.code, ended.out.lines().last()), (Some(1), Some("not-conformant")), "{}", ended.out);
    assert!(ended.out.contains("the time limit of 12 s ended the run"), "{}", ended.out);
    assert_eq!(report["complete"], false);
    assert!(ended.complaint.contains("this run will take up to"), "{}", ended.complaint);
    assert!(ended.complaint.contains("10 s: "), "{}", ended.complaint);
}

#[test]
fn a_run_that_a_time_limit_ends_before_anything_failed_is_no_success() {
    let (ended, report) = limited(&listening(|_| silent()));
    assert_eq!((ended.code, &report["result"]), (Some(130), &Value::from("interrupted")), "{}", ended.out);
    assert!(ended.out.contains("this report is incomplete, 0 of "), "{}", ended.out);
}

#[test]
fn no_report_is_longer_than_a_report_may_be_and_what_is_cut_says_so() {
    // Each of these bytes takes six in a report.
    let url = listening(|to| {
        let body = [1; 60 << 10];
        let head =
            format!("HTTP/1.1 200 OK\r\nX-Long: {}\r\nContent-Length: {}\r\n\r\n", "x".repeat(30_000), body.len());
        write_and_close(to, &head, &body)
    });
    let folder = tempfile::tempdir().unwrap();
    let formats = ["json", "html", "har", "junit", "human"];
    let reports = formats.map(|format| format!("{format}={}", folder.path().join(format).display()));
    // Enough answers that their traffic is more than a run keeps.
    let mut arguments = vec!["--url", &url, "--skip-preflight", "--trace", "--seed", "1"];
    arguments.extend(["paging", "headers", "routing", "conditional", "errors"]);
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    let ended = suite(&arguments);
    assert_eq!(ended.complaint_about("long", &[1]), None);
    for format in formats {
        let report = folder.path().join(format);
        let bytes = report.metadata().unwrap().len();
        assert!(bytes <= REPORT_BYTES_MAX, "{format} has {bytes} bytes");
        let is_shown = |text: &str| text.contains("bytes in all)") || text.contains("longer than 20 MiB");
        assert!(is_shown(&fs::read_to_string(&report).unwrap()), "{format} says nothing of what was cut");
    }
    read(&folder.path().join("json"));
}
