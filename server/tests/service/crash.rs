//! Kills the server at random moments while sixteen connections write on every route. After each start every confirmed write is there,
//! none is half there, and the log is empty. `LIBROS_CRASH_ROUNDS` says how often; the default is ten.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use self::clerk::Clerk;
use self::second_factor::SecondFactorWriter;
use crate::process::{Folder, Server, setting};
use crate::wire::Address;

pub(crate) mod clerk;
pub(crate) mod replicas;
pub(crate) mod second_factor;

/// One client: writes, remembers each confirmed write, and checks them after a crash.
pub(crate) trait Writer: Send {
    /// Sends one request that changes something; `None` when no whole reply came.
    fn write(&mut self, server: &Address) -> Option<()>;

    /// Panics unless every confirmed write is there.
    fn check(&mut self, server: &Address);
}

/// Creates API keys, as an administrator whose session outlives every crash.
pub(crate) struct KeyWriter {
    session: String,
    created: usize,
    /// Since the last check.
    keys: Vec<String>,
}

impl KeyWriter {
    pub(crate) fn new(name: u64, server: &Address) -> Self {
        let session = server.register(&format!("admin-{name}@example.com"), "admin");
        Self { session, created: 0, keys: Vec::new() }
    }
}

impl Writer for KeyWriter {
    fn write(&mut self, server: &Address) -> Option<()> {
        let reply = server.ask("POST /auth/api-keys", &self.session, r#"{"nombre":"crash"}"#)?.expect(201);
        self.keys.push(reply["apiKey"].as_str().expect("a key").to_owned());
        self.created += 1;
        Some(())
    }

    fn check(&mut self, server: &Address) {
        for key in self.keys.drain(..) {
            server.must("GET /libros?limit=1", &format!("X-API-Key: {key}\r\n"), "").expect(200);
        }
        let listed = server.must("GET /auth/api-keys", &self.session, "").expect(200);
        assert!(listed.as_array().expect("a list").len() >= self.created, "keys are missing");
    }
}

pub(crate) fn random_below(end: u64) -> u64 {
    RandomState::new().hash_one(0) % end
}

fn writers(server: &Address) -> Vec<Box<dyn Writer>> {
    let mut writers: Vec<Box<dyn Writer>> = Vec::new();
    for number in 0..16 {
        writers.push(match number % 4 {
            0 | 1 => Box::new(Clerk::new(&number.to_string(), false)),
            2 => Box::new(KeyWriter::new(number, server)),
            _ => Box::new(SecondFactorWriter::new(number, server)),
        });
    }
    writers
}

/// Calls `write` with each writer while it returns true, until `kill` ends a server at a random moment; returns the confirmed writes.
fn write_until(
    kill: impl FnOnce(),
    writers: &mut [Box<dyn Writer>],
    write: impl Fn(&mut dyn Writer) -> bool + Sync,
) -> usize {
    let (confirmed, killed) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        for writer in writers {
            scope.spawn(|| {
                while !killed.load(Ordering::Relaxed) && write(writer.as_mut()) {
                    confirmed.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::sleep(Duration::from_millis(20 + random_below(300)));
        kill();
        killed.store(true, Ordering::Relaxed);
    });
    confirmed.into_inner()
}

#[test]
fn whatever_was_confirmed_is_there_after_a_kill_at_any_moment() {
    let rounds = setting("LIBROS_CRASH_ROUNDS", 10) as usize;
    let folder = Folder::new();
    let mut server = Server::over(&folder);
    let mut writers = writers(&server.catalogue());
    let mut confirmed = 0;
    for round in 1..=rounds {
        let address = server.catalogue();
        let is_dying = AtomicBool::new(false);
        let kill = || {
            is_dying.store(true, Ordering::Relaxed);
            server.kill();
        };
        confirmed += write_until(kill, &mut writers, |writer| {
            let is_answered = writer.write(&address).is_some();
            assert!(is_answered || is_dying.load(Ordering::Relaxed), "no answer from a server that runs");
            is_answered
        });
        server = Server::over(&folder);
        writers.iter_mut().for_each(|writer| writer.check(&server.catalogue()));
        assert_eq!(folder.names(), ["libros.db", "libros.db-confirmed", "secret"], "round {round}");
    }
    assert_eq!(server.stopped().1, "", "nothing to complain of");
    assert!(confirmed > 10 * rounds, "{confirmed} writes");
    eprintln!("{rounds} kills, {confirmed} confirmed writes, none lost");
}
