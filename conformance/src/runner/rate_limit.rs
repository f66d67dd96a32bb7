//! Whether a target, or a proxy in front of it, turned requests away: such answers say nothing about the contract.

use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;

use crate::context::session::Session;
use crate::http::exchange::{Exchange, Received};
use crate::implementation::profile::Target;
use crate::runner::outcome::CaseOutcome;
use crate::runner::plain_requests::ask_with_key;

/// Why the run is over: a rate limit turned the case away, or a proxy without a service behind it. `None` if neither did.
///
/// A 429 below `/auth` alone may be the target's own idea of a lockout, which is judged like any answer.
pub(super) fn reason_to_stop(outcome: &CaseOutcome, session: &Session) -> Option<String> {
    if !outcome.verdict.has_failed() {
        return None;
    }
    let target = session.target();
    let advice = profile_advice(target.per_minute);
    let request = |exchange: &Exchange| format!("{} {}", exchange.sent.method, exchange.sent.path);
    let answered =
        || outcome.exchanges.iter().filter_map(|exchange| Some((exchange, exchange.received.as_ref().ok()?)));
    let is_outside_auth = |exchange: &Exchange| !exchange.sent.path_below_prefix().starts_with("/auth/");
    if let Some((limited, _)) = answered().find(|(exchange, answer)| answer.status == 429 && is_outside_auth(exchange))
    {
        let (asked, id) = (request(limited), &outcome.id);
        return Some(format!("the target enforces a rate limit: it answered 429 to {asked} in case {id}; {advice}"));
    }
    let (turned_away, answer) = answered().find(|(_, answer)| is_from_proxy(answer))?;
    let status = answer.status;
    (asked_again(target, session.timeout) == Some(status)).then(|| {
        let asked = request(turned_away);
        let why = if status == 503 { "limits requests" } else { "does not reach it" };
        format!(
            "a proxy in front of the target {why}: it answered {status} to {asked} in case {}, and to GET /libros a second \
             later, with a body that is not the service's; check the service behind it, or, if it limits requests, {advice}",
            outcome.id
        )
    })
}

/// What to change in the profile.
pub(super) fn profile_advice(per_minute: Option<NonZeroU32>) -> String {
    match per_minute {
        None => "set in the profile how many requests a minute it allows: [limits] per_minute = N".to_owned(),
        Some(limit) => format!("[limits] per_minute = {limit} in the profile is more than it allows"),
    }
}

/// Whether a proxy answered instead of the service, whose errors have a member `error`, or `errors` over GraphQL.
pub(super) fn is_from_proxy(received: &Received) -> bool {
    let is_own = || received.json().is_some_and(|body| body.get("error").or(body.get("errors")).is_some());
    matches!(received.status, 502..=504) && !is_own()
}

/// Asks again for a page, after a pause; returns the status if it comes from a proxy again.
fn asked_again(target: &Target, timeout: Duration) -> Option<u16> {
    const PAUSE: Duration = Duration::from_secs(1);
    thread::sleep(PAUSE);
    let received = ask_with_key(target, ("GET", "/libros?limit=1"), &target.credentials.test_key, timeout).ok()?;
    is_from_proxy(&received).then_some(received.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_service_is_not_taken_for_one_of_a_proxy() {
        let is_from_proxy = |status: u16, body: &str| {
            is_from_proxy(&Received::new(status, Vec::new(), body.as_bytes().to_vec(), false))
        };
        for page in ["", "<html>503</html>", r#"{"message":"no healthy upstream"}"#] {
            assert!(is_from_proxy(503, page) && is_from_proxy(502, page) && is_from_proxy(504, page), "{page}");
            assert!(!is_from_proxy(500, page) && !is_from_proxy(200, page), "{page}");
        }
        assert!(!is_from_proxy(503, r#"{"error":"busy"}"#) && !is_from_proxy(502, r#"{"errors":[]}"#));
    }
}
