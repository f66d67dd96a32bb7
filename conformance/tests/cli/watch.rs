//! `watch` from outside: a server that is mended while it is watched.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::{PROGRAM, Scratch, code, complained, impostor, suite};

#[test]
fn a_failure_is_shown_until_its_server_is_mended_and_an_interrupt_ends_both() {
    let options = Scratch::new("--fault limit-max-is-101");
    let folder = tempfile::tempdir().unwrap();
    let line = impostor(&format!("$(cat {})", options.path()));
    let mut watch = Command::new(PROGRAM)
        .args(["watch", "paging", "--spawn", &line, "--seed", "1", "--files", options.path()])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut until_it_waits =
        || lines.by_ref().take_while(|line| !line.starts_with("waiting")).collect::<Vec<_>>().join("\n");
    let red = until_it_waits();
    assert!(red.contains("FAIL paging::") && red.contains("got    101"), "{red}");
    std::fs::write(options.path(), "").unwrap();
    let green = until_it_waits();
    assert!(green.contains("none red"), "{green}");
    assert!(green.contains("turned green") && green.contains("limit_above_100_is_clamped"), "{green}");
    std::fs::write(options.path(), "--fault no-such-fault").unwrap();
    let refused = until_it_waits();
    assert!(refused.contains("there is no fault `no-such-fault`"), "{refused}");
    assert!(Command::new("kill").args(["-INT", &watch.id().to_string()]).status().unwrap().success());
    assert_eq!(watch.wait().unwrap().code(), Some(130));
}

#[test]
fn a_watch_without_a_command_or_a_file_says_what_it_wants() {
    for (options, why) in [
        (&["--reference"][..], "say how with --spawn"),
        (&["--spawn", "true", "--files", "no/such/file"], "`no/such/file` names no file"),
        (&["--spawn", "true", "pagng"], "did you mean `paging`?"),
    ] {
        let output = suite(&[&["watch"], options].concat());
        assert_eq!(code(&output), 2);
        assert!(complained(&output).contains(why), "{}", complained(&output));
    }
}
