//! The store of replicas on a real PostgreSQL.
//!
//! `LIBROS_TEST_POSTGRES`, set by `.ci/cluster`, says where (`key=value` form, also on localhost, may make databases). Skipped without it.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, process, thread};

use tokio_postgres::Config;

use super::client::DatabaseClient;
use super::fill::{Filling, Foreign, Step};
use super::target::Target;
use super::{LogConnection, PostgresLog, fill, tables};
use crate::cluster::background::Background;
use crate::cluster::join_replicas;
use crate::cluster::log::{AppendError, Appended};
use crate::interface::{NotDurable, Sharing, Store as _};
use crate::record::{Change, Kind, Loaded};
use libros_server_system::{clock::Clock, entropy::Entropy};

struct Database {
    base: String,
    name: String,
}

impl Database {
    fn new() -> Option<Self> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let Ok(base) = env::var("LIBROS_TEST_POSTGRES") else {
            eprintln!("SKIPPED: this needs a database; `.ci/cluster` starts one and sets LIBROS_TEST_POSTGRES");
            return None;
        };
        let name = format!("trial_{}_{}", process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let database = Self { base, name };
        database.administrate(&format!("CREATE DATABASE {}", database.name));
        Some(database)
    }

    fn administrate(&self, statement: &str) {
        let target = Target::named(&self.base, vec![]).expect("a target");
        let client = DatabaseClient::connect(&target, tables::PATIENCE * 10).expect("the database runs");
        client.batch_execute(statement).expect("it may be administrated");
    }

    fn url(&self) -> String {
        format!("{} dbname={}", self.base, self.name)
    }

