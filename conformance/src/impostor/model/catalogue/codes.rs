//! Code checks: time-based codes, backup codes, the failures that block an e-mail.

use super::super::accounts::code;
use super::super::records::{Attempt, BackupCode, TwoFactor};
use super::super::secrets;
use super::super::state::State;
use super::request_context::RequestContext;
use crate::impostor::policy::two_factor::LockoutPolicy;

/// What a good code was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Method {
    Totp,
    Backup,
}

/// Checks a token against the record; a backup code that matches is used up.
pub(crate) fn check(cx: &RequestContext<'_>, record: &mut TwoFactor, token: &str) -> Option<Method> {
    let policy = &cx.policy().two_factor;
    if code::is_time_based(token) {
        let replayed = record.last_code.as_deref() == Some(token) && !policy.codes.accepted_again;
        if replayed || !is_current(cx, &record.secret, token) {
            return None;
        }
        record.last_code = Some(token.to_owned());
        return Some(Method::Totp);
    }
    if !code::is_backup(token) {
        return None;
    }
    let hash = secrets::hash(token);
    let again = policy.backup_codes.used_again;
    let known = record.codes.iter_mut().find(|code| code.hash == hash && (!code.used || again))?;
    known.used = true;
    if policy.backup_codes.one_spends_all {
        record.codes.iter_mut().for_each(|code| code.used = true);
    }
    Some(Method::Backup)
}

/// Whether the six digits are the code of the previous, the current or the next step.
fn is_current(cx: &RequestContext<'_>, secret: &str, token: &str) -> bool {
    let policy = &cx.policy().two_factor.codes;
    let key = (policy.key)(secret);
    let now = cx.now() / 1000 / policy.step_seconds;
    (now - policy.steps_back..=now + policy.steps_ahead)
        .any(|step| (policy.digits)(code::of_step(&key, step, policy.mac)) == token)
}

/// Issues backup codes: the codes that are shown, and the hashes that are kept.
pub(crate) fn issue(cx: &RequestContext<'_>) -> (Vec<String>, Vec<BackupCode>) {
    let policy = &cx.policy().two_factor.backup_codes;
    let shown: Vec<String> = (0..policy.count).map(|_| secrets::random_hex(policy.bytes).to_uppercase()).collect();
    let kept = shown.iter().map(|code| BackupCode { hash: secrets::hash(code), used: false }).collect();
    (shown, kept)
}

/// Remembers a code check; at most 50 are kept for an e-mail.
pub(crate) fn remember(state: &mut State, owner: &str, now: i64, good: bool) {
    state.attempts.push(Attempt { owner: owner.to_owned(), at: now, good });
    let of_owner = state.attempts.iter().filter(|attempt| attempt.owner == owner).count();
    if of_owner > 50
        && let Some(oldest) = state.attempts.iter().position(|attempt| attempt.owner == owner)
    {
        state.attempts.remove(oldest);
    }
}

/// Forgets the failures of a block that has ended: called where there is none now.
pub(crate) fn forget_ended_block(cx: &RequestContext<'_>, state: &mut State, owner: &str) {
    if block_end(&cx.policy().two_factor.lockout, &failures(state, owner)).is_some() {
        state.attempts.retain(|attempt| attempt.owner != owner);
    }
}

/// Whether the e-mail is blocked: the third failure within 60 minutes blocks until 15 minutes after the last failure.
pub(crate) fn blocked(cx: &RequestContext<'_>, state: &State, owner: &str) -> bool {
    let policy = &cx.policy().two_factor.lockout;
    let failures = failures(state, owner);
    let left = within_window(policy, &failures, cx.now()).len();
    if policy.over_when_failures_leave && left < policy.failures {
        return false;
    }
    block_end(policy, &failures).is_some_and(|end| cx.now() < end)
}

/// The times of the failures of an e-mail, oldest first.
fn failures(state: &State, owner: &str) -> Vec<i64> {
    let own = state.attempts.iter().filter(|attempt| attempt.owner == owner && !attempt.good);
    own.map(|attempt| attempt.at).collect()
}

/// The failures that are no older than the window at that time.
fn within_window<'a>(policy: &LockoutPolicy, failures: &'a [i64], now: i64) -> &'a [i64] {
    let recent = failures.iter().position(|at| now - at <= policy.window_ms).unwrap_or(failures.len());
    &failures[recent..]
}

/// When the latest block ends, or ended; `None` when there was none. One failure after the other is gone through.
fn block_end(policy: &LockoutPolicy, failures: &[i64]) -> Option<i64> {
    let mut end = None;
    for (index, at) in failures.iter().enumerate() {
        let recent = within_window(policy, &failures[..=index], *at);
        // A failure during a block, where there are such, prolongs it however many the hour holds.
        if recent.len() >= policy.failures || end.is_some_and(|end| *at < end) {
            end = (policy.start)(recent).map(|start| start + policy.block_ms);
        }
    }
    end
}
