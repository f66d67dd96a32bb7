//! Commands that are no service, and services that crash.

use std::net::TcpListener;

use crate::child::{each, suite};

/// A command line for `--spawn`, and the right exit codes.
const COMMANDS: &[(&str, &[i32])] = &[
    ("true", &[3]),
    ("exit 7", &[3]),
    ("no-such-program --anywhere", &[3]),
    ("echo ready", &[3]),
    ("echo ready; sleep 60", &[3]),
    ("echo ready catalogue=nonsense; sleep 60", &[3]),
    ("echo ready users=http://127.0.0.1:1; sleep 60", &[3]),
    ("echo ready catalogue=http://127.0.0.1:1; sleep 60", &[3]),
    ("echo ready catalogue=http://127.0.0.1:1", &[3]),
    ("sleep 60", &[3]),
    ("cat /dev/zero", &[3]),
    ("yes ready or not", &[3]),
    ("trap '' TERM; sleep 60", &[3]),
];

#[test]
fn a_command_that_is_no_service_is_told_in_a_sentence() {
    let wrong =
        each(COMMANDS, |(command, codes)| suite(&["--spawn", command, "--wait", "2"]).complaint_about(command, codes));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_service_that_dies_is_told_with_its_status() {
    let program = env!("CARGO_BIN_EXE_libros-conformance");
    let addresses: String = ["catalogue", "users", "graphql", "graphql-reduced", "control"]
        .map(|name| format!(" --{name}-addr 127.0.0.1:0"))
        .concat();
    let dying = format!("'{program}' impostor{addresses} & sleep 4; kill -9 $!; wait; echo gone; exit 5");
    let ended = suite(&["--spawn", &dying, "-j", "1", "--cases", "100000", "--timeout", "3"]);
    assert_eq!(ended.complaint_about("dying", &[3]), None);
    let told = format!("{}{}", ended.out, ended.complaint);
    // A report in a pipe is wrapped, too.
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, rest) = told.split_once(") |").expect(&told);
    assert!(first.starts_with("the started command ended with exit 5 after ") && first.contains(" (case "), "{told}");
    assert!(
        rest.contains("| gone >")
            && rest.contains("no answer")
            && rest.ends_with("unreachable")
            && ended.out.lines().count() < 20,
        "{told}"
    );
}

#[test]
fn a_server_that_was_there_before_the_command_is_not_judged_in_its_place() {
    let earlier = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", earlier.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let profile = folder.path().join("target.toml");
    let own = include_str!("../../../fixtures/targets/reference.toml");
    let moved: Vec<_> = own
        .lines()
        .map(|line| if line.starts_with("catalogue") { format!("catalogue = \"{url}\"") } else { line.to_owned() })
        .collect();
    std::fs::write(&profile, moved.join("\n")).unwrap();
    let by_profile = suite(&["--profile", profile.to_str().unwrap(), "--spawn", "sleep 60"]);
    // Only Linux shows in time who listens at the addresses of a `ready` line.
    let by_line = suite(&["--spawn", &format!("echo ready catalogue={url}; sleep 60")]);
    for ended in [&by_profile, &by_line] {
        assert_eq!(ended.complaint_about("taken", &[3]), None);
        assert!(ended.complaint.contains(&format!("catalogue at {url} is taken")), "{}", ended.complaint);
    }
}
