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
use super::failure::Failure;
use super::guard::open_route;
use super::{Exchange, Outcome, devices, login};
use crate::impostor::policy::two_factor::{Counted, DeviceOf};

/// Checks, in order: the pending login is known, not 10 minutes old, without 3 failures; the user is there and has
/// two-factor enabled; the e-mail is not blocked; the code is good.
pub(crate) fn verify(exchange: &Exchange<'_>) -> Outcome {
    let policy = &exchange.policy().two_factor;
    open_route(exchange, policy.verification.access)?;
    let sent = fields(exchange)?;
    let token = sent.get("token").and_then(Value::as_str);
    let mut state = exchange.lock();
    let pending = pending_login(&state, &sent)?;
    check_age_and_failures(exchange, &mut state, &pending, token)?;
    let user = state.user(&pending.email).ok_or_else(|| Failure::bad(USER_NOT_FOUND))?;
    let record = user.two_factor.clone().filter(|record| record.enabled || policy.pending.outlives_disabling);
    let mut record = record.ok_or_else(|| Failure::bad(NOT_ENABLED))?;
    check_block(exchange, &mut state, &pending, token)?;
    let Some(method) = token.and_then(|token| codes::check(exchange, &mut record, token)) else {
        count_failure(exchange, &mut state, &pending, token);
        return Err(Failure::bad(INVALID_CODE));
    };
    record.last_used = Some(exchange.now());
    if let Some(user) = state.user_mut(&pending.email) {
        user.two_factor = Some(record);
    }
    let owner = (policy.lockout.counts_for)(&pending);
    if policy.lockout.success_clears_failures {
        state.attempts.retain(|attempt| attempt.owner != owner);
    }
    codes::remember(&mut state, &owner, exchange.now(), true);
    if !policy.pending.survives_success {
        state.pending.retain(|known| known.id != pending.id);
    }
    Ok(verified(exchange, &mut state, &pending, &sent, method))
}

fn pending_login(state: &State, sent: &Map<String, Value>) -> Result<Pending, Failure> {
    let id = sent.get("sessionId").and_then(Value::as_str).ok_or_else(|| Failure::bad(PENDING_MISSING))?;
    let known = state.pending.iter().find(|pending| pending.id == id).cloned();
    known.ok_or_else(|| Failure::bad(PENDING_UNKNOWN))
}

fn check_age_and_failures(
    exchange: &Exchange<'_>,
    state: &mut State,
    pending: &Pending,
    token: Option<&str>,
) -> Result<(), Failure> {
    let policy = &exchange.policy().two_factor.pending;
    let failure = if exchange.now() - pending.since > policy.lives_ms {
        Failure::bad(PENDING_EXPIRED)
    } else if pending.failures >= policy.failures {
        Failure::bad(PENDING_EXHAUSTED)
    } else {
        return Ok(());
    };
    if policy.expired_spends_code
        && let Some(record) = state.user_mut(&pending.email).and_then(|user| user.two_factor.as_mut())
    {
        token.map(|token| codes::check(exchange, record, token));
    }
    state.pending.retain(|known| known.id != pending.id);
    Err(failure)
}

/// Whether the e-mail is blocked for now.
fn check_block(
    exchange: &Exchange<'_>,
    state: &mut State,
    pending: &Pending,
    token: Option<&str>,
) -> Result<(), Failure> {
    let policy = &exchange.policy().two_factor.lockout;
    let owner = (policy.counts_for)(pending);
    let spared = policy.spares_backup_codes && token.is_some_and(|token| token.len() == 10);
    if !spared && codes::blocked(exchange, state, &owner) {
        if policy.refused_check_counts {
            count_failure(exchange, state, pending, token);
        }
        return Err(Failure::bad(BLOCKED));
    }
    if policy.end_clears_failures {
        codes::forget_ended_block(exchange, state, &owner);
    }
    Ok(())
}

/// Counts a code that is not good.
fn count_failure(exchange: &Exchange<'_>, state: &mut State, pending: &Pending, token: Option<&str>) {
    let policy = &exchange.policy().two_factor;
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
        codes::remember(state, &(policy.lockout.counts_for)(pending), exchange.now(), false);
    }
    if let Some(known) = state.pending.iter_mut().find(|known| known.id == pending.id) {
        known.failures += 1;
        if policy.pending.failure_restarts_life {
            known.since = exchange.now();
        }
    }
}

fn verified(
    exchange: &Exchange<'_>,
    state: &mut State,
    pending: &Pending,
    sent: &Map<String, Value>,
    method: Method,
) -> super::Reply {
    let policy = &exchange.policy().two_factor.verification;
    let trust = sent.get("trustDevice").is_some_and(js::truthy);
    let of_login = pending.clone();
    let pending = match policy.device_of {
        DeviceOf::Login => of_login,
        DeviceOf::Verification => {
            Pending { device: devices::device_id(exchange), user_agent: devices::user_agent(exchange), ..of_login }
        }
    };
    let known = devices::trusted(exchange, state, &pending.email, &pending.device);
    if trust {
        devices::register(exchange, state, &pending);
    }
    let user = state.user(&pending.email).cloned();
    let tokens = user.map_or(Value::Null, |user| login::tokens(exchange, state, &user));
    let body = json!({
        "verificado": true,
        "tokens": tokens,
        "metodo2FA": match method {
            Method::Totp => "totp",
            Method::Backup => "backup",
        },
        "esDispositivoNuevo": (policy.new_device)(trust, known),
    });
    exchange.dress(200).body(&body).done()
}
