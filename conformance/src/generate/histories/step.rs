//! The steps of a history, and their texts. Sends nothing.

use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use crate::implementation::profile::Interface;

/// A request: a template with `‹...›` in it, or filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepRequest {
    pub interface: Interface,
    pub method: &'static str,
    /// Path and query, below the interface's host.
    pub path: String,
    /// Header lines; an empty `User-Agent` means that none is sent.
    pub headers: Vec<(String, String)>,
    pub body: Option<String>,
}

impl StepRequest {
    /// A request to the catalogue, without headers and body.
    pub fn new(method: &'static str, path: impl Into<String>) -> Self {
        Self { interface: Interface::Catalogue, method, path: path.into(), headers: Vec::new(), body: None }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    #[must_use]
    pub fn json(self, body: impl Into<String>) -> Self {
        Self { body: Some(body.into()), ..self.header("Content-Type", "application/json") }
    }

    pub fn value_of(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// A field of the body; null if there is none.
    pub fn field(&self, name: &str) -> Value {
        let body: Option<Value> = self.body.as_ref().and_then(|body| serde_json::from_str(body).ok());
        body.and_then(|body| body.get(name).cloned()).unwrap_or_default()
    }

    pub fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }
}

#[derive(Debug, Clone)]
pub enum Step {
    Send(StepRequest),
    Wait(Wait),
}

/// How far the clock moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    Seconds(i64),
    /// To ten seconds before an end, or after it if `is_over`. `back` is an index from the latest session, token or device, modulo their number.
    Until {
        end: End,
        back: usize,
        is_over: bool,
    },
}

/// What ends: the session, the token, ...
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    Session,
    /// A day after it was issued.
    Jwt,
    /// A login that waits for its code: 10 minutes after it.
    PendingLogin,
    /// 15 minutes after the last failed check.
    Block,
    /// The hour in which the earliest failed check still counts.
    Failure,
    /// The trust in a device: 30 days after its last use.
    Trust,
}

#[derive(Debug, Clone)]
pub struct History(pub Vec<Step>);

impl Display for History {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> = (1..).zip(&self.0).map(|(number, step)| format!("{number}. {step}")).collect();
        f.write_str(&steps.join("; "))
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Send(request) => request.fmt(f),
            Self::Wait(Wait::Seconds(seconds)) => write!(f, "wait {seconds} s"),
            Self::Wait(Wait::Until { end, back, is_over }) => {
                let side = if *is_over { "after" } else { "before" };
                let end = match end {
                    End::Session => format!("‹session {back}› ends"),
                    End::Jwt => format!("‹jwt {back}› ends"),
                    End::PendingLogin => format!("‹pending {back}› ends"),
                    End::Block => "15 minutes have passed since the last failed check".into(),
                    End::Failure => "an hour has passed since the first failed check that counts".into(),
                    End::Trust => format!("30 days have passed since the use of device {back}"),
                };
                write!(f, "wait until 10 s {side} {end}")
            }
        }
    }
}

impl Display for StepRequest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)?;
        if let Some(body) = &self.body {
            write!(f, " {body}")?;
        }
        for (_, value) in self.headers.iter().filter(|(name, _)| *name != "Content-Type") {
            write!(f, " [{value}]")?;
        }
        Ok(())
    }
}
