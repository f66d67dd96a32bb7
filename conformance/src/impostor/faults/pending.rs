//! Faults that break rules of the chapter pending.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "pending-survives-success" breaks "pending/success-removes": "A completed session may be completed again.";
    "pending-ends-with-first-failure" breaks "pending/failure-keeps": "The first wrong code ends the session.";
    "exhausted-session-is-429" breaks "pending/attempts-end": "A code for a session with three wrong ones answers 429.";
    "exhausted-session-is-401" breaks "pending/attempts-end": "A code for a session with three wrong ones answers 401.";
    "pending-lives-5-minutes" breaks "pending/lives-10-minutes": "A pending session lives for 5 minutes.";
    "pending-never-expires" breaks "pending/expires": "A pending session never expires.";
    "pending-lives-an-hour" breaks "pending/expires": "A pending session lives for an hour.";
    "wrong-code-restarts-pending" breaks "pending/expiry-from-login": "A wrong code starts the 10 minutes anew.";
    "pending-outlives-disable" breaks "pending/disabled-meanwhile": "A pending session is completed although two-factor was disabled meanwhile.";
};
