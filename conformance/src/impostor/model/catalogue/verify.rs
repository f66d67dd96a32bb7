//! The second step of a login: POST /auth/verify-2fa.

use serde_json::{Map, Value, json};

use super::super::clock::MINUTE_MS;
use super::super::js;
use super::super::state::{Pending, State};
use super::body::{drop_key, fields};
use super::codes::{self, Method};
use super::failure::Failure;
use super::guard::guard;
use super::{Exchange, Outcome, devices, login};

/// Checks, in order: the session is known, not 10 minutes old, without 3 failures; the user is there and has
/// two-factor enabled; the e-mail is not blocked; the code is good.
pub(crate) fn verify(exchange: &Exchange<'_>) -> Outcome {
    if exchange.on("verification-needs-credential") {
        guard(exchange, None)?;
    }
    let sent = fields(exchange)?;
    let mut state = exchange.lock();
    let pending = pending_session(exchange, &mut state, &sent)?;
    if exchange.on("backup-code-spent-before-checks") {
        spend(exchange, &mut state, &pending, &sent);
    }
    check_age_and_failures(exchange, &mut state, &pending)?;
    let user = state.user(&pending.email).ok_or_else(|| Failure::bad("User not found"))?;
    let Some(mut record) =
        user.two_factor.clone().filter(|record| record.enabled || exchange.on("pending-outlives-disable"))
    else {
        return Err(Failure::bad("Two-factor is not enabled"));
    };
    let token = spelled_token(exchange, &sent);
    let token = token.as_deref();
    let backup_form = token.is_some_and(|token| token.len() == 10);
    check_block(exchange, &mut state, &pending, backup_form)?;
    if token.is_none() && exchange.on("missing-token-is-500") {
        return Err(Failure::new(500, "Cannot read properties of undefined"));
    }
    if exchange.on("odd-token-is-500") && token.is_some_and(|token| !matches!(token.len(), 6 | 10)) {
        return Err(Failure::new(500, "This token has no known form"));
    }
    let Some(method) = token.and_then(|token| codes::check(exchange, &mut record, token)) else {
        return Err(refused(exchange, &mut state, &pending, token));
    };
    if !exchange.on("status-last-use-never-set") {
        record.last_used = Some(exchange.now());
    }
    if let Some(user) = state.user_mut(&pending.email) {
        user.two_factor = Some(record);
    }
    if exchange.reads("success-clears-failures") {
        state.attempts.retain(|attempt| attempt.email != pending.email);
    }
    codes::remember(&mut state, &counted_for(exchange, &pending), exchange.now(), true);
    if !exchange.on("pending-survives-success") {
        state.pending.retain(|known| known.id != pending.id);
    }
    Ok(verified(exchange, &mut state, &pending, &sent, method))
}

/// Whose checks are counted: those of the e-mail.
fn counted_for(exchange: &Exchange<'_>, pending: &Pending) -> String {
    exchange.pick("lockout-per-device", format!("{} {}", pending.email, pending.device), pending.email.clone())
}

/// Whether the e-mail is blocked for now.
fn check_block(
    exchange: &Exchange<'_>,
    state: &mut State,
    pending: &Pending,
    backup_form: bool,
) -> Result<(), Failure> {
    let failures = state.pending.iter().find(|p| p.id == pending.id).map_or(0, |p| p.failures);
    let blocked = if exchange.on("lockout-per-session") {
        failures >= 3
    } else {
        codes::blocked(exchange, state, &counted_for(exchange, pending), backup_form)
    };
    if blocked && exchange.reads("refused-checks-prolong-the-block") {
        return Err(failed(exchange, state, pending, backup_form));
    }
    if blocked {
        return Err(Failure::bad("Too many failed attempts"));
    }
    if exchange.reads("ended-block-clears-failures") {
        codes::forget_ended_block(exchange, state, &pending.email);
    }
    Ok(())
}

/// Counts a code that is not good.
fn refused(exchange: &Exchange<'_>, state: &mut State, pending: &Pending, token: Option<&str>) -> Failure {
    let Some(token) = token else {
        if exchange.reads("missing-token-not-counted") {
            return Failure::bad("token is required");
        }
        return failed(exchange, state, pending, false);
    };
    if !matches!(token.len(), 6 | 10) && exchange.reads("odd-tokens-spare-the-lockout") {
        return failed_session(exchange, state, pending);
    }
    failed(exchange, state, pending, token.len() == 10)
}

/// The token as a text; a permitted reading also takes numbers, and texts with spaces.
fn spelled_token(exchange: &Exchange<'_>, sent: &Map<String, Value>) -> Option<String> {
    let freely = exchange.reads("tokens-spelled-freely");
    match sent.get("token")? {
        Value::String(text) if freely => Some(text.replace(' ', "")),
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if freely => Some(format!("{:0>6}", number.to_string())),
        _ => None,
    }
}

