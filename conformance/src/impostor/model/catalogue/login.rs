//! Login: tokens at once, or a pending login that waits for the second factor.

use serde_json::{Value, json};

use super::super::clock::MINUTE_MS;
use super::super::records::{Pending, Session, User};
use super::super::refusals::{BLOCKED, USER_INACTIVE, USER_NOT_FOUND, WRONG_PASSWORD};
use super::super::state::State;
use super::body::{email, fields, text};
use super::failure::{Failure, Outcome};
use super::guard::open_route;
use super::request_context::{RequestContext, SERVICE_KEY};
use super::{codes, devices, jwt};
use crate::impostor::http::Reply;
use crate::impostor::policy::auth::WrongPasswords;

/// POST /auth/login
pub(crate) fn login(cx: &RequestContext<'_>) -> Outcome {
    let policy = cx.policy();
    open_route(cx, policy.auth.login.access)?;
    let sent = fields(cx)?;
    let (Some(email), Some(password)) = (email(cx, &sent), text(&sent, "password")) else {
        return Err(Failure::bad("email and password are required"));
    };
    let mut state = cx.lock();
    let user = check_password(cx, &mut state, email, password)?;
    if policy.two_factor.lockout.closes_login && codes::blocked(cx, &state, email) {
        return Err(Failure::bad(BLOCKED));
    }
    let device = devices::device_id(cx);
    let enabled = user.two_factor.as_ref().is_some_and(|record| record.enabled);
    let trusted = devices::trusted(cx, &state, email, &device);
    if trusted && policy.two_factor.devices.login_refreshes {
        devices::refresh(cx, &mut state, email, &device);
    }
    if (policy.auth.login.asks_second_factor)(enabled, trusted) {
        return Ok(ask_for_second_factor(cx, &mut state, &user, device));
    }
    let tokens = tokens(cx, &mut state, &user);
    drop(state);
    Ok(logged_in(cx, &user, &tokens))
}

fn check_password(cx: &RequestContext<'_>, state: &mut State, email: &str, password: &str) -> Result<User, Failure> {
    let policy = &cx.policy().auth;
    let user = state.user(email).cloned().ok_or_else(|| Failure::bad(USER_NOT_FOUND))?;
    let blocks = policy.login.wrong_passwords == WrongPasswords::Block;
    if blocks && state.attempts.iter().filter(|attempt| attempt.owner == email && !attempt.good).count() >= 3 {
        return Err(Failure::bad(BLOCKED));
    }
    let tries = state.wrong_passwords.iter().filter(|known| *known == email).count();
    if policy.login.wrong_passwords == WrongPasswords::Wait && tries >= 10 {
        return Err(Failure::new(429, "Too many logins"));
    }
    if (policy.password_hash)(password) != user.password_hash {
        state.wrong_passwords.push(email.to_owned());
        if blocks {
            codes::remember(state, email, cx.now(), false);
        }
        return Err(Failure::bad(WRONG_PASSWORD));
    }
    if !user.active {
        return Err(Failure::bad(USER_INACTIVE));
    }
    Ok(user)
}

/// The second login shape; it carries Content-Type alone.
fn ask_for_second_factor(cx: &RequestContext<'_>, state: &mut State, user: &User, device: String) -> Reply {
    let policy = &cx.policy().auth.login;
    let earlier = state.pending.iter().find(|pending| pending.email == user.email).map(|pending| pending.id.clone());
    if policy.ends_earlier_pending {
        state.pending.retain(|pending| pending.email != user.email);
    }
    if cx.policy().two_factor.pending.login_restarts_life {
        let earlier = state.pending.iter_mut().filter(|pending| pending.email == user.email);
        earlier.for_each(|pending| pending.since = cx.now());
    }
    let pending = Pending {
        id: (policy.pending_id)(earlier.as_deref()),
        email: user.email.clone(),
        device,
        user_agent: devices::user_agent(cx),
        since: cx.now(),
        failures: 0,
    };
    let mut methods = vec!["authenticator"];
    if user.two_factor.as_ref().is_some_and(|record| record.codes.iter().any(|code| !code.used)) {
        methods.push("backup_codes");
    }
    let body = json!({
        "requiere2FA": true,
        "sessionId": pending.id,
        "email": user.email,
        "metodosDisponibles": methods,
        "mensaje": "A second factor is needed",
        "trustedDeviceEnabled": state.devices.iter().any(|device| device.email == user.email),
    });
    state.pending.push(pending);
    if policy.second_answer_has_every_group {
        return cx.reply(200).body(&body).build();
    }
    Reply::json(200, "application/json", &body)
}

/// A new session token and a new JWT.
pub(crate) fn tokens(cx: &RequestContext<'_>, state: &mut State, user: &User) -> Value {
    let policy = &cx.policy().auth.sessions;
    let earlier = state.sessions.iter().find(|known| known.email == user.email).map(|known| known.token.clone());
    if policy.ends_earlier {
        state.sessions.retain(|session| session.email != user.email);
    }
    let session = Session {
        token: (policy.token)(earlier.as_deref()),
        email: user.email.clone(),
        user_agent: devices::user_agent(cx),
        expires: cx.now() + policy.first_minutes * MINUTE_MS,
    };
    let tokens = json!({"sessionToken": session.token, "jwtToken": jwt::issue(cx, user), "expiresIn": 3600});
    state.sessions.push(session);
    tokens
}

/// The first login shape.
fn logged_in(cx: &RequestContext<'_>, user: &User, tokens: &Value) -> Reply {
    let mut who = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        who["nombre"] = nombre.clone();
    }
    who["role"] = user.role.clone();
    who["permissions"] = json!(user.permissions);
    who["twoFactorEnabled"] = json!((cx.policy().auth.login.told_enabled)(user));
    let body = json!({"requiere2FA": false, SERVICE_KEY: who, "tokens": tokens});
    cx.reply(200).body(&body).build()
}
