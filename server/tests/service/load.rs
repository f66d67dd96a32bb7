//! A steady load of lists, reads, writes and logins over a service that is stopped and started in between: every answer is whole and
//! right, nothing confirmed is lost, each stop is an orderly one, memory stays flat.
//!
//! `LIBROS_LOAD_SECONDS` and `LIBROS_LOAD_RATE` (requests a second) make an hour of it; the default is a few seconds.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::crash::clerk::Clerk;
use crate::crash::{Writer as _, random_below};
use crate::process::{Folder, Server, setting};
use crate::wire::{Address, KEY, Received};

/// Starts in a run.
const LIVES: u32 = 4;
/// Clients that read, and clients that write: one request in eight is a write.
const READERS: u64 = 14;
const WRITERS: u64 = 2;
/// A shorter life says nothing about memory.
const LIFE_TO_MEASURE: Duration = Duration::from_secs(60);

const LISTS: &[&str] = &[
    "/libros",
    "/libros?limit=100",
    "/libros?q=quijote&sort=-titulo",
    "/libros?sort=autor,titulo&page=2&limit=5",
    "/libros?min_id=2&fields=titulo,id",
    "/libros/1",
];

/// One life of the service, from a start to a stop.
#[derive(Default)]
struct Life {
    /// A signal has stopped it: a client may find its connection closed.
    is_stopping: AtomicBool,
    is_over: AtomicBool,
    answered: AtomicU64,
}

impl Life {
    /// Does something at a steady pace until the end; only a service that is stopping may give no answer.
    fn repeat(&self, pause: Duration, mut work: impl FnMut() -> bool) {
        let mut due = Instant::now();
        while !self.is_over.load(Ordering::Relaxed) {
            due += pause;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            let is_answered = work();
            self.answered.fetch_add(u64::from(is_answered), Ordering::Relaxed);
            assert!(is_answered || self.is_stopping.load(Ordering::SeqCst), "no answer from a service that runs");
        }
    }

    /// Stops the server in order while it is under load; returns its memory early and at the end.
    fn lead(&self, server: Server, length: Duration) -> Option<(u64, u64)> {
        thread::sleep(length / 10);
        let early = server.memory_mib();
        thread::sleep(length - length / 10);
        let late = server.memory_mib();
        self.is_stopping.store(true, Ordering::SeqCst);
        let (status, errors) = server.stopped();
        self.is_over.store(true, Ordering::Relaxed);
        assert!(status.success(), "{errors}");
        assert_eq!(errors, "", "nothing to complain of");
        early.zip(late)
    }
}

/// The status of an answer that came whole; `None` when the connection was closed without one.
fn status(address: &Address, line: &str, headers: &str, body: &str) -> Option<u16> {
    match address.exchange(line, headers, body) {
        Received::Whole(reply) => Some(reply.status),
        Received::Nothing => None,
        Received::CutShort(text) => panic!("{line}: cut short: {text:?}"),
    }
}

fn read(address: &Address) -> bool {
    let (line, headers, body) = if random_below(1_000) == 0 {
        ("POST /auth/login".to_owned(), "", r#"{"email":"load@example.com","password":"Long-and-mixed-1"}"#)
    } else {
        let list = LISTS[random_below(LISTS.len() as u64) as usize];
        (format!("GET {list}"), KEY, "")
    };
    let status = status(address, &line, headers, body);
    assert!(matches!(status, None | Some(200)), "{line}: {status:?}");
    status.is_some()
}

#[test]
fn a_service_under_load_is_stopped_and_started_without_losing_anything() {
    let (seconds, rate) = (setting("LIBROS_LOAD_SECONDS", 6), setting("LIBROS_LOAD_RATE", 200));
    let length = Duration::from_secs(seconds) / LIVES;
    let pause = Duration::from_secs(READERS + WRITERS) / u32::try_from(rate).expect("a rate");
    let folder = Folder::new();
    let mut server = Server::over(&folder);
    server.catalogue().register("load@example.com", "user");
    let mut writers: Vec<Clerk> = (0..WRITERS).map(|name| Clerk::new(&name.to_string(), false)).collect();
    for number in 0..LIVES {
        let (address, life) = (server.catalogue(), &Life::default());
        let memory = thread::scope(|scope| {
            for _ in 0..READERS {
                scope.spawn(|| life.repeat(pause, || read(&address)));
            }
            for writer in &mut writers {
                scope.spawn(move || life.repeat(pause, || writer.write(&address).is_some()));
            }
            life.lead(server, length)
        });
        let answered = life.answered.load(Ordering::Relaxed);
        eprintln!("life {number}: {answered} answers, MiB early and late: {memory:?}");
        assert!(answered > 0);
        if let Some((early, late)) = memory.filter(|_| length >= LIFE_TO_MEASURE) {
            assert!(late <= early + early / 4 + 8, "memory grew from {early} to {late} MiB");
        }
        server = Server::over(&folder);
        writers.iter_mut().for_each(|writer| writer.check(&server.catalogue()));
    }
}