fn pending_session(exchange: &Exchange<'_>, state: &mut State, sent: &Map<String, Value>) -> Result<Pending, Failure> {
    let Some(id) = sent.get("sessionId").and_then(Value::as_str) else {
        let status = exchange.pick("missing-session-is-404", 404, 400);
        return Err(Failure::new(status, "sessionId is required"));
    };
    let Some(pending) = state.pending.iter().find(|pending| pending.id == id) else {
        if exchange.on("unknown-pending-is-401") {
            return Err(Failure::denied("TOKEN_INVALIDO", "Unknown session"));
        }
        return Err(Failure::bad("Two-factor session not found or expired"));
    };
    Ok(pending.clone())
}

fn check_age_and_failures(exchange: &Exchange<'_>, state: &mut State, pending: &Pending) -> Result<(), Failure> {
    let minutes = match () {
        () if exchange.on("pending-lives-5-minutes") => 5,
        () if exchange.on("pending-lives-an-hour") => 60,
        () => 10,
    };
    if exchange.now() - pending.since > minutes * MINUTE_MS && !exchange.on("pending-never-expires") {
        state.pending.retain(|known| known.id != pending.id);
        return Err(Failure::bad("Two-factor session expired"));
    }
    let most = exchange.pick("pending-ends-with-first-failure", 1, 3);
    if pending.failures >= most && !exchange.on("lockout-missing") {
        state.pending.retain(|known| known.id != pending.id);
        let status =
            exchange.pick("exhausted-session-is-429", 429, exchange.pick("exhausted-session-is-401", 401, 400));
        return Err(Failure::new(status, "Too many failed attempts"));
    }
    Ok(())
}

fn spend(exchange: &Exchange<'_>, state: &mut State, pending: &Pending, sent: &Map<String, Value>) {
    let token = sent.get("token").and_then(Value::as_str).unwrap_or_default();
    let expired = exchange.now() - pending.since > 10 * MINUTE_MS;
    if expired && let Some(record) = state.user_mut(&pending.email).and_then(|user| user.two_factor.as_mut()) {
        _ = codes::check(exchange, record, token);
    }
}

fn failed(exchange: &Exchange<'_>, state: &mut State, pending: &Pending, backup_form: bool) -> Failure {
    if !(backup_form && exchange.on("backup-failures-uncounted")) {
        codes::remember(state, &counted_for(exchange, pending), exchange.now(), false);
    }
    failed_session(exchange, state, pending)
}

/// Counts a failure for the pending session alone.
fn failed_session(exchange: &Exchange<'_>, state: &mut State, pending: &Pending) -> Failure {
    if let Some(known) = state.pending.iter_mut().find(|known| known.id == pending.id) {
        known.failures += 1;
        if exchange.on("wrong-code-restarts-pending") {
            known.since = exchange.now();
        }
    }
    let status = exchange.pick("invalid-code-is-401", 401, 400);
    Failure::new(status, "Invalid two-factor code")
}

fn verified(
    exchange: &Exchange<'_>,
    state: &mut State,
    pending: &Pending,
    sent: &Map<String, Value>,
    method: Method,
) -> super::Reply {
    let wanted = sent.get("trustDevice");
    let trust = match wanted {
        Some(wanted) if exchange.reads("trust-device-true-only") => *wanted == json!(true),
        wanted => wanted.map_or(exchange.on("devices-trusted-by-default"), js::truthy),
    };
    let here =
        Pending { device: devices::device_id(exchange), user_agent: devices::user_agent(exchange), ..pending.clone() };
    let pending = if exchange.reads("device-of-the-verification") { &here } else { pending };
    let known = devices::trusted(exchange, state, &pending.email, &pending.device);
    if trust {
        devices::register(exchange, state, pending);
    }
    let method = match method {
        Method::Totp if exchange.on("method-says-authenticator") => "authenticator",
        Method::Backup if exchange.on("method-always-totp") => "totp",
        Method::Totp => "totp",
        Method::Backup => "backup",
    };
    let new_device = match () {
        () if exchange.on("new-device-says-whether-unknown") => !known,
        () if exchange.on("new-device-always-true") => true,
        () => !trust,
    };
    let user = state.user(&pending.email).cloned();
    let mut tokens = user.map_or(Value::Null, |user| login::tokens(exchange, state, &user));
    spoil_tokens(exchange, state, &mut tokens);
    let mut body = json!({
        "verificado": true,
        "tokens": tokens,
        "metodo2FA": method,
        "esDispositivoNuevo": new_device,
    });
    if exchange.on("verification-answers-email") {
        body["email"] = json!(pending.email);
    }
    if exchange.on("verification-lacks-verificado") {
        drop_key(&mut body, "verificado");
    }
    exchange.dress(200).body(&body).done()
}

fn spoil_tokens(exchange: &Exchange<'_>, state: &mut State, tokens: &mut Value) {
    if exchange.on("verification-session-not-stored") {
        state.sessions.pop();
    }
    if exchange.on("verification-jwt-cut-short") {
        let jwt = tokens["jwtToken"].as_str().and_then(|jwt| jwt.rsplit_once('.')).map(|(signed, _)| json!(signed));
        tokens["jwtToken"] = jwt.unwrap_or_default();
    }
    if exchange.on("verification-expires-in-1800") {
        tokens["expiresIn"] = json!(1800);
    }
}
