//! Three replicas on one database, which writers go round: one replica after the other is killed, and the database restarted.
//!
//! `LIBROS_TEST_POSTGRES` names an empty database, `LIBROS_TEST_POSTGRES_RESTART` the command that restarts it; `.ci/cluster` sets
//! both. Without them nothing is tried, and that is said. The program has to be built with its feature `postgres`.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{env, thread};

use super::{random_below, writers};
use crate::process::{Server, command};
use crate::wire::{Address, KEY};

const REPLICAS: u64 = 3;

/// The tests share the database, and what one does to it is not for the other to see.
static DATABASE: Mutex<()> = Mutex::new(());

pub(crate) fn named(variable: &str) -> Option<String> {
    let value = env::var(variable).ok();
    if value.is_none() {
        eprintln!("SKIPPED: replicas need a database; `.ci/cluster` starts one and sets {variable}");
    }
    value
}

pub(crate) fn alone() -> MutexGuard<'static, ()> {
    DATABASE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn addresses(servers: &[Server]) -> Vec<Address> {
    servers.iter().map(|server| Address(server.address("catalogue"))).collect()
}

fn any(addresses: &[Address]) -> usize {
    random_below(addresses.len() as u64) as usize
}

#[test]
fn whatever_was_confirmed_is_known_to_every_replica_when_one_is_killed() {
    let Some(url) = named("LIBROS_TEST_POSTGRES") else { return };
    let _alone = alone();
    let rounds = env::var("LIBROS_CRASH_ROUNDS").map_or(10, |rounds| rounds.parse().expect("a number of rounds"));
    let mut servers: Vec<Server> = (0..REPLICAS).map(|_| Server::replica(&url)).collect();
    let mut writers = writers(&addresses(&servers)[0]);
    let confirmed = AtomicUsize::new(0);
    for _ in 0..rounds {
        let addresses = addresses(&servers);
        let victim = any(&addresses);
        let killed = AtomicBool::new(false);
        thread::scope(|scope| {
            for writer in &mut writers {
                let (addresses, confirmed, killed) = (&addresses, &confirmed, &killed);
                scope.spawn(move || {
                    while !killed.load(Ordering::Relaxed) {
                        let asked = any(addresses);
                        if writer.write(&addresses[asked]).is_none() {
                            assert_eq!(asked, victim, "no answer from a replica that runs");
                            return;
                        }
                        confirmed.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            thread::sleep(Duration::from_millis(50 + random_below(300)));
            servers.swap_remove(victim).kill();
            killed.store(true, Ordering::Relaxed);
        });
        // What the killed one had sent may still be under way in the database.
        thread::sleep(Duration::from_millis(300));
        servers.push(Server::replica(&url));
        let addresses = self::addresses(&servers);
        for writer in &mut writers {
            writer.check(&addresses[any(&addresses)]);
        }
    }
    let confirmed = confirmed.into_inner();
    assert!(confirmed > 10 * rounds, "{confirmed} writes");
    eprintln!("{rounds} kills of a replica, {confirmed} confirmed writes, none lost");
}

#[test]
fn a_start_on_a_database_that_accepts_and_says_nothing_ends_in_a_sentence() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let started = command(&["--store", &format!("host=127.0.0.1 port={port} user=x")])
        .env("LIBROS_SECRET", "the secret of the tests")
        .output()
        .expect("the program runs");
    let errors = String::from_utf8_lossy(&started.stderr).into_owned();
    assert_eq!(started.status.code(), Some(1), "{errors}");
    if errors.contains("built without PostgreSQL") {
        eprintln!("SKIPPED: the program was built without its feature `postgres`");
        return;
    }
    assert!(errors.contains("THE DATABASE IS REACHED AND SAYS NOTHING"), "{errors}");
}

/// What the replicas answered to writers: titles by id, and titles that were refused.
#[derive(Default)]
struct Answers {
    written: BTreeMap<u64, String>,
    failed: Vec<String>,
}

fn write_until(stopped: &AtomicBool, number: usize, addresses: &[Address], answers: &Mutex<Answers>) {
    let answers = || answers.lock().unwrap_or_else(PoisonError::into_inner);
    for count in 0.. {
        if stopped.load(Ordering::Relaxed) {
            return;
        }
        let title = format!("restart-{number}-{count}");
        let body = format!(r#"{{"titulo":"{title}","autor":"x"}}"#);
        let reply = addresses[any(addresses)].must("POST /libros", KEY, &body);
        if reply.status == 500 {
            answers().failed.push(title);
            continue;
        }
        let id = reply.expect(201)["id"].as_u64().expect("an id");
        assert_eq!(answers().written.insert(id, title), None, "{id} was given twice");
    }
}

#[test]
fn nothing_confirmed_is_lost_and_nothing_refused_is_there_when_the_database_restarts() {
    let Some(url) = named("LIBROS_TEST_POSTGRES") else { return };
    let Some(restart) = named("LIBROS_TEST_POSTGRES_RESTART") else { return };
    let _alone = alone();
    let rounds = env::var("LIBROS_RESTART_ROUNDS").map_or(3, |rounds| rounds.parse().expect("a number of rounds"));
    let servers: Vec<Server> = (0..REPLICAS).map(|_| Server::replica(&url)).collect();
    let addresses = addresses(&servers);
    let (stopped, answers) = (AtomicBool::new(false), Mutex::new(Answers::default()));
    thread::scope(|scope| {
        for number in 0..12 {
            let (stopped, addresses, answers) = (&stopped, &addresses, &answers);
            scope.spawn(move || write_until(stopped, number, addresses, answers));
        }
        for _ in 0..rounds {
            thread::sleep(Duration::from_millis(300 + random_below(300)));
            let restarted = Command::new("/bin/sh").args(["-c", &restart]).status().expect("a shell");
            assert!(restarted.success(), "{restart}");
        }
        thread::sleep(Duration::from_millis(500));
        stopped.store(true, Ordering::Relaxed);
    });
    let Answers { written, failed } = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (id, title) in &written {
        let found = addresses[any(&addresses)].must(&format!("GET /libros/{id}"), KEY, "").expect(200);
        assert_eq!(found["titulo"], **title, "book {id}");
    }
    for title in failed.iter().take(500) {
        let found = addresses[any(&addresses)].must(&format!("GET /libros?titulo={title}"), KEY, "").expect(200);
        assert_eq!(found["metadata"]["paginacion"]["total"], 0, "{title} was refused");
    }
    assert!(written.len() > 10 * rounds, "{} writes", written.len());
    eprintln!("{rounds} restarts of the database, {} confirmed writes and {} refused", written.len(), failed.len());
}