    fn join(&self) -> anyhow::Result<(impl crate::interface::Store, Loaded)> {
        join_replicas(&self.url(), Sharing::Replicas, &Entropy::system(), &Clock::default())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.administrate(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

#[test]
fn of_hosts_that_are_silent_or_refuse_and_one_that_writes_the_last_is_found_and_left_once_it_only_reads() {
    let Some(database) = Database::new() else { return };
    drop(database.join().expect("the tables are made"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = listener.local_addr().expect("bound");
    let open = database.base.parse::<Config>().expect("a configuration").get_ports()[0];
    let url = format!("postgres://libros@127.0.0.1:1,{silent},localhost:{open}/{}", database.name);
    let target = Target { standby: None, ..Target::named(&url, tables::session()).expect("a target") };
    let mut log = PostgresLog::new(Arc::new(target), tables::PATIENCE);
    assert!(matches!(log.append(0, "first", "[]"), Ok(Appended::Added)));
    let LogConnection { client, .. } = log.connection().expect("it is open");
    client.batch_execute("SET default_transaction_read_only = on").expect("it may be set");
    assert!(matches!(log.append(1, "second", "[]"), Err(AppendError::InDoubt(_))));
    assert!(matches!(log.append(1, "second", "[]"), Ok(Appended::Added)), "another session writes");
}

fn put(key: usize, doc: &str) -> Change {
    Change::Put { kind: Kind::BOOKS, key: key.to_string(), doc: doc.into() }
}

fn many() -> Vec<Change> {
    let books = (0..5_000).map(|key| put(10_000 - key, &format!(r#"{{"id":{key}}}"#)));
    std::iter::once(Change::Clear { kind: Kind::BOOKS }).chain(books).collect()
}

fn keys(loaded: &mut Loaded) -> Vec<String> {
    loaded.take(Kind::BOOKS).unwrap_or_default().into_iter().map(|row| row.key).collect()
}

/// Fills the database as an import that is cut short after some steps.
fn filled_in_part(database: &Database, changes: &[Change], steps: usize) {
    let target = Target::named(&database.url(), tables::session()).expect("a target");
    let client = DatabaseClient::connect(&target, tables::PATIENCE).expect("it runs");
    tables::create(&client).expect("the tables");
    let mut filling = Filling::of(changes);
    for _ in 0..steps {
        assert!(matches!(filling.store_next(&client), Ok(Step::Stored(_))));
    }
}

#[test]
fn nothing_waits_for_a_fold_or_for_a_turn_that_does_not_come() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("postgres://libros@{}/libros", silent.local_addr().expect("bound"));
    let target = Arc::new(Target::named(&url, tables::session()).expect("a target"));
    let mut background = Background::new(move || PostgresLog::new(Arc::clone(&target), Duration::from_secs(60)));
    background.ask_turn(&(Arc::new(|| ()) as _));
    for up_to in 1..100 {
        background.fold(up_to).expect("it is being folded");
        assert!(background.turn().is_none(), "another has it");
    }
    (0..2).for_each(|_| std::mem::forget(silent.accept().expect("one waits for the turn, and one folds")));
    thread::sleep(Duration::from_millis(100));
    silent.set_nonblocking(true).expect("it may be");
    assert!(silent.accept().is_err(), "a third connection");
}

#[test]
fn a_connection_is_not_trusted_once_another_has_fallen_silent() {
    let Some(database) = Database::new() else { return };
    drop(database.join().expect("the tables are made"));
    let target = Target::named(&database.url(), tables::session()).expect("a target");
    let mut log = PostgresLog::new(Arc::new(target), tables::PATIENCE);
    let process = |log: &mut PostgresLog| -> i32 {
        let LogConnection { client, .. } = log.connection().expect("it runs");
        client.query_one("SELECT pg_backend_pid()").expect("it runs").get(0)
    };
    let first = process(&mut log);
    assert_eq!(process(&mut log), first);
    log.lease.end_term();
    assert_ne!(process(&mut log), first);
}

#[test]
fn what_fills_a_database_in_part_is_no_store_until_the_same_has_gone_on_with_it() {
    let Some(database) = Database::new() else { return };
    let changes = many();
    filled_in_part(&database, &changes, 3);
    let (mut other, mut loaded) = database.join().expect("as if it were empty");
    assert_eq!(keys(&mut loaded), [""; 0]);
    let refused = other.commit(&[put(1, "{}")]).expect_err("another collection");
    let why = refused.to_string();
    assert!(refused.is::<Foreign>() && why.contains("4000 of its 5001 changes are stored"), "{why}");
    let (mut same, _) = database.join().expect("as if it were empty");
    same.commit(&changes).expect("it goes on");
    same.commit(&[put(1, "{}")]).expect("the next entry");
    let (mut next, mut loaded) = database.join().expect("all is there");
    let expected: Vec<String> = (0..5_000).map(|key| (10_000 - key).to_string()).chain(["1".to_owned()]).collect();
    assert_eq!(keys(&mut loaded), expected, "in their order");
    assert!(same.news().expect("it follows").is_empty());
    next.commit(&[put(2, "{}")]).expect("it knows all");
}

fn is_overtaken(error: anyhow::Error) -> anyhow::Result<()> {
    if error.downcast_ref() == Some(&NotDurable::Overtaken) { Ok(()) } else { Err(error) }
}

#[test]
fn an_import_that_was_cut_short_goes_on_and_nothing_is_imported_over_a_store() {
    let Some(database) = Database::new() else { return };
    let changes = many();
    filled_in_part(&database, &changes, 2);
    let error = fill(&database.url(), &changes[1..]).expect_err("another file");
    assert!(error.is::<Foreign>(), "{error:#}");
    fill(&database.url(), &changes).expect("it goes on");
    assert_eq!(keys(&mut database.join().expect("all is there").1).len(), 5_000);
    let error = fill(&database.url(), &changes).expect_err("it is there");
    assert!(error.to_string().contains("holds a store already"), "{error:#}");
}

#[test]
fn of_servers_that_fill_a_database_at_once_each_finds_all_of_it_there_once() {
    let Some(database) = Database::new() else { return };
    let changes = many();
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let (mut store, mut loaded) = database.join().expect("it runs");
                if keys(&mut loaded).is_empty() {
                    store.commit(&changes).or_else(is_overtaken).expect("filled, or all was there by then");
                }
            });
        }
    });
    assert_eq!(keys(&mut database.join().expect("it runs").1).len(), 5_000);
}
