//! Commands that are no service, and services that crash.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use libros_conformance::impostor::{Impostor, Options};

use crate::child::{Ended, each, profile, suite};

/// The environment's name of the text in a request that ends the server below.
const DEADLY: &str = "LIBROS_TEST_DEADLY";

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
fn a_command_that_is_no_service_is_shown_in_a_sentence() {
    let wrong =
        each(COMMANDS, |(command, codes)| suite(&["--spawn", command, "--wait", "4"]).complaint_about(command, codes));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "the server of the tests below: runs until a request ends it"]
#[expect(clippy::print_stdout, clippy::exit, reason = "a process of its own: its line `ready`, its end")]
fn serves_until_a_deadly_request() {
    let Ok(deadly) = std::env::var(DEADLY) else { return };
    let deadly: &'static str = deadly.leak();
    let impostor = Impostor::start(Options::default()).unwrap();
    let front = TcpListener::bind("127.0.0.1:0").unwrap();
    let [own, control] = ["catalogue", "control"].map(|key| impostor.urls()[key].clone());
    println!("\nready catalogue=http://{} control={control}", front.local_addr().unwrap());
    for from in front.incoming().map(Result::unwrap) {
        let to = TcpStream::connect(own.trim_start_matches("http://")).unwrap();
        let ends = [(from.try_clone().unwrap(), to.try_clone().unwrap()), (to, from)];
        for (mut from, mut to) in ends {
            std::thread::spawn(move || {
                let mut piece = [0; 65_536];
                while let Ok(read @ 1..) = from.read(&mut piece) {
                    if String::from_utf8_lossy(&piece[..read]).contains(deadly) {
                        eprintln!("a deadly request");
                        std::process::exit(7);
                    }
                    to.write_all(&piece[..read]).unwrap();
                }
                _ = to.shutdown(std::net::Shutdown::Write);
            });
        }
    }
}

/// Judges paging of that server.
fn judged(deadly: &str, options: &[&str]) -> Ended {
    let program = std::env::current_exe().unwrap();
    let server = format!("{DEADLY}='{deadly}' '{}' --ignored --nocapture serves_until", program.display());
    suite(&[&["paging", "--spawn", &server, "--cases", "16"], options].concat())
}

#[test]
fn a_service_that_is_started_again_fails_for_the_request_that_ended_it_and_for_nothing_else() {
    let ended = judged("limit=1000000", &["--respawn"]);
    assert_eq!(ended.complaint_about("respawned", &[1]), None);
    assert!(ended.out.contains(" 1 fail, 6 noted\nnot-conformant"), "{}", ended.out);
    let report = ended.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(report.contains("why the started command ended with exit 7 after GET /libros?"), "{report}");
    assert!(ended.complaint.contains("| a deadly request"), "{}", ended.complaint);
}

#[test]
fn a_service_that_dies_is_shown_with_its_status() {
    let ended = judged("limit=1000000", &[]);
    assert_eq!(ended.complaint_about("dying", &[3]), None);
    // A report in a pipe is wrapped, too.
    let report = ended.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let (first, rest) = report.split_once(") |").expect(&report);
    assert!(first.starts_with("the started command ended with exit 7 after ") && first.contains(" (case "), "{report}");
    assert!(
        rest.contains("| a deadly request >")
            && rest.contains("no answer")
            && rest.ends_with("unreachable")
            && ended.out.lines().count() < 24,
        "{report}"
    );
}

#[test]
fn a_service_that_ends_again_and_again_ends_the_run() {
    let ended = judged("page=", &["--respawn"]);
    assert_eq!(ended.complaint_about("dying again", &[3]), None);
    assert!(ended.out.contains("it was started again 10 times"), "{}{}", ended.out, ended.complaint);
}

#[test]
fn a_server_that_was_there_before_the_command_is_not_judged_in_its_place() {
    let earlier = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", earlier.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let profile = profile(folder.path(), &format!("[urls]\ncatalogue = '{url}'\n"));
    let by_profile = suite(&["--profile", &profile, "--spawn", "sleep 60"]);
    // Only Linux shows in time what listens at the addresses of a `ready` line.
    let by_line = suite(&["--spawn", &format!("echo ready catalogue={url}; sleep 60")]);
    for ended in [&by_profile, &by_line] {
        assert_eq!(ended.complaint_about("taken", &[3]), None);
        assert!(ended.complaint.contains(&format!("catalogue at {url} is taken")), "{}", ended.complaint);
    }
}
