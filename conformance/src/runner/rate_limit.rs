//! Whether a target, or what stands in front of it, turned requests away: what it answers then says nothing about the contract.

use std::num::NonZeroU32;
use std::thread;
use std::time::Duration;

use crate::context::session::Session;
use crate::http::exchange::{Exchange, Received};
use crate::implementation::profile::Target;
use crate::runner::outcome::CaseOutcome;
use crate::runner::plain_requests::ask_with_key;

/// Why the run is over: a rate limit turned the case away, or a front without a service behind it. `None` if neither did.
///
/// A 429 below `/auth` alone may be the target's own idea of a lockout, which is judged like any answer.
pub(super) fn reached(outcome: &CaseOutcome, session: &Session) -> Option<String> {
    if !outcome.verdict.has_failed() {
        return None;
    }
    let target = session.target();
    let answer = |exchange: &Exchange| exchange.received.as_ref().ok().cloned();
    let first = |is_meant: &dyn Fn(&Exchange, &Received) -> bool| {
        outcome.exchanges.iter().find(|exchange| answer(exchange).is_some_and(|received| is_meant(exchange, &received)))
    };
    let asked = |exchange: &Exchange| format!("{} {}", exchange.sent.method, exchange.sent.path);
    if let Some(limited) =
        first(&|exchange, received| received.status == 429 && !exchange.sent.path_below_prefix().starts_with("/auth/"))
    {
        let (asked, todo) = (asked(limited), todo(target.per_minute));
        return Some(format!(
            "the target enforces a rate limit: it answered 429 to {asked} in case {}; {todo}",
            outcome.id
        ));
    }
    let turned_away = first(&|_, received| is_of_a_front(received))?;
    let status = answer(turned_away)?.status;
    let status_again = || is_still_of_a_front(target, session.timeout);
    (status_again() == Some(status)).then(|| {
        let (asked, todo) = (asked(turned_away), todo(target.per_minute));
        let why = if status == 503 { "limits requests" } else { "does not reach it" };
        format!(
            "something in front of the target {why}: {status} to {asked} in case {}, and to GET /libros a second later, with a \
             body that is not the service's; see to what stands behind it, or, if it limits requests, {todo}",
            outcome.id
        )
    })
}

/// What to write into the profile.
pub(super) fn todo(per_minute: Option<NonZeroU32>) -> String {
    match per_minute {
        None => "say in the profile how many requests a minute it takes: [limits] per_minute = N".to_owned(),
        Some(limit) => format!("[limits] per_minute = {limit} in the profile is more than it takes"),
    }
}

/// Whether a front answered in place of the service, whose errors have a member `error`, or `errors` over GraphQL.
pub(super) fn is_of_a_front(received: &Received) -> bool {
    let is_own = || received.json().is_some_and(|body| body.get("error").or(body.get("errors")).is_some());
    matches!(received.status, 502..=504) && !is_own()
}

/// Asks for a page once more, after a pause: the status, where it is a front's again.
fn is_still_of_a_front(target: &Target, timeout: Duration) -> Option<u16> {
    const PAUSE: Duration = Duration::from_secs(1);
    thread::sleep(PAUSE);
    let received = ask_with_key(target, ("GET", "/libros?limit=1"), &target.credentials.test_key, timeout).ok()?;
    is_of_a_front(&received).then_some(received.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_service_is_not_taken_for_that_of_a_front() {
        let is_of_a_front = |status: u16, body: &str| {
            is_of_a_front(&Received::new(status, Vec::new(), body.as_bytes().to_vec(), false))
        };
        for page in ["", "<html>503</html>", r#"{"message":"no healthy upstream"}"#] {
            assert!(is_of_a_front(503, page) && is_of_a_front(502, page) && is_of_a_front(504, page), "{page}");
            assert!(!is_of_a_front(500, page) && !is_of_a_front(200, page), "{page}");
        }
        assert!(!is_of_a_front(503, r#"{"error":"busy"}"#) && !is_of_a_front(502, r#"{"errors":[]}"#));
    }
}
