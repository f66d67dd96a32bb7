//! Whether a target turned requests away for coming too often: what it answers then says nothing about the contract. Sends nothing.

use std::num::NonZeroU32;

use crate::runner::outcome::{CaseOutcome, Verdict};

/// Why the run is over, where a case did not get through because of a rate limit.
///
/// A 429 below `/auth` alone may be the target's own idea of a lockout, which is judged like any answer.
pub(super) fn reached(outcome: &CaseOutcome, per_minute: Option<NonZeroU32>) -> Option<String> {
    if !matches!(outcome.verdict, Verdict::Fail | Verdict::Blocked) {
        return None;
    }
    let is_limited = |status: u16, path: &str| status == 429 && !path.starts_with("/auth/");
    let limited = outcome.exchanges.iter().find(|exchange| {
        let status = exchange.received.as_ref().map_or(0, |received| received.status);
        is_limited(status, exchange.sent.path_below_prefix())
    })?;
    let asked = format!("{} {}", limited.sent.method, limited.sent.path);
    let todo = match per_minute {
        None => "say in the profile how many requests a minute it takes: [limits] per_minute = N".to_owned(),
        Some(told) => format!("[limits] per_minute = {told} in the profile is more than it takes"),
    };
    Some(format!("the target enforces a rate limit: it answered 429 to {asked} in case {}; {todo}", outcome.id))
}
