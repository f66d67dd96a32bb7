//! Writers write to three replicas on one database in turn, while one replica after the other is killed, and the database restarted.
//!
//! `LIBROS_TEST_POSTGRES` names an empty database, `LIBROS_TEST_POSTGRES_RESTART` the command that restarts it; `.ci/cluster` sets
//! both. Without them the tests say that they are skipped. The program has to be built with its feature `postgres`.

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{env, thread};

use super::{random_below, write_until, writers};
use crate::process::{Server, assert_no_start, setting};
use crate::wire::{Address, KEY};

const REPLICAS: u64 = 3;

/// Held by each test in turn: they share the database.
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
    servers.iter().map(Server::catalogue).collect()
}

fn any(addresses: &[Address]) -> usize {
    random_below(addresses.len() as u64) as usize
}

#[test]
fn whatever_was_confirmed_is_known_to_every_replica_when_one_is_killed() {
    let Some(url) = named("LIBROS_TEST_POSTGRES") else { return };
    let _alone = alone();
    let rounds = setting("LIBROS_CRASH_ROUNDS", 10) as usize;
    let mut servers: Vec<Server> = (0..REPLICAS).map(|_| Server::replica(&url)).collect();
    let mut writers = writers(&addresses(&servers)[0]);
    let mut confirmed = 0;
    for _ in 0..rounds {
        let addresses = addresses(&servers);
        let victim = any(&addresses);
        confirmed += write_until(
            || servers.swap_remove(victim).kill(),
            &mut writers,
            |writer| {
                let asked = any(&addresses);
                let is_answered = writer.write(&addresses[asked]).is_some();
                assert!(is_answered || asked == victim, "no answer from a replica that runs");
                is_answered
            },
        );
        // What the killed one had sent may still be under way in the database.
        thread::sleep(Duration::from_millis(300));
        servers.push(Server::replica(&url));
        let addresses = self::addresses(&servers);
        writers.iter_mut().for_each(|writer| writer.check(&addresses[any(&addresses)]));
    }
    assert!(confirmed > 10 * rounds, "{confirmed} writes");
    eprintln!("{rounds} kills of a replica, {confirmed} confirmed writes, none lost");
}

#[test]
fn a_start_on_a_database_that_accepts_and_says_nothing_ends_in_a_sentence() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let is_built_with = cfg!(feature = "postgres");
    let words = if is_built_with { "it is not reached, or says nothing" } else { "built without PostgreSQL" };
    assert_no_start(&format!("host=127.0.0.1 port={port} user=x"), words);
}

/// Titles by id that were confirmed to one writer, and titles that were refused.
type Answers = (Vec<(u64, String)>, Vec<String>);

fn write_until_stopped(stopped: &AtomicBool, number: usize, addresses: &[Address]) -> Answers {
    let (mut written, mut refused) = Answers::default();
    while !stopped.load(Ordering::Relaxed) {
        let title = format!("restart-{number}-{}", written.len() + refused.len());
        let body = format!(r#"{{"titulo":"{title}","autor":"x"}}"#);
        let reply = addresses[any(addresses)].must("POST /libros", KEY, &body);
        if reply.status == 500 {
            refused.push(title);
        } else {
            written.push((reply.expect(201)["id"].as_u64().expect("an id"), title));
        }
    }
    (written, refused)
}

#[test]
fn nothing_confirmed_is_lost_and_nothing_refused_is_there_when_the_database_restarts() {
    let Some(url) = named("LIBROS_TEST_POSTGRES") else { return };
    let Some(restart) = named("LIBROS_TEST_POSTGRES_RESTART") else { return };
    let _alone = alone();
    let rounds = setting("LIBROS_RESTART_ROUNDS", 3) as usize;
    let servers: Vec<Server> = (0..REPLICAS).map(|_| Server::replica(&url)).collect();
    let (addresses, stopped) = (&addresses(&servers), &AtomicBool::new(false));
    let answers: Vec<Answers> = thread::scope(|scope| {
        let writers: Vec<_> =
            (0..12).map(|number| scope.spawn(move || write_until_stopped(stopped, number, addresses))).collect();
        for _ in 0..rounds {
            thread::sleep(Duration::from_millis(300 + random_below(300)));
            let restarted = Command::new("/bin/sh").args(["-c", &restart]).status().expect("a shell");
            assert!(restarted.success(), "{restart}");
        }
        thread::sleep(Duration::from_millis(500));
        stopped.store(true, Ordering::Relaxed);
        writers.into_iter().map(|writer| writer.join().expect("it writes")).collect()
    });
    let (written, refused): (Vec<_>, Vec<_>) = answers.into_iter().unzip();
    let (written, refused) = (written.concat(), refused.concat());
    let ids: BTreeSet<u64> = written.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids.len(), written.len(), "an id was given twice");
    for (id, title) in &written {
        let found = addresses[any(addresses)].must(&format!("GET /libros/{id}"), KEY, "").expect(200);
        assert_eq!(found["titulo"], **title, "book {id}");
    }
    for title in refused.iter().take(500) {
        let found = addresses[any(addresses)].must(&format!("GET /libros?titulo={title}"), KEY, "").expect(200);
        assert_eq!(found["metadata"]["paginacion"]["total"], 0, "{title} was refused");
    }
    assert!(written.len() > 10 * rounds, "{} writes", written.len());
    eprintln!("{rounds} restarts of the database, {} confirmed writes and {} refused", written.len(), refused.len());
}
