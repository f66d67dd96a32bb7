//! Killed at random moments while sixteen connections write on every route: after each start whatever was confirmed is there,
//! nothing is half there, and the server has nothing to complain of. `LIBROS_CRASH_ROUNDS` says how often; the default is ten.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, thread};

use self::clerk::Clerk;
use self::keys::KeyWriter;
use self::second_factor::SecondFactorWriter;
use crate::process::{Folder, Server};
use crate::wire::Address;

pub(crate) mod clerk;
pub(crate) mod keys;
pub(crate) mod replicas;
pub(crate) mod second_factor;

/// One client: writes, remembers each confirmed write, and checks them after a crash.
pub(crate) trait Writer: Send {
    /// Sends one request that changes something; `None` when no whole reply came.
    fn write(&mut self, server: &Address) -> Option<()>;

    /// Panics unless every confirmed write is there.
    fn check(&mut self, server: &Address);
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

#[test]
fn whatever_was_confirmed_is_there_after_a_kill_at_any_moment() {
    let rounds = env::var("LIBROS_CRASH_ROUNDS").map_or(10, |rounds| rounds.parse().expect("a number of rounds"));
    let folder = Folder::new();
    let mut server = Server::over(&folder);
    let mut writers = writers(&Address(server.address("catalogue")));
    let confirmed = AtomicUsize::new(0);
    for round in 1..=rounds {
        let address = Address(server.address("catalogue"));
        let killed = AtomicBool::new(false);
        thread::scope(|scope| {
            for writer in &mut writers {
                let (confirmed, killed) = (&confirmed, &killed);
                scope.spawn(move || {
                    while writer.write(&address).is_some() {
                        confirmed.fetch_add(1, Ordering::Relaxed);
                    }
                    assert!(killed.load(Ordering::Relaxed), "no answer from a server that runs");
                });
            }
            thread::sleep(Duration::from_millis(20 + random_below(300)));
            killed.store(true, Ordering::Relaxed);
            server.kill();
        });
        server = Server::over(&folder);
        let address = Address(server.address("catalogue"));
        for writer in &mut writers {
            writer.check(&address);
        }
        assert_eq!(folder.names(), ["libros.db", "libros.db-confirmed", "secret"], "round {round}");
    }
    server.signal("TERM");
    assert_eq!(server.ended().1, "", "nothing to complain of");
    let confirmed = confirmed.into_inner();
    assert!(confirmed > 10 * rounds, "{confirmed} writes");
    eprintln!("{rounds} kills, {confirmed} confirmed writes, none lost");
}
