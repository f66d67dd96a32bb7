//! Targets whose answers, output and reports attack the reader's terminal, CI log or browser.

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use crate::answers::{fine, listening};
use crate::child::suite;
use crate::program::PROGRAM;

/// As JSON: window title, bell, colours, C1 characters, CI commands, bidirectional marks, links.
const HOSTILE: &str = r#"{"error":"\u001b]0;owned\u0007\u009b31m\n::error::owned\r\n  ::error::owned ##[error]owned \u202e\u2066\u0000 ![i](http://owned.example/i) [l](http://owned.example) <b>owned</b> @owned","datos":[],"owned\n::error::key\u001b[2J":1}"#;

/// Panics if the text contains a character that moves, colours or hides text, or a line that a CI server obeys.
fn assert_harmless(what: &str, text: &str) {
    let is_plain = |c: char| {
        let marks = ['\u{200e}', '\u{200f}', '\u{202a}', '\u{202e}', '\u{2066}', '\u{2069}', '\u{feff}'];
        c == '\n' || !c.is_control() && !marks.contains(&c)
    };
    let strange = text.chars().find(|c| !is_plain(*c));
    assert!(strange.is_none(), "{what} holds {strange:?}");
    let commands = text.lines().filter(|line| line.trim_start().starts_with("::") || line.contains("##["));
    for line in commands {
        let is_own =
            what == "github" && (line.starts_with("::error file=seeds/") || line.starts_with("::notice title="));
        assert!(is_own || line.starts_with("::error title="), "{what}: {line}");
    }
}

/// The same as plain text, and in a header.
fn as_text(to: &mut TcpStream) -> std::io::Result<()> {
    let body = "<p>\u{1b}[2J\u{9b}1m owned\n::error::owned\n  ::error::owned ##[error]owned\r\u{202e}\0";
    let head = format!(
        "HTTP/1.1 200 OK\r\nX-API-Version: owned \u{9b}\u{202e}##[error]x\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    to.write_all(format!("{head}{body}").as_bytes())
}

#[test]
fn nothing_that_a_target_says_reaches_a_reader_raw() {
    assert_nothing_is_raw(&listening(|to| fine(to, HOSTILE)));
    assert_nothing_is_raw(&listening(as_text));
}

fn assert_nothing_is_raw(url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let formats = ["human", "json", "junit", "html", "sarif", "github", "md", "tap", "har", "hurl"];
    let reports = formats.map(|format| format!("{format}={}", folder.path().join(format).display()));
    let mut arguments = vec!["paging", "login", "exchanges", "headers", "--url", url, "--skip-preflight", "--verbose"];
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    let ended = suite(&arguments);
    assert_eq!(ended.code, Some(1), "{}", ended.complaint);
    assert_harmless("standard output", &ended.out);
    assert_harmless("standard error", &ended.complaint);
    for format in formats {
        let report = fs::read_to_string(folder.path().join(format)).unwrap();
        // Pages contain their own script.
        let report = if format == "html" { report.replace('\t', " ") } else { report };
        assert_harmless(format, &report);
        assert!(format == "github" || report.contains("owned"), "{format} shows nothing of it");
        if format == "md" {
            // Text outside code is parsed as Markdown.
            let read: String = report.split('`').step_by(2).collect();
            assert!(!read.contains("owned"), "{report}");
        }
    }
}

#[test]
fn what_a_started_command_says_is_printed_as_text() {
    let noise = r"printf '\033]0;owned\007\n::error::owned\n\302\233x\n\r\n' >&2";
    for (command, words) in [
        (format!("{noise}; exit 5"), r"| \x1b]0;owned\x07"),
        (format!("{noise}; sleep 60"), r"| ::error::owned"),
        (r"printf 'ready \033[31m\302\233owned\n'; sleep 60".to_owned(), r"ready \x1b[31m\x9bowned"),
        (r"printf 'ready catalogue=\033[31mowned\n'; sleep 60".to_owned(), r"`\x1b[31mowned`"),
    ] {
        let ended = suite(&["--spawn", &command, "--wait", "4"]);
        assert_eq!(ended.code, Some(3), "{command}: {}", ended.complaint);
        assert!(ended.complaint.contains(words), "{command}: {}", ended.complaint);
        assert_harmless(&command, &ended.complaint);
    }
}

#[test]
fn a_report_that_is_read_back_is_printed_as_text() {
    let folder = tempfile::tempdir().unwrap();
    let report = |name: &str, verdict: &str| {
        let own = "owned\u{1b}[2J\u{9b}\n::error::x";
        let text = serde_json::json!({
            "format": "libros-conformance/1", "suite": { "version": own }, "target": { "name": own },
            "started_at": own, "complete": true, "result": own,
            "cases": [{ "id": own, "verdict": verdict, "notes": [{ "rule": own, "reading": format!("{own}{verdict}") }] },
                      { "id": format!("{own}{verdict}"), "verdict": verdict }],
            "rules": [{ "id": own, "verdict": verdict, "cases": [] }],
        });
        let path = folder.path().join(name);
        fs::write(&path, text.to_string()).unwrap();
        path
    };
    let (before, after) = (report("before.json", "pass"), report("after.json", "fail"));
    let broken = folder.path().join("broken.json");
    fs::write(&broken, "{\"format\": \"x\\u001b[2J\\n::error::x\"}").unwrap();
    let badge = folder.path().join("badge.svg");
    let paths = |paths: &[&Path]| paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
    for arguments in [
        paths(&[&before, &after]),
        paths(&[&before, &after, &after, Path::new("--badge"), &badge, Path::new("--verbose")]),
        paths(&[&broken, &after]),
    ] {
        let output = Command::new(PROGRAM).arg("compare").args(&arguments).output().unwrap();
        for said in [output.stdout, output.stderr] {
            assert_harmless("compare", &String::from_utf8(said).unwrap());
        }
    }
    assert_harmless("badge", &fs::read_to_string(badge).unwrap());
}
