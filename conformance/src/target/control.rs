//! The control protocol, from the suite's side: reset, clock, over an ordinary HTTP client.
//!
//! Never used to judge: what fails here is the hook, not the interface.

use std::error::Error;
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::clock;

/// How far a clock that was put back may have gone on by itself meanwhile, in milliseconds.
const SLACK_MS: i64 = 60_000;

/// How far a move of the clock may fall short, in milliseconds: clocks of whole seconds are allowed.
const MOVE_SLACK_MS: i64 = 1_500;
/// Longest answer read; the documents' answers to the hook have a hundred bytes.
const ANSWER_BYTES_MAX: u64 = 64 << 10;

/// A call that changed the target's state, and how many exchanges of the case were recorded before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HookCall {
    /// Exchanges recorded before it.
    pub after: usize,
    /// What was asked for.
    pub change: HookChange,
}

/// What a call of the hook changes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum HookChange {
    /// The clock is moved ahead, so many seconds.
    Advance(f64),
    /// The initial state again.
    Reset,
    /// Nothing: the clock was read, and is so many milliseconds ahead of this machine's.
    Read(i64),
}

/// A target's control listener.
#[derive(Debug, Clone)]
pub struct Control {
    base: String,
    client: Client,
    /// How far the clock was moved ahead since it was last put back.
    ahead_ms: Arc<AtomicI64>,
    /// The time it told last; 0 where none counts.
    told_ms: Arc<AtomicI64>,
}

impl Control {
    /// The control listener at that base URL.
    ///
    /// # Errors
    /// A sentence, when no client can be made for it.
    pub fn new(base: &str, timeout: Duration) -> Result<Self, String> {
        // A connection kept may be closed by the target just when a call goes out on it, and no move of the clock is sent twice.
        let client = Client::builder().no_proxy().timeout(timeout).pool_max_idle_per_host(0);
        let client = client.build().map_err(|error| error.to_string())?;
        Ok(Self { base: base.to_owned(), client, ahead_ms: Arc::default(), told_ms: Arc::default() })
    }

    /// Puts the target into its initial state, clock included, and makes sure of the clock.
    ///
    /// # Errors
    /// A sentence saying what came instead of 204, or how far the clock is ahead still.
    pub fn reset(&self) -> Result<(), String> {
        let call = format!("POST {}/reset", self.base);
        let ahead_ms = self.ahead_ms.load(Ordering::Relaxed);
        let before = if ahead_ms > SLACK_MS { Some(self.now()?) } else { None };
        let answer =
            self.client.post(format!("{}/reset", self.base)).send().map_err(|error| unanswered(&call, &error))?;
        if answer.status() != 204 {
            return Err(format!("{call}: want 204, got {}", answer.status()));
        }
        if let Some(before) = before {
            let still_ms = self.now()? - (before - ahead_ms);
            if still_ms > SLACK_MS {
                return Err(format!("{call}: answered 204, but the clock is {} seconds ahead still", still_ms / 1000));
            }
        }
        self.ahead_ms.store(0, Ordering::Relaxed);
        self.told_ms.store(0, Ordering::Relaxed);
        Ok(())
    }

    /// Moves the target's clock ahead and answers its new time, in milliseconds since 1970.
    ///
    /// # Errors
    /// A sentence saying what came instead.
    pub fn advance(&self, seconds: f64) -> Result<i64, String> {
        let call = format!("POST {}/clock/advance", self.base);
        let body = json!({ "seconds": seconds });
        let answer = self.client.post(format!("{}/clock/advance", self.base)).json(&body).send();
        let now = time_of(&call, answer)?;
        let span_ms = (seconds * 1000.0) as i64;
        let before = self.told_ms.swap(now, Ordering::Relaxed);
        if before > 0 && now < before + span_ms - MOVE_SLACK_MS {
            let moved_s = (now - before) as f64 / 1000.0;
            return Err(format!(
                "{call}: want the clock {seconds} seconds ahead, it moved {moved_s} since it was told last"
            ));
        }
        self.ahead_ms.fetch_add(span_ms, Ordering::Relaxed);
        Ok(now)
    }

    /// The target's time, in milliseconds since 1970.
    ///
    /// # Errors
    /// A sentence saying what came instead.
    pub fn now(&self) -> Result<i64, String> {
        let call = format!("GET {}/clock", self.base);
        let now = time_of(&call, self.client.get(format!("{}/clock", self.base)).send())?;
        self.told_ms.store(now, Ordering::Relaxed);
        Ok(now)
    }
}

/// Why there is no answer: the first cause, since what the client says of it names the URL once more and nothing else.
fn unanswered(call: &str, error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    format!("{call}: {cause}")
}

fn time_of(call: &str, answer: reqwest::Result<reqwest::blocking::Response>) -> Result<i64, String> {
    let answer = answer.map_err(|error| unanswered(call, &error))?;
    if answer.status() != 200 {
        return Err(format!("{call}: want 200, got {}", answer.status()));
    }
    let mut bytes = Vec::new();
    answer.take(ANSWER_BYTES_MAX).read_to_end(&mut bytes).map_err(|error| format!("{call}: {error}"))?;
    let body: Value = serde_json::from_slice(&bytes).map_err(|error| format!("{call}: not JSON: {error}"))?;
    let text = body.get("now").and_then(Value::as_str).unwrap_or_default();
    clock::parse_any_iso(text).ok_or_else(|| format!("{call}: want {{\"now\": \"<ISO 8601>\"}}, got {body}"))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn every_call_has_a_connection_of_its_own() {
        const NOW: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 34\r\n\r\n{\"now\":\"2026-11-22T10:00:00.000Z\"}";
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        // Each connection is answered once and then kept open without another word.
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
