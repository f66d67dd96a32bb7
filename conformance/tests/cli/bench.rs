//! `bench` from outside: every due request is accounted for, whatever the target does, and no book remains.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use libros_conformance::impostor::{Impostor, Options};
use serde_json::Value;

use super::{PROGRAM, code, complained, said, suite_in};

fn get(catalogue: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(catalogue.strip_prefix("http://").unwrap()).unwrap();
    let key = "ak_7e57c11e27000000000000000000c0de";
    write!(stream, "GET {path} HTTP/1.1\r\nHost: t\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn bench(folder: &Path, target: &str, options: &[&str]) -> Output {
    let command = ["bench", target, "--json", "bench.json", "--duration", "1", "--warm-up", "1"];
    suite_in(folder, &[&command[..], options].concat())
}

fn result(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("bench.json")).unwrap()).unwrap()
}

#[test]
fn every_mix_is_answered_at_the_rate_asked_for_and_leaves_no_book() {
    let (folder, impostor) = (tempfile::tempdir().unwrap(), Impostor::start(Options::default()).unwrap());
    let folder = folder.path();
    let target = impostor.catalogue();
    let before = get(&target, "/libros?limit=1");
    let options =
        ["--rate", "40", "--connections", "4", "--mix", "list,query,read,create,login", "--html", "bench.html"];
    let output = bench(folder, &target, &options);
    assert_eq!(code(&output), 0, "{}", complained(&output));
    let written = result(folder);
    let mixes = written["mixes"].as_array().unwrap();
    assert_eq!(mixes.len(), 5);
    for mix in mixes {
        let count = |key: &str| mix[key].as_u64().unwrap();
        assert_eq!((count("answers") + count("unsent"), &mix["errors"]), (40, &serde_json::json!({})), "{mix}");
    }
    let total = |answer: &str| {
        answer.lines().find(|line| line.to_ascii_lowercase().starts_with("x-total-count")).map(str::to_owned)
    };
    assert_eq!(total(&get(&target, "/libros?limit=1")), total(&before), "books are left behind");

    let page = std::fs::read_to_string(folder.join("bench.html")).unwrap();
    assert_eq!((page.matches("<svg ").count(), page.matches("<polyline class=\"p50\"").count()), (10, 10));
    assert!(!page.contains("<script") && !page.contains("NaN") && !page.contains("inf"), "{page}");

    // Results written before these existed can still be compared.
    let mut former = written.clone();
    for mix in former["mixes"].as_array_mut().unwrap() {
        for member in ["load_busy", "halves", "machine_before", "machine_during", "warming", "slices", "histogram"] {
            mix.as_object_mut().unwrap().remove(member).unwrap();
        }
    }
    std::fs::write(folder.join("former.json"), former.to_string()).unwrap();
    let compared = said(&suite_in(folder, &["bench", "--compare", "former.json", "bench.json"]));
    assert!(compared.lines().any(|line| line.starts_with("list") && line.ends_with("alike")), "{compared}");
}

#[test]
fn an_interrupted_bench_deletes_its_books() {
    let (folder, impostor) = (tempfile::tempdir().unwrap(), Impostor::start(Options::default()).unwrap());
    let target = impostor.catalogue();
    let before = get(&target, "/libros?fields=id").split("\r\n\r\n").nth(1).map(str::to_owned);
    let mut command = Command::new(PROGRAM);
    command.args(["bench", &target, "--mix", "create", "--json", "bench.json"]).current_dir(folder.path());
    let running = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let process = rustix::process::Pid::from_child(&running);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let output = running.wait_with_output().unwrap();
    assert_eq!((code(&output), result(folder.path())["mixes"].clone()), (130, serde_json::json!([])));
    assert_eq!(get(&target, "/libros?fields=id").split("\r\n\r\n").nth(1).map(str::to_owned), before);
}

/// A server that answers each request with these bytes after a pause, and then closes the connection if `closes`; returns its URL.
fn answering(pause: Duration, answer: &'static [u8], closes: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || {
                while stream.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {
                    std::thread::sleep(pause);
                    if stream.write_all(answer).is_err() || closes {
                        return;
                    }
                }
            });
        }
    });
    url
}

const PAUSE: Duration = Duration::from_millis(100);
const CLOSING: &[u8] = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
const ANSWER: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

#[test]
fn what_a_slow_target_keeps_waiting_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let url = answering(PAUSE, ANSWER, false);
    let output = bench(folder.path(), &url, &["--rate", "100", "--connections", "1", "--mix", "list"]);
    assert_eq!(code(&output), 0, "{}", complained(&output));
    let written = result(folder.path());
    let mix = &written["mixes"][0];
    let (answers, unsent) = (mix["answers"].as_u64().unwrap(), mix["unsent"].as_u64().unwrap());
    // One connection gets at most ten answers a second; the other requests wait and are counted.
    assert!(answers + unsent == 100 && answers <= 12, "{mix}");
    assert!(mix["latency_ms"]["p50"].as_f64().unwrap() > 2.0 * PAUSE.as_secs_f64() * 1_000.0, "{mix}");
    assert!(said(&output).contains("never sent"));
}

#[test]
fn as_fast_as_they_go_nothing_is_due() {
    let folder = tempfile::tempdir().unwrap();
    let url = answering(PAUSE, ANSWER, false);
    let output =
        bench(folder.path(), &url, &["--rate", "max", "--connections", "2", "--threads", "2", "--mix", "list"]);
    let written = result(folder.path());
    let mix = &written["mixes"][0];
    let answers = mix["answers"].as_u64().unwrap();
    assert!((1..=24).contains(&answers) && mix["unsent"] == 0 && mix["asked_per_s"].is_null(), "{mix}");
    let shown = said(&output);
    assert!(shown.contains(" max ") && shown.contains("a request was sent"), "{shown}");
}

#[test]
fn answers_end_by_chunks_or_by_the_end_of_the_connection_too() {
    let whole =
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    for (answer, closes) in [(&whole[..], false), (&b"HTTP/1.1 200 OK\r\n\r\n{}"[..], true), (CLOSING, true)] {
        let folder = tempfile::tempdir().unwrap();
        let url = answering(Duration::ZERO, answer, closes);
        bench(folder.path(), &url, &["--rate", "20", "--connections", "2", "--mix", "list"]);
        let written = result(folder.path());
        let mix = &written["mixes"][0];
        let count = |key: &str| mix[key].as_u64().unwrap();
        assert!(count("answers") > 0 && count("answers") + count("unsent") == 20, "{mix}");
        assert_eq!(mix["errors"], serde_json::json!({}), "{mix}");
    }
}
