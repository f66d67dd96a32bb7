//! Faults that break rules of the chapter backup-codes.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "backup-codes-are-7" breaks "backup-codes/count": "Seven backup codes are issued.";
    "backup-codes-of-8-characters" breaks "backup-codes/form": "A backup code has eight characters.";
    "backup-codes-shown-in-lower-case" breaks "backup-codes/form": "Backup codes are shown in lower case.";
    "backup-codes-reusable" breaks "backup-codes/single-use": "A backup code may be used again.";
    "backup-code-spends-all" breaks "backup-codes/others-stay": "Using one backup code uses up all of them.";
    "regenerate-keeps-earlier-codes" breaks "backup-codes/regenerate-invalidates": "Earlier codes still work after regenerating.";
    "regenerate-keeps-used-marks" breaks "backup-codes/regenerate-unused": "New codes in the place of used ones count as used.";
    "backup-code-spent-before-checks" breaks "backup-codes/refused-stays-unused": "A backup code sent with an expired session is used up.";
    "backup-codes-in-any-case" breaks "backup-codes/lower-case": "A backup code in lower case is accepted.";
    "ten-digits-refused" breaks "backup-codes/ten-digits": "A backup code of nothing but digits is refused.";
};
