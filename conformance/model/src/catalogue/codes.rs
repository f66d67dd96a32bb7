//! Code checks: time-based codes, backup codes.

use super::request_context::RequestContext;
use crate::accounts::code;
use crate::records::{BackupCode, TwoFactor};
use crate::secrets;

/// Checks a token against the record, and returns the method that it is of; a backup code that matches is used up.
pub(crate) fn check(cx: &RequestContext<'_>, record: &mut TwoFactor, token: &str) -> Option<&'static str> {
    if code::is_time_based(token) {
        return is_current(cx, &record.secret, token).then_some("totp");
    }
    if !code::is_backup(token) {
        return None;
    }
    let hash = secrets::hash(token);
    record.codes.iter_mut().find(|code| code.hash == hash && !code.used)?.used = true;
    Some("backup")
}

/// Whether the six digits are the code of the previous, the current or the next step.
fn is_current(cx: &RequestContext<'_>, secret: &str, token: &str) -> bool {
    let steps = &cx.steps.two_factor.codes;
    let key = (steps.key)(secret);
    let now = cx.now() / 1000 / steps.step_seconds;
    steps.steps.clone().any(|step| (steps.digits)(code::of_step(&key, now + step, steps.mac)) == token)
}

/// Issues backup codes: the codes that are shown, and the hashes that are kept.
pub(crate) fn issue(cx: &RequestContext<'_>) -> (Vec<String>, Vec<BackupCode>) {
    let shown = (cx.steps.two_factor.backup_codes)();
    let kept = shown.iter().map(|code| BackupCode { hash: secrets::hash(code), used: false }).collect();
    (shown, kept)
}
