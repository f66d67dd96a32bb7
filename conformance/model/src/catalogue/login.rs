//! Registration, and login: tokens at once, or a pending login that waits for the second factor.

use serde_json::{Value, json};

use super::devices;
use super::handler::{Failure, Outcome, RequestContext, SERVICE_KEY};
use crate::accounts::fields::required_text;
use crate::clock::MINUTE_MS;
use crate::message::Reply;
use crate::records::{Pending, Session, User};
use crate::refusals::{USER_EXISTS, USER_INACTIVE, USER_NOT_FOUND, WRONG_PASSWORD};

/// POST /auth/registro
pub(crate) fn register(cx: &mut RequestContext<'_>) -> Outcome {
    let steps = &cx.steps.auth.registration;
    let sent = cx.fields()?;
    let email = (steps.email)(sent.get("email")).or_else(|| (cx.steps.auth.email)(&sent));
    let (Some(email), Some(password)) = (email, (steps.password)(sent.get("password"))) else {
        return Err(Failure::bad("email and password are required"));
    };
    if !(steps.email_form)(&email) {
        return Err(Failure::bad("this is not an e-mail"));
    }
    let role = (steps.role)(sent.get("role")).ok_or(Failure::bad("there is no such role"))?;
    if cx.state.users.iter().any(|user| (steps.same_email)(&user.email, &email)) {
        return Err(Failure::bad(USER_EXISTS));
    }
    let permissions = (steps.permissions_of)(role.as_str().unwrap_or_default());
    let mut user = User {
        id: (steps.id)(cx.state.users.len(), cx.now()),
        email,
        password_hash: (cx.steps.auth.password_hash)(&password),
        nombre: sent.get("nombre").cloned(),
        permissions: permissions.iter().map(|permission| (*permission).to_owned()).collect(),
        role,
        active: true,
        two_factor: None,
    };
    (steps.further_fields)(&mut user, &sent);
    let body = named(&user);
    cx.state.users.push(user);
    Ok(cx.reply(201, &body))
}

/// id, email and, if it was sent, nombre.
fn named(user: &User) -> Value {
    let mut named = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        named["nombre"] = nombre.clone();
    }
    named
}

/// POST /auth/login
pub(crate) fn login(cx: &mut RequestContext<'_>) -> Outcome {
    let sent = cx.fields()?;
    let (Some(email), Some(password)) = ((cx.steps.auth.email)(&sent), required_text(sent.get("password"))) else {
        return Err(Failure::bad("email and password are required"));
    };
    let user = cx.state.user(&email).cloned().ok_or(Failure::bad(USER_NOT_FOUND))?;
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

/// The login answer that asks for a second factor. Its only header is Content-Type.
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

pub(crate) fn tokens(cx: &mut RequestContext<'_>, user: &User) -> Value {
    let steps = &cx.steps.auth.sessions;
    let earlier = cx.state.sessions.iter().find(|known| known.email == user.email);
    let session = Session {
        token: (steps.token)(earlier.map(|known| known.token.as_str())),
        email: user.email.clone(),
        expires: cx.now() + steps.first_minutes * MINUTE_MS,
    };
    let steps = &cx.steps.auth.tokens;
    let encode = |value: &Value| (steps.encode)(&(steps.bytes)(value));
    let jwt = (steps.join)(&encode(&(steps.header)()), &encode(&(steps.payload)(user, cx.now())));
    let tokens = json!({"sessionToken": session.token, "jwtToken": jwt, "expiresIn": 3600});
    cx.state.sessions.push(session);
    tokens
}

fn logged_in(cx: &RequestContext<'_>, user: &User, tokens: &Value) -> Reply {
    let mut who = named(user);
    who["role"] = user.role.clone();
    who["permissions"] = json!(user.permissions);
    who["twoFactorEnabled"] = json!((cx.steps.auth.login.shown_enabled)(user));
    let body = json!({"requiere2FA": false, SERVICE_KEY: who, "tokens": tokens});
    cx.reply(200, &body)
}
