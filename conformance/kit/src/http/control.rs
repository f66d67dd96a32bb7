//! The client of the control protocol: reset and clock.
//!
//! Never judges: an error here is an error of the hook, not of the interface.

use std::io;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::clock;
use crate::http::chain;
use crate::http::connection::Connection;
use crate::http::exchange::{Received, Sent};
use crate::implementation::profile::Address;
use crate::mutex::locked;

/// How far a reset clock may have moved on by itself, in milliseconds.
const SLACK_MS: i64 = 60_000;

/// How far a move of the clock may fall short, in milliseconds: clocks may count whole seconds.
const MOVE_SLACK_MS: i64 = 1_500;
/// A listener that answers later is far away: the next connection is opened ahead.
const FAR: Duration = Duration::from_millis(10);
/// Limit for an answer; the documented answers have a hundred bytes.
const ANSWER_BYTES_MAX: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HookCall {
    /// How many exchanges of the case were recorded before it.
    pub after: usize,
    pub change: HookChange,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HookChange {
    Advance(f64),
    Reset,
    /// Changes nothing: the clock was read, and is this many milliseconds ahead of this machine's.
    Read(i64),
}

/// What the clock showed between two moments of this machine.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    /// In milliseconds since 1970.
    pub now_ms: i64,
    pub asked: Instant,
    pub answered: Instant,
}

#[derive(Debug, Clone)]
pub struct Control {
    address: Address,
    timeout: Duration,
    ahead_ms: Arc<AtomicI64>,
    /// The last time read; 0 if there is none.
    read_ms: Arc<AtomicI64>,
    /// The connection for the next call, where opening one takes time.
    next: Arc<Mutex<Option<JoinHandle<io::Result<Connection>>>>>,
}

impl Control {
    pub fn new(base: &str, timeout: Duration) -> Result<Self, String> {
        let address = Address::parse(base)?;
        Ok(Self { address, timeout, ahead_ms: Arc::default(), read_ms: Arc::default(), next: Arc::default() })
    }

    /// Restores the initial state and verifies the clock. The request has a body because control listeners refuse what
    /// a web page can send, and some frameworks refuse JSON without a body.
    pub fn reset(&self) -> Result<(), String> {
        let ahead_ms = self.ahead_ms.load(Ordering::Relaxed);
        let before = if ahead_ms > SLACK_MS { Some(self.now()?) } else { None };
        let (call, answer, _) = self.ask("POST", "/reset", Some(&json!({})))?;
        if answer.status != 204 {
            return Err(format!("{call}: want 204, got {}", answer.status));
        }
        if let Some(before) = before {
            let still_ms = self.now()? - (before - ahead_ms);
            if still_ms > SLACK_MS {
                return Err(format!("{call}: answered 204, but the clock is {} seconds ahead still", still_ms / 1000));
            }
        }
        self.ahead_ms.store(0, Ordering::Relaxed);
        self.read_ms.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Moves the clock ahead. Fails if the clock moved less than that since it was last read.
    pub fn advance(&self, span_ms: i64) -> Result<Reading, String> {
        let seconds = span_ms as f64 / 1_000.0;
        let (call, reading) = self.ask_time("POST", "/clock/advance", Some(&json!({ "seconds": seconds })))?;
        let before = self.read_ms.swap(reading.now_ms, Ordering::Relaxed);
        if before > 0 && reading.now_ms < before + span_ms - MOVE_SLACK_MS {
            let moved_s = (reading.now_ms - before) as f64 / 1000.0;
            return Err(format!(
                "{call}: want the clock {seconds} seconds ahead, it moved {moved_s} since it was read last"
            ));
        }
        self.ahead_ms.fetch_add(span_ms, Ordering::Relaxed);
        Ok(reading)
    }

    pub fn now(&self) -> Result<i64, String> {
        self.read().map(|reading| reading.now_ms)
    }

    pub fn read(&self) -> Result<Reading, String> {
        let (_, reading) = self.ask_time("GET", "/clock", None)?;
        self.read_ms.store(reading.now_ms, Ordering::Relaxed);
        Ok(reading)
    }

    fn ask_time(&self, method: &str, path: &str, body: Option<&Value>) -> Result<(String, Reading), String> {
        let (call, answer, [asked, answered]) = self.ask(method, path, body)?;
        let now_ms = time_of(&call, &answer)?;
        Ok((call, Reading { now_ms, asked, answered }))
    }

    /// Returns the call, for messages, its answer, and when both were. Each call has a connection of its own: the server may close a
    /// kept one just when a call is sent on it, and a move of the clock must not be sent twice.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<(String, Received, [Instant; 2]), String> {
        let call = format!("{method} {}{path}", self.address.url());
        let sent = Sent::new(method, &self.address, path);
        let sent = body.into_iter().fold(sent, Sent::json);
        match self.exchange(&sent) {
            Ok((answer, moments)) => Ok((call, answer, moments)),
            Err(error) => Err(format!("{call}: {error}")),
        }
    }

    fn exchange(&self, sent: &Sent) -> io::Result<(Received, [Instant; 2])> {
        // Locked during the whole call: a server that serves one connection at a time would otherwise wait for a call on the connection
        // opened ahead, while a call on another connection waits for the server.
        let mut next = locked(&self.next);
        let opened = next.take().and_then(|opening| opening.join().ok()?.ok());
        let mut connection = match opened.filter(Connection::is_idle) {
            Some(connection) => connection,
            None => self.opened()?,
        };
        connection.body_bytes_max = ANSWER_BYTES_MAX;
        let asked = clock::stopwatch();
        let (answer, _) = connection.exchange(sent, self.timeout)?;
        let answered = clock::stopwatch();
        chain::ended();
        if answered - asked > FAR {
            let control = self.clone();
            *next = Some(std::thread::spawn(move || control.opened()));
        }
        Ok((answer, [asked, answered]))
    }

    fn opened(&self) -> io::Result<Connection> {
        Connection::open(&self.address, self.timeout)
    }
}

fn time_of(call: &str, answer: &Received) -> Result<i64, String> {
    if answer.status != 200 {
        return Err(format!("{call}: want 200, got {}", answer.status));
    }
    let body: Value = serde_json::from_slice(&answer.body).map_err(|error| format!("{call}: not JSON: {error}"))?;
    let text = body.get("now").and_then(Value::as_str).unwrap_or_default();
    clock::parse_any_iso(text).ok_or_else(|| format!("{call}: want {{\"now\": \"<ISO 8601>\"}}, got {body}"))
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn every_call_has_a_connection_of_its_own() {
        const NOW: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n{\"now\":\"2026-11-22T10:00:00.000Z\"}";
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        // Answers each connection once and keeps it open.
        let kept = std::thread::spawn(move || {
            let answered = listener.incoming().take(3).map(|stream| {
                let mut stream = stream.unwrap();
                _ = stream.read(&mut [0; 4096]);
                stream.write_all(NOW).unwrap();
                stream
            });
            answered.collect::<Vec<_>>()
        });
        let control = Control::new(&url, Duration::from_secs(5)).unwrap();
        for _ in 0..3 {
            control.now().unwrap();
        }
        assert_eq!(kept.join().unwrap().len(), 3);
    }
}
