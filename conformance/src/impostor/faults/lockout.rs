//! Faults that break rules of the chapter lockout.

use super::Fault;
use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::model::refusals::PENDING_EXHAUSTED;
use crate::impostor::policy::two_factor::Counted;
use crate::impostor::policy::{Apart, Faces};

pub(crate) const FAULTS: &[Fault] = faults! {
    "lockout-missing" breaks "lockout/three-failures": "Failures never block."
        => policy |p| (p.two_factor.lockout.failures, p.two_factor.pending.failures) = (usize::MAX, u32::MAX);
    "lockout-after-4-failures" breaks "lockout/three-failures": "The fourth failure blocks."
        => policy |p| p.two_factor.lockout.failures = 4;
    "exhausted-session-is-429" breaks "lockout/three-failures": "A code for a session with three wrong ones answers 429."
        => reply |_request, reply| if reply.refuses_with(PENDING_EXHAUSTED) { reply.status = 429 };
    "exhausted-session-is-401" breaks "lockout/three-failures": "A code for a session with three wrong ones answers 401."
        => reply |_request, reply| if reply.refuses_with(PENDING_EXHAUSTED) { reply.status = 401 };
    "lockout-after-2-failures" breaks "lockout/two-failures": "The second failure blocks."
        => policy |p| p.two_factor.lockout.failures = 2;
    "lockout-spares-backup-codes" breaks "lockout/backup-refused": "A block leaves backup codes usable."
        => policy |p| p.two_factor.lockout.spares_backup_codes = true;
    "backup-failures-uncounted" breaks "lockout/backup-failures-count": "Failed backup codes do not count."
        => policy |p| p.two_factor.lockout.backup_code = Counted::InItsLogin;
    "lockout-per-session" breaks "lockout/across-sessions" and "lockout/three-failures": "Failures count for their pending session only."
        => policy |p| p.two_factor.lockout.counts_for = |pending| pending.id.clone();
    "lockout-counted-by-each-replica" breaks "lockout/across-sessions": "Of two replicas each counts the failed codes that it was sent."
        => policy |p| p.faces = Faces::Two(Apart::Attempts);
    "lockout-per-device" breaks "lockout/across-sessions": "Failures count for the device of their login only."
        => policy |p| p.two_factor.lockout.counts_for = |pending| format!("{} {}", pending.email, pending.device);
    "lockout-of-everybody" breaks "lockout/per-email": "Failures of one e-mail block all."
        => policy |p| p.two_factor.lockout.counts_for = |_| "everybody".to_owned();
    "lockout-lasts-10-minutes" breaks "lockout/lasts": "The block lasts 10 minutes."
        => policy |p| p.two_factor.lockout.block_ms = 10 * MINUTE_MS;
    "lockout-lasts-20-minutes" breaks "lockout/ends": "The block lasts 20 minutes."
        => policy |p| p.two_factor.lockout.block_ms = 20 * MINUTE_MS;
    "lockout-from-first-failure" breaks "lockout/from-last-failure": "The block runs from the first failure."
        => policy |p| p.two_factor.lockout.start = |failures| failures.first().copied();
    "lockout-counts-forever" breaks "lockout/window": "Failures count for ever."
        => policy |p| p.two_factor.lockout.window_ms = i64::MAX;
    "lockout-counts-90-minutes" breaks "lockout/window": "Failures count for 90 minutes."
        => policy |p| p.two_factor.lockout.window_ms = 90 * MINUTE_MS;
    "lockout-closes-login" breaks "lockout/login-open": "A block closes the login too."
        => policy |p| p.two_factor.lockout.closes_login = true;
    "ended-block-clears-failures" breaks "lockout/after-block": "The end of a block clears its failures."
        => policy |p| p.two_factor.lockout.end_clears_failures = true;
    "success-clears-failures" breaks "lockout/success-keeps-failures": "A success clears the failures before it."
        => policy |p| p.two_factor.lockout.success_clears_failures = true;
};
