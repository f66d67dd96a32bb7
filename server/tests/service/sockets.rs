//! Sockets that fail at each of their calls: each answer is whole and right or its connection ends, and nothing confirmed is lost.
//!
//! The sockets are `sockets/sockets.c`, preloaded.

use std::fs;

use crate::crash::Writer as _;
use crate::crash::clerk::{self, Clerk};
use crate::process::{Folder, Server};
use crate::torn::library;
use crate::wire::{KEY, create, send};

const REQUESTS: usize = 20;
/// Books with long titles, so that a list of them takes several writes.
const LONG: usize = 12;

/// Which calls fail, with which error (as `errno` of Linux; 0: they carry one byte), how many in a row, and whether all is answered.
const FAILURES: [(&str, u8, u32, bool); 13] = [
    ("recv", 0, 1, true),
    ("recv", 0, 1_000_000, true),
    ("write", 0, 1, true),
    ("write", 0, 1_000_000, true),
    // EAGAIN
    ("recv", 11, 20, true),
    ("write", 11, 20, true),
    // EMFILE, ENOBUFS, ECONNABORTED
    ("accept", 24, 3, true),
    ("accept", 105, 1, true),
    ("accept", 103, 2, true),
    // EINTR, ECONNRESET, EPIPE
    ("recv", 4, 1, false),
    ("recv", 104, 1, false),
    ("write", 104, 1, false),
    ("write", 32, 2, false),
];

#[test]
fn at_each_call_of_a_socket_that_fails_an_answer_is_whole_or_its_connection_ends_and_the_server_serves_on() {
    let tools = tempfile::tempdir().expect("a folder");
    let (library, failing) = (library("sockets/sockets.c", tools.path()), tools.path().join("failing"));
    let errors = tools.path().join("errors");
    for failure @ (call, error, times, is_answered) in FAILURES {
        let (folder, mut clerk) = (Folder::new(), Clerk::new("sockets", false));
        let variables = [
            ("SOCKETS_FAILING", failing.display().to_string()),
            ("SOCKETS_CALL", call.to_owned()),
            ("SOCKETS_ERROR", error.to_string()),
            ("SOCKETS_TIMES", times.to_string()),
        ];
        let log = fs::File::create(&errors).expect("a file");
        let server = Server::preloaded(&folder, &library, &variables, log).expect("nothing fails yet");
        (0..LONG).for_each(|_| _ = create(&server, &"long".repeat(50)));
        let (list, address) = ("GET /libros?q=long&limit=100&sort=id", server.catalogue());
        let expected = send(&server, list, "").body;
        fs::write(&failing, "").expect("written");
        let mut unanswered = 0;
        for _ in 0..REQUESTS {
            if clerk.write(&address).is_none() {
                unanswered += 1;
                fs::remove_file(&failing).expect("there");
                clerk.check(&address);
                fs::write(&failing, "").expect("written");
            }
            match address.ask(list, KEY, "") {
                Some(reply) => assert!(reply.body == expected, "{failure:?}: {}", reply.body),
                None => unanswered += 1,
            }
        }
        fs::remove_file(&failing).expect("there");
        clerk.check(&address);
        clerk::check_nothing_else(&[clerk], &clerk::found(&address));
        assert_eq!(unanswered == 0, is_answered, "{failure:?}: {unanswered} requests got no answer");
        assert!(server.stopped().0.success());
        let said = fs::read_to_string(&errors).expect("a text");
        let failed = said.trim_end().rsplit(' ').next().and_then(|count| count.parse::<usize>().ok());
        assert!(failed > Some(6) && !said.contains("panicked"), "{failure:?}: {said}");
    }
}
