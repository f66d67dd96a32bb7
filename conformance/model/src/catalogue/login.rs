//! Login: tokens at once, or a pending login that waits for the second factor.

use serde_json::{Value, json};

use super::body::fields;
use super::failure::{Failure, Outcome};
use super::request_context::{RequestContext, SERVICE_KEY};
use super::{devices, jwt};
use crate::accounts::user::required_text;
use crate::clock::MINUTE_MS;
use crate::message::Reply;
use crate::records::{Pending, Session, User};
use crate::refusals::{USER_INACTIVE, USER_NOT_FOUND, WRONG_PASSWORD};

/// POST /auth/login
pub(crate) fn login(cx: &mut RequestContext<'_>) -> Outcome {
    let sent = fields(cx)?;
    let (Some(email), Some(password)) = ((cx.steps.auth.email)(&sent), required_text(sent.get("password"))) else {
        return Err(Failure::bad("email and password are required"));
    };
    let user = cx.state.user(&email).cloned().ok_or_else(|| Failure::bad(USER_NOT_FOUND))?;
    if (cx.steps.auth.password_hash)(&password) != user.password_hash {
        return Err(Failure::bad(WRONG_PASSWORD));
    }
    if !user.active {
        return Err(Failure::bad(USER_INACTIVE));
    }
    let device = devices::device_id(cx);
    let enabled = user.two_factor.as_ref().is_some_and(|record| record.enabled);
    if (cx.steps.auth.login.asks_second_factor)(enabled, devices::is_trusted(cx, &email, &device)) {
        return Ok(ask_for_second_factor(cx, &user, device));
    }
    let tokens = tokens(cx, &user);
    Ok(logged_in(cx, &user, &tokens))
}

/// The second login shape; it carries Content-Type alone.
fn ask_for_second_factor(cx: &mut RequestContext<'_>, user: &User, device: String) -> Reply {
    let earlier = cx.state.pending.iter().find(|pending| pending.email == user.email);
    let pending = Pending {
        id: (cx.steps.auth.login.pending_id)(earlier.map(|pending| pending.id.as_str())),
        email: user.email.clone(),
        device,
        user_agent: devices::user_agent(cx.request),
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
        "trustedDeviceEnabled": cx.state.devices.iter().any(|device| device.email == user.email),
    });
    cx.state.pending.push(pending);
    Reply::json(200, &body)
}

/// A new session token and a new JWT.
pub(crate) fn tokens(cx: &mut RequestContext<'_>, user: &User) -> Value {
    let steps = &cx.steps.auth.sessions;
    let earlier = cx.state.sessions.iter().find(|known| known.email == user.email);
    let session = Session {
        token: (steps.token)(earlier.map(|known| known.token.as_str())),
        email: user.email.clone(),
        expires: cx.now() + steps.first_minutes * MINUTE_MS,
    };
    let tokens = json!({"sessionToken": session.token, "jwtToken": jwt::issue(cx, user), "expiresIn": 3600});
    cx.state.sessions.push(session);
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
    who["twoFactorEnabled"] = json!((cx.steps.auth.login.shown_enabled)(user));
    let body = json!({"requiere2FA": false, SERVICE_KEY: who, "tokens": tokens});
    cx.reply(200).body(&body).build()
}
