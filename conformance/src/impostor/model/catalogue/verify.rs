//! The second step of a login: POST /auth/verify-2fa.

use serde_json::{Map, Value, json};

use super::super::js;
use super::super::records::Pending;
use super::super::refusals::{
    BLOCKED, INVALID_CODE, NOT_ENABLED, PENDING_EXHAUSTED, PENDING_EXPIRED, PENDING_MISSING, PENDING_UNKNOWN,
    USER_NOT_FOUND,
};
use super::super::state::State;
use super::body::fields;
use super::codes::{self, Method};
use super::failure::{Failure, Outcome};
use super::guard::open_route;
use super::request_context::RequestContext;
use super::{devices, login};
use crate::impostor::policy::two_factor::Counted;

/// Checks, in order: the pending login is known, not 10 minutes old, without 3 failures; the user is there and has
/// two-factor enabled; the e-mail is not blocked; the code is good.
pub(crate) fn verify(cx: &RequestContext<'_>) -> Outcome {
    let policy = &cx.policy().two_factor;
    open_route(cx, policy.verification.access)?;
    let sent = fields(cx)?;
    let token = sent.get("token").and_then(Value::as_str);
    let mut state = cx.lock();
    let pending = pending_login(&state, &sent);
    if pending.is_err() && policy.pending.unknown_spends_code {
        spend(cx, &mut state, None, token);
    }
    let pending = pending?;
    check_age_and_failures(cx, &mut state, &pending, token)?;
    let user = state.user(&pending.email).ok_or_else(|| Failure::bad(USER_NOT_FOUND))?;
    let record = user.two_factor.clone().filter(|record| record.enabled || policy.pending.outlives_disabling);
    let mut record = record.ok_or_else(|| Failure::bad(NOT_ENABLED))?;
    check_block(cx, &mut state, &pending, token)?;
    if policy.devices.registered_before_check && sent.get("trustDevice").is_some_and(js::truthy) {
        devices::register(cx, &mut state, &pending);
    }
    let Some(method) = token.and_then(|token| codes::check(cx, &mut record, token)) else {
        count_failure(cx, &mut state, &pending, token);
        return Err(Failure::bad(INVALID_CODE));
    };
    record.last_used = Some(cx.now());
    if let Some(user) = state.user_mut(&pending.email) {
        user.two_factor = Some(record);
    }
    let owner = (policy.lockout.counts_for)(&pending);
    if policy.lockout.success_clears_failures {
        state.attempts.retain(|attempt| attempt.owner != owner);
    }
    codes::remember(&mut state, &owner, cx.now(), true);
    if !policy.pending.survives_success {
        state.pending.retain(|known| known.id != pending.id);
    }
    Ok(verified(cx, &mut state, &pending, &sent, method))
}

fn pending_login(state: &State, sent: &Map<String, Value>) -> Result<Pending, Failure> {
    let id = sent.get("sessionId").and_then(Value::as_str).ok_or_else(|| Failure::bad(PENDING_MISSING))?;
    let known = state.pending.iter().find(|pending| pending.id == id).cloned();
    known.ok_or_else(|| Failure::bad(PENDING_UNKNOWN))
}

fn check_age_and_failures(
    cx: &RequestContext<'_>,
    state: &mut State,
    pending: &Pending,
    token: Option<&str>,
) -> Result<(), Failure> {
    let policy = &cx.policy().two_factor.pending;
    let failure = if cx.now() - pending.since > policy.lives_ms {
        Failure::bad(PENDING_EXPIRED)
    } else if pending.failures >= policy.failures {
        Failure::bad(PENDING_EXHAUSTED)
    } else {
        return Ok(());
    };
    if policy.expired_spends_code {
        spend(cx, state, Some(&pending.email), token);
    }
    state.pending.retain(|known| known.id != pending.id);
    Err(failure)
}

/// For faults: uses up a backup code of that user, or of any user.
fn spend(cx: &RequestContext<'_>, state: &mut State, email: Option<&str>, token: Option<&str>) {
    let theirs = state.users.iter_mut().filter(|user| email.is_none_or(|email| user.email == email));
    for record in theirs.filter_map(|user| user.two_factor.as_mut()) {
        token.map(|token| codes::check(cx, record, token));
    }
}

/// Whether the e-mail is blocked for now.
fn check_block(
    cx: &RequestContext<'_>,
    state: &mut State,
    pending: &Pending,
    token: Option<&str>,
) -> Result<(), Failure> {
    let policy = &cx.policy().two_factor.lockout;
    let owner = (policy.counts_for)(pending);
    let spared = policy.spares_backup_codes && token.is_some_and(|token| token.len() == 10);
    if !spared && codes::blocked(cx, state, &owner) {
        if policy.refused_check_counts {
            count_failure(cx, state, pending, token);
        }
        if policy.refused_check_spends_code {
            spend(cx, state, Some(&pending.email), token);
        }
        return Err(Failure::bad(BLOCKED));
    }
    if policy.end_clears_failures {
        codes::forget_ended_block(cx, state, &owner);
    }
    Ok(())
}

/// Counts a code that is not good.
fn count_failure(cx: &RequestContext<'_>, state: &mut State, pending: &Pending, token: Option<&str>) {
    let policy = &cx.policy().two_factor;
    let counted = match token.map(str::len) {
        None => policy.lockout.missing_token,
        Some(6) => Counted::Everywhere,
        Some(10) => policy.lockout.backup_code,
        Some(_) => policy.lockout.odd_token,
    };
    if counted == Counted::Nowhere {
        return;
    }
    if counted == Counted::Everywhere {
        codes::remember(state, &(policy.lockout.counts_for)(pending), cx.now(), false);
    }
    if let Some(known) = state.pending.iter_mut().find(|known| known.id == pending.id) {
        known.failures += 1;
        if policy.pending.failure_restarts_life {
            known.since = cx.now();
        }
    }
}

fn verified(
    cx: &RequestContext<'_>,
    state: &mut State,
    pending: &Pending,
    sent: &Map<String, Value>,
    method: Method,
) -> super::Reply {
    let policy = &cx.policy().two_factor.verification;
    let trust = sent.get("trustDevice").is_some_and(js::truthy);
    let mut pending = pending.clone();
    if policy.registers_its_own_device {
        (pending.device, pending.user_agent) = (devices::device_id(cx), devices::user_agent(cx));
    }
    let known = devices::trusted(cx, state, &pending.email, &pending.device);
    if trust {
        devices::register(cx, state, &pending);
    } else if cx.policy().two_factor.devices.forgotten_by_plain_verification {
        state.devices.retain(|device| device.email != pending.email || device.id != pending.device);
    }
    let user = state.user(&pending.email).cloned();
    let tokens = user.map_or(Value::Null, |user| login::tokens(cx, state, &user));
    if let (Some(lives_ms), Some(session)) = (policy.session_lives_ms, state.sessions.last_mut()) {
        session.expires = cx.now() + lives_ms;
    }
    let body = json!({
        "verificado": true,
        "tokens": tokens,
        "metodo2FA": match method {
            Method::Totp => "totp",
            Method::Backup => "backup",
        },
        "esDispositivoNuevo": (policy.new_device)(trust, known),
    });
    cx.reply(200).body(&body).build()
}
