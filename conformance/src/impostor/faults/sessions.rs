//! Faults that break rules of the chapter sessions.

use super::Fault;
use crate::impostor::policy::{SessionsAfterFailure, UnsupportedMethod};

pub(crate) const FAULTS: &[Fault] = faults! {
    "session-token-of-16-bytes" breaks "sessions/form": "A session token has 32 digits.";
    "session-token-in-upper-case" breaks "sessions/form": "A session token is in upper case.";
    "session-token-reused" breaks "sessions/distinct": "A second login gets the token of the first.";
    "login-ends-earlier-sessions" breaks "sessions/distinct": "A second login ends the session of the first.";
    "bearer-takes-jwt" breaks "sessions/unknown": "A JWT sent as Bearer is let in.";
    "bearer-takes-keys" breaks "sessions/unknown": "An API key sent as Bearer is let in.";
    "sessions-start-with-30-minutes" breaks "sessions/first-hour": "An unused session lives for 30 minutes.";
    "sessions-never-expire" breaks "sessions/expired": "Sessions never expire.";
    "sessions-live-2-hours" breaks "sessions/expired": "An unused session lives for two hours.";
    "expired-session-revived" breaks "sessions/removed": "The try of an expired session brings it to life again.";
    "session-use-changes-nothing" breaks "sessions/use-extends": "A use does not move the expiry.";
    "session-use-extends-an-hour" breaks "sessions/use-shortens": "A use sets the expiry to an hour from then.";
    "session-use-never-shortens" breaks "sessions/use-shortens": "A use never brings the expiry forward.";
    "failed-uses-extend-nothing" breaks "sessions/use-then-failure": "A use that ends in 400 or 404 does not move the expiry."
        => policy |p| p.http.sessions_after_failure = SessionsAfterFailure::AsBefore;
    "denied-session-extended" breaks "sessions/denied-keeps-expiry": "A denied request moves the expiry.";
    "denied-session-removed" breaks "sessions/denied-keeps-expiry": "A denied request ends the session.";
    "unsupported-method-extends-session" breaks "sessions/unsupported-method-keeps-expiry": "A 405 moves the expiry of the session sent along."
        => policy |p| p.books.unsupported_method = UnsupportedMethod::SessionUsed;
    "sessions-extend-on-books-only" breaks "sessions/use-anywhere": "Only uses on book paths move the expiry.";
};
