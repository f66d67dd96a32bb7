//! Faults that break rules of the chapter lockout.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "lockout-missing" breaks "lockout/three-failures": "Failures never block.";
    "lockout-after-4-failures" breaks "lockout/three-failures": "The fourth failure blocks.";
    "lockout-after-2-failures" breaks "lockout/two-failures": "The second failure blocks.";
    "lockout-spares-backup-codes" breaks "lockout/backup-refused": "A block leaves backup codes usable.";
    "backup-failures-uncounted" breaks "lockout/backup-failures-count": "Failed backup codes do not count.";
    "lockout-per-session" breaks "lockout/across-sessions" and "lockout/three-failures": "Failures count for their pending session only.";
    "lockout-per-device" breaks "lockout/across-sessions": "Failures count for the device of their login only.";
    "lockout-of-everybody" breaks "lockout/per-email": "Failures of one e-mail block all.";
    "lockout-lasts-10-minutes" breaks "lockout/lasts": "The block lasts 10 minutes.";
    "lockout-lasts-20-minutes" breaks "lockout/ends": "The block lasts 20 minutes.";
    "lockout-from-first-failure" breaks "lockout/from-last-failure": "The block runs from the first failure.";
    "lockout-counts-forever" breaks "lockout/window": "Failures count for ever.";
    "lockout-counts-90-minutes" breaks "lockout/window": "Failures count for 90 minutes.";
    "lockout-closes-login" breaks "lockout/login-open": "A block closes the login too.";
};
