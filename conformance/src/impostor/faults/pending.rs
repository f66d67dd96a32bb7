//! Faults that break rules of the chapter pending.

use super::Fault;
use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::policy::two_factor::Counted;

pub(crate) const FAULTS: &[Fault] = faults! {
    "pending-survives-success" breaks "pending/success-removes": "A completed session may be completed again."
        => policy |p| p.two_factor.pending.survives_success = true;
    "pending-ends-with-first-failure" breaks "pending/failure-keeps": "The first wrong code ends the session."
        => policy |p| p.two_factor.pending.failures = 1;
    "wrong-backup-codes-uncounted" breaks "pending/attempts-counted": "A wrong backup code is refused and counts for nothing."
        => policy |p| p.two_factor.lockout.backup_code = Counted::Nowhere;
    "pending-lives-5-minutes" breaks "pending/lives-10-minutes": "A pending session lives for 5 minutes."
        => policy |p| p.two_factor.pending.lives_ms = 5 * MINUTE_MS;
    "pending-never-expires" breaks "pending/expires": "A pending session never expires."
        => policy |p| p.two_factor.pending.lives_ms = i64::MAX;
    "pending-lives-an-hour" breaks "pending/expires": "A pending session lives for an hour."
        => policy |p| p.two_factor.pending.lives_ms = 60 * MINUTE_MS;
    "wrong-code-restarts-pending" breaks "pending/expiry-from-login": "A wrong code starts the 10 minutes anew."
        => policy |p| p.two_factor.pending.failure_restarts_life = true;
    "login-prolongs-earlier-pending" breaks "pending/expiry-from-login": "Another login of the user begins the ten minutes of an earlier one anew."
        => policy |p| p.two_factor.pending.login_restarts_life = true;
};
