//! The second step of a login: POST /auth/verify-2fa.

use serde_json::{Map, Value, json};

use super::handler::{Failure, Outcome, RequestContext};
use super::lockout::block_end;
use super::{devices, login};
use crate::accounts::code;
use crate::records::{Pending, TwoFactor};
use crate::refusals::{
    BLOCKED, INVALID_CODE, NOT_ENABLED, PENDING_EXHAUSTED, PENDING_EXPIRED, PENDING_MISSING, PENDING_UNKNOWN,
    USER_NOT_FOUND,
};
use crate::{js, secrets};

/// Checks, in order: the pending login is known, not 10 minutes old, without 3 failures; the user is there and has
/// two-factor enabled; the e-mail is not blocked; the code is good.
pub(crate) fn verify(cx: &mut RequestContext<'_>) -> Outcome {
    let sent = cx.fields()?;
    let pending = pending_login(cx, &sent)?;
    let user = cx.state.user(&pending.email).cloned().ok_or(Failure::bad(USER_NOT_FOUND))?;
    let record = user.two_factor.clone().filter(|record| record.enabled);
    let mut record = record.ok_or(Failure::bad(NOT_ENABLED))?;
    let owner = (cx.steps.two_factor.lockout.counts_for)(&pending);
    let failures = cx.state.failures(&owner);
    if block_end(&cx.steps.two_factor.lockout, &failures).is_some_and(|end| cx.now() < end) {
        return Err(Failure::bad(BLOCKED));
    }
    let token = sent.get("token").and_then(Value::as_str);
    let Some(method) = token.and_then(|token| check(cx, &mut record, token)) else {
        cx.state.remember(&owner, cx.now(), false);
        cx.state.pending.iter_mut().filter(|known| known.id == pending.id).for_each(|known| known.failures += 1);
        return Err(Failure::bad(INVALID_CODE));
    };
    record.last_used = Some(cx.now());
    if let Some(user) = cx.state.user_mut(&pending.email) {
        user.two_factor = Some(record);
    }
    cx.state.remember(&owner, cx.now(), true);
    cx.state.pending.retain(|known| known.id != pending.id);
    let trusts = sent.get("trustDevice").is_some_and(js::truthy);
    if trusts {
        devices::register(cx, &pending);
    }
    let tokens = login::tokens(cx, &user);
    let body = json!({"verificado": true, "tokens": tokens, "metodo2FA": method, "esDispositivoNuevo": !trusts});
    Ok(cx.reply(200, &body))
}

/// Checks a token; returns its method: six digits are a time-based code, ten of A-Z and 0-9 a backup code, which is then used up.
fn check(cx: &RequestContext<'_>, record: &mut TwoFactor, token: &str) -> Option<&'static str> {
    if token.len() == 6 && token.bytes().all(|b| b.is_ascii_digit()) {
        let steps = &cx.steps.two_factor.codes;
        let (key, now) = ((steps.key)(&record.secret), cx.now() / 1000 / steps.step_seconds);
        let is_code_of = |step| (steps.digits)(code::of_step(&key, now + step, steps.mac)) == token;
        return steps.steps.clone().any(is_code_of).then_some("totp");
    }
    let is_backup = token.len() == 10 && token.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let hash = secrets::hash(token);
    record.codes.iter_mut().find(|code| is_backup && code.hash == hash && !code.used)?.used = true;
    Some("backup")
}

/// The pending login that the body names. Removes one that is too old or has too many failures.
fn pending_login(cx: &mut RequestContext<'_>, sent: &Map<String, Value>) -> Result<Pending, Failure> {
    let id = sent.get("sessionId").and_then(Value::as_str).ok_or(Failure::bad(PENDING_MISSING))?;
    let known = cx.state.pending.iter().find(|pending| pending.id == id).cloned();
    let pending = known.ok_or(Failure::bad(PENDING_UNKNOWN))?;
    let end = if cx.now() - pending.since > cx.steps.two_factor.pending_lives_ms {
        PENDING_EXPIRED
    } else if pending.failures >= cx.steps.two_factor.pending_failures {
        PENDING_EXHAUSTED
    } else {
        return Ok(pending);
    };
    cx.state.pending.retain(|known| known.id != pending.id);
    Err(Failure::bad(end))
}
