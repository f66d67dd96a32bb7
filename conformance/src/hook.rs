//! The control protocol, from the suite's side: reset, clock, over an ordinary HTTP client.
//!
//! Never used to judge: what fails here is the hook, not the interface.

use std::time::Duration;

use reqwest::blocking::Client;
use serde_json::{Value, json};

use crate::now;

/// A target's control listener.
#[derive(Debug, Clone)]
pub struct Control {
    base: String,
    client: Client,
}

impl Control {
    /// The control listener at that base URL.
    ///
    /// # Errors
    /// A sentence, when no client can be made for it.
    pub fn new(base: &str, timeout: Duration) -> Result<Self, String> {
        let client = Client::builder().no_proxy().timeout(timeout).build().map_err(|error| error.to_string())?;
        Ok(Self { base: base.to_owned(), client })
    }

    /// Puts the target into its initial state, clock included.
    ///
    /// # Errors
    /// A sentence saying what came instead of 204.
    pub fn reset(&self) -> Result<(), String> {
        let call = format!("POST {}/reset", self.base);
        let answer = self.client.post(format!("{}/reset", self.base)).send().map_err(|e| format!("{call}: {e}"))?;
        if answer.status() == 204 { Ok(()) } else { Err(format!("{call}: want 204, got {}", answer.status())) }
    }

    /// Moves the target's clock ahead and answers its new time, in milliseconds since 1970.
    ///
    /// # Errors
    /// A sentence saying what came instead.
    pub fn advance(&self, seconds: f64) -> Result<i64, String> {
        let call = format!("POST {}/clock/advance", self.base);
        let body = json!({ "seconds": seconds });
        let answer = self.client.post(format!("{}/clock/advance", self.base)).json(&body).send();
        time_of(&call, answer)
    }

    /// The target's time, in milliseconds since 1970.
    ///
    /// # Errors
    /// A sentence saying what came instead.
    pub fn now(&self) -> Result<i64, String> {
        let call = format!("GET {}/clock", self.base);
        time_of(&call, self.client.get(format!("{}/clock", self.base)).send())
    }
}

fn time_of(call: &str, answer: reqwest::Result<reqwest::blocking::Response>) -> Result<i64, String> {
    let answer = answer.map_err(|error| format!("{call}: {error}"))?;
    if answer.status() != 200 {
        return Err(format!("{call}: want 200, got {}", answer.status()));
    }
    let body: Value = answer.json().map_err(|error| format!("{call}: {error}"))?;
    let text = body.get("now").and_then(Value::as_str).unwrap_or_default();
    now::parse_iso(text)
        .ok_or_else(|| format!("{call}: want {{\"now\": \"<ISO 8601 with milliseconds>\"}}, got {body}"))
}
