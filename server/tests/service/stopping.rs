//! How the process ends: by a signal, without cutting off a request under way.

use std::io::{Read as _, Write as _};
use std::thread;
use std::time::Duration;

use crate::process::Server;
use crate::wire::{KEY, connect, read_reply};

/// Long enough for the server to have read the request.
const A_MOMENT: Duration = Duration::from_millis(200);

#[test]
fn a_request_under_way_is_finished_before_the_end() {
    for signal in ["TERM", "INT"] {
        let server = Server::ephemeral(&[]);
        let mut idle = connect(&server, "catalogue");
        let mut busy = connect(&server, "catalogue");
        let head = format!("POST /libros HTTP/1.1\r\nHost: x\r\n{KEY}Content-Length: 26\r\n\r\n");
        busy.write_all(head.as_bytes()).expect("sent");
        thread::sleep(A_MOMENT);
        server.signal(signal);
        thread::sleep(A_MOMENT);
        // An idle connection is closed without a word.
        assert_eq!(idle.read(&mut [0; 1]).expect("closed"), 0);
        busy.write_all(br#"{"titulo":"a","autor":"b"}"#).expect("sent");
        assert_eq!(read_reply(&mut busy).status, 201);
        let (status, errors) = server.ended();
        assert!(status.success(), "{signal}: {errors}");
        assert_eq!(errors, "", "quiet by default");
    }
}

#[test]
fn a_second_signal_ends_the_wait() {
    let server = Server::ephemeral(&[]);
    let mut busy = connect(&server, "catalogue");
    let head = "POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n";
    busy.write_all(head.as_bytes()).expect("sent");
    thread::sleep(A_MOMENT);
    server.signal("TERM");
    thread::sleep(A_MOMENT);
    let (status, errors) = server.stopped();
    assert!(status.success());
    assert!(errors.contains("second signal"), "{errors}");
}
