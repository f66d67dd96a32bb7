//! Killed at random moments while sixteen connections write on every route: after each start whatever was confirmed is there,
//! nothing is half there, and the server has nothing to complain of. `LIBROS_CRASH_ROUNDS` says how often, ten times unless told.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{env, thread};

use serde_json::Value;

use self::books::BookWriter;
use self::keys::KeyWriter;
use self::registrations::RegistrationWriter;
use self::second_factor::SecondFactorWriter;
use crate::process::{Folder, Server};

pub(crate) mod books;
pub(crate) mod keys;
pub(crate) mod registrations;
pub(crate) mod replicas;
pub(crate) mod second_factor;

pub(crate) const PASSWORD: &str = "Long-and-mixed-1";

/// One client: writes, remembers what was confirmed, and holds the server to it after a crash.
pub(crate) trait Writer: Send {
    /// Sends one request that changes something; `None` when no whole reply came.
    fn write(&mut self, server: &Address) -> Option<()>;

    /// Panics unless what was confirmed is there.
    fn check(&mut self, server: &Address);
}

/// Where the catalogue listens.
#[derive(Clone, Copy)]
pub(crate) struct Address(pub(crate) SocketAddr);

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

/// What came back of one exchange.
pub(crate) enum Received {
    Nothing,
    CutShort(String),
    Whole(Reply),
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {:?}", self.body))
    }

    /// The body, where the status is this one: no write here may be refused.
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        if self.body.is_empty() { Value::Null } else { self.json() }
    }
}

impl Address {
    pub(crate) fn exchange(&self, line: &str, headers: &str, body: &str) -> Received {
        let length = body.len();
        let head =
            format!("{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n");
        let Ok(mut stream) = TcpStream::connect(self.0) else { return Received::Nothing };
        if stream.write_all((head + body).as_bytes()).is_err() {
            return Received::Nothing;
        }
        let mut raw = Vec::new();
        let is_ended = stream.read_to_end(&mut raw).is_ok();
        if raw.is_empty() {
            return Received::Nothing;
        }
        let text = String::from_utf8_lossy(&raw);
        match whole(&text).filter(|_| is_ended) {
            Some(reply) => Received::Whole(reply),
            None => Received::CutShort(text.into_owned()),
        }
    }

    /// One exchange; `None` when the server is gone before its reply is there whole.
    pub(crate) fn ask(&self, line: &str, headers: &str, body: &str) -> Option<Reply> {
        match self.exchange(line, headers, body) {
            Received::Whole(reply) => Some(reply),
            Received::Nothing | Received::CutShort(_) => None,
        }
    }

    /// One exchange with a server that nobody kills.
    pub(crate) fn must(&self, line: &str, headers: &str, body: &str) -> Reply {
        self.ask(line, headers, body).unwrap_or_else(|| panic!("{line} got no answer"))
    }

    /// The session token of a user without a second factor.
    pub(crate) fn login(&self, email: &str) -> String {
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}"}}"#);
        let reply = self.must("POST /auth/login", "", &body).expect(200);
        reply["tokens"]["sessionToken"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
    }

    /// Registers a user; the headers of a session.
    pub(crate) fn register(&self, email: &str, role: &str) -> String {
        let body = format!(r#"{{"email":"{email}","password":"{PASSWORD}","role":"{role}"}}"#);
        self.must("POST /auth/registro", "", &body).expect(201);
        format!("Authorization: Bearer {}\r\n", self.login(email))
    }
}

/// The reply, if all of it is there.
fn whole(raw: &str) -> Option<Reply> {
    let (head, body) = raw.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let announced = lines.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let is_whole = announced.is_none_or(|(_, length)| length.parse() == Ok(body.len()));
    is_whole.then(|| Reply { status, body: body.to_owned() })
}

pub(crate) fn random_below(end: u64) -> u64 {
    RandomState::new().hash_one(0) % end
}

fn writers(server: &Address) -> Vec<Box<dyn Writer>> {
    let mut writers: Vec<Box<dyn Writer>> = Vec::new();
    for number in 0..16 {
        writers.push(match number % 4 {
            0 | 1 => Box::new(BookWriter::new(number)),
            2 if number % 8 == 2 => Box::new(RegistrationWriter::new(number)),
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
