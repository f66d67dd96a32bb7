//! Attacks on clusters that are none, and on one that is: what is broken is found, and nothing else.

use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::time::Duration;

use libros_conformance::implementation::process::Launched;

use super::{Scratch, code, complained, credentials, impostor, said, suite};

fn started() -> Launched {
    Launched::command_line(&impostor(""), None).unwrap().ready(Duration::from_secs(20)).unwrap()
}

/// Attacks the cluster at these URLs; returns the exit code, what is said, and the page.
fn attack(urls: &[&str], nemesis: &str, minutes: &str) -> (i32, String, String) {
    let profile = format!("[urls]\ncatalogue = {urls:?}\n{}[nemesis]\n{nemesis}", credentials());
    let (profile, page) = (Scratch::new(&profile), Scratch::new(""));
    let report = format!("html={}", page.path());
    let output =
        suite(&["nemesis", "--profile", profile.path(), "--minutes", minutes, "--seed", "1", "--report", &report]);
    (code(&output), said(&output) + &complained(&output), page.text())
}

#[test]
fn two_servers_that_do_not_know_each_other_are_no_cluster() {
    let servers = [started(), started()];
    let urls = servers.each_ref().map(|server| server.urls["catalogue"].as_str());
    let (code, said, page) = attack(&urls, "nothing = 'true'\nlasts_s = 1", "0.03");
    assert_eq!(code, 1, "{said}");
    for words in
        ["no confirmed write is lost\n", "no id is given twice", "an e-mail is registered once", "not-conformant"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(page.contains("class=\"window\"") && !page.contains("/*"), "{page}");
}

#[test]
fn a_server_that_forgets_when_it_is_killed_is_found() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let process = Scratch::new("");
    let server = impostor("").replacen("127.0.0.1:0", &format!("127.0.0.1:{port}"), 1);
    let url = format!("http://127.0.0.1:{port}");
    // The shell ends once the server listens.
    let start = format!(
        "{server} > {0}.ready 2>&1 & echo $! > {0}; until grep -q ^ready {0}.ready; do sleep 0.05; done",
        process.path()
    );
    let nemesis = format!("kill = \"kill -9 $(cat {})\"\nstart = \"{start}\"\nlasts_s = 1", process.path());
    assert!(Command::new("sh").args(["-c", &start]).stdin(Stdio::null()).status().unwrap().success());
    let (code, said, _) = attack(&[&url], &nemesis, "0.02");
    _ = Command::new("sh").args(["-c", &format!("kill $(cat {0}); rm {0}.ready", process.path())]).status();
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("no order explains") && said.contains("kill"), "{said}");
}

#[test]
fn one_server_that_stops_and_goes_on_is_right_by_any_name() {
    let server = started();
    let url = &server.urls["catalogue"];
    let urls = [url.as_str(), &url.replace("127.0.0.1", "localhost")];
    let quiet = "cut = 'test {number} = 1 -o {node} != 1'\nheal = 'true'\nlasts_s = 1";
    let (code, said, _) = attack(&urls, quiet, "0.03");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("once-only codes judged\nconformant"), "{said}");
}

#[test]
fn a_command_that_fails_and_a_profile_without_faults_are_named() {
    let server = started();
    let urls = [server.urls["catalogue"].as_str()];
    let (code, said, _) = attack(&urls, "kill = 'exit 7'", "1");
    assert!(code == 3 && said.contains("[nemesis] kill: exit status: 7: exit 7"), "{code} {said}");
    let (code, said, _) = attack(&urls, "start = 'true'", "1");
    assert!(code == 2 && said.contains("no fault: write one under [nemesis]"), "{code} {said}");
}
