//! Control hooks that lie, in front of a right service.

use libros_conformance::impostor::{Impostor, Options};

use crate::answers::{listening_to, write_and_close};
use crate::child::{each, profile, suite};

/// Answers to `POST /reset`, `POST /clock/advance` and `GET /clock`.
type Answers = [&'static str; 3];

const NO_CONTENT: &str = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";
const NOW: &str =
    "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 34\r\n\r\n{\"now\":\"2026-11-22T10:00:00.000Z\"}";
const NOTHING: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
const BROKEN: &str = "HTTP/1.1 500 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
const PAGE: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n<!doctype html>";

/// Name, answers, and the right exit codes.
const HOOKS: &[(&str, Answers, &[i32])] = &[
    ("a clock that does not move and a reset that does nothing", [NO_CONTENT, NOW, NOW], &[1, 3]),
    ("a reset that fails", [BROKEN, NOW, NOW], &[1, 3]),
    ("a clock that cannot be moved", [NO_CONTENT, BROKEN, NOW], &[1, 3]),
    ("a clock that tells nothing", [NO_CONTENT, NOW, NOTHING], &[3]),
    ("a hook that is a web page", [PAGE, PAGE, PAGE], &[3]),
    ("a hook that closes", ["", "", ""], &[3]),
];

fn hook(answers: Answers) -> String {
    listening_to(move |asked, to| {
        let which = ["POST /reset", "POST /clock/advance"].iter().position(|call| asked.starts_with(call));
        write_and_close(to, answers[which.unwrap_or(2)], b"")
    })
}

#[test]
fn a_hook_that_lies_makes_no_run_green() {
    let wrong = each(HOOKS, |(name, answers, codes)| {
        let impostor = Impostor::start(Options::default()).unwrap();
        let catalogue = impostor.catalogue();
        let folder = tempfile::tempdir().unwrap();
        let tables = format!("[urls]\ncatalogue = '{catalogue}'\n[hooks]\ncontrol = '{}'\n", hook(*answers));
        let profile = profile(folder.path(), &tables);
        let ended = suite(&["--profile", &profile, "--timeout", "3", "--chapter", "sessions", "--chapter", "pending"]);
        ended.complaint_about(name, codes)
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
