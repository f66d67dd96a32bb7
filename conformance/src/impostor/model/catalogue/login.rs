//! Login: tokens at once, or a pending session that waits for the second factor.

use serde_json::{Value, json};

use super::super::clock::MINUTE_MS;
use super::super::secrets;
use super::super::state::{Pending, Session, State, User};
use super::body::{drop_key, fields, text};
use super::failure::Failure;
use super::{Exchange, Outcome, SERVICE_KEY, codes, devices, guard, jwt};
use crate::impostor::http::Reply;

/// POST /auth/login
pub(crate) fn login(exchange: &Exchange<'_>) -> Outcome {
    if exchange.on("login-refuses-failing-credential") && exchange.request.header("authorization").is_some() {
        guard::guard(exchange, None)?;
    }
    let sent = fields(exchange)?;
    if exchange.on("login-without-password-is-500") && !sent.contains_key("password") {
        return Err(Failure::new(500, "Cannot read properties of undefined"));
    }
    let (Some(email), Some(password)) = (text(&sent, "email"), text(&sent, "password")) else {
        return Err(Failure::bad("email and password are required"));
    };
    let mut state = exchange.lock();
    let user = check_password(exchange, &mut state, email, password)?;
    let device = devices::device_id(exchange);
    if exchange.on("lockout-closes-login") && codes::blocked(exchange, &state, email, false) {
        return Err(Failure::bad("Too many failed attempts"));
    }
    let enabled = user.two_factor.as_ref().is_some_and(|record| record.enabled);
    let trusted = devices::trusted(exchange, &state, email, &device) && !exchange.on("trusted-device-still-asked");
    if trusted && exchange.reads("trusted-login-refreshes-device") {
        devices::refresh(exchange, &mut state, email, &device);
    }
    if enabled && !trusted {
        return Ok(ask_for_second_factor(exchange, &mut state, &user, device));
    }
    let tokens = tokens(exchange, &mut state, &user);
    drop(state);
    Ok(logged_in(exchange, &user, enabled, &tokens))
}

fn check_password(exchange: &Exchange<'_>, state: &mut State, email: &str, password: &str) -> Result<User, Failure> {
    let Some(user) = state.user(email) else {
        let status = exchange.pick("unknown-email-is-404", 404, 400);
        return Err(Failure::new(status, "User not found"));
    };
    let user = user.clone();
    let known = |password: &str| hashed(exchange, password) == user.password_hash;
    let variants = exchange.on("passwords-trimmed") && known(password.trim())
        || exchange.on("passwords-in-any-case") && (known(&password.to_lowercase()) || known(&swap_case(password)))
        || exchange.on("passwords-not-checked");
    if exchange.on("wrong-passwords-block")
        && state.attempts.iter().filter(|a| a.email == email && !a.good).count() >= 3
    {
        return Err(Failure::bad("Too many failed attempts"));
    }
    if !known(password) && !variants {
        if exchange.on("wrong-passwords-block") {
            codes::remember(state, email, exchange.now(), false);
        }
        let status = exchange.pick("wrong-password-is-401", 401, 400);
        return Err(Failure::new(status, "Wrong password"));
    }
    if !user.active {
        return Err(Failure::bad("User inactive"));
    }
    Ok(user)
}

/// The keyed hash of a password as users are stored with it.
pub(crate) fn hashed(exchange: &Exchange<'_>, password: &str) -> String {
    let beyond = |c: char| !c.is_ascii();
    match () {
        () if exchange.on("passwords-hashed-as-ascii") => secrets::hash(&password.replace(beyond, "?")),
        () if exchange.on("passwords-hashed-without-accents") => secrets::hash(&password.replace(beyond, "")),
        () if exchange.on("passwords-hashed-as-latin-1") => {
            let lowest = |c: char| char::from_u32(u32::from(c) & 0xff);
            secrets::hash(&password.chars().filter_map(lowest).collect::<String>())
        }
        () => secrets::hash(password),
    }
}

fn swap_case(text: &str) -> String {
    text.chars().map(|c| if c.is_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }).collect()
}

/// The second login shape; it carries Content-Type alone.
fn ask_for_second_factor(exchange: &Exchange<'_>, state: &mut State, user: &User, device: String) -> Reply {
    let email = &user.email;
    if exchange.on("login-drops-earlier-pending") {
        state.pending.retain(|pending| pending.email != *email);
    }
    let again = state.pending.iter().find(|pending| pending.email == *email).map(|pending| pending.id.clone());
    let id = match again {
        Some(id) if exchange.on("pending-id-reused") => id,
        _ if exchange.on("pending-id-of-16-bytes") => secrets::random_hex(16),
        _ => secrets::random_hex(32),
    };
    state.pending.push(Pending {
        id: id.clone(),
        email: email.clone(),
        device,
        user_agent: devices::user_agent(exchange),
        since: exchange.now(),
        failures: 0,
    });
    let unused = user.two_factor.as_ref().is_some_and(|record| record.codes.iter().any(|code| !code.used));
    let mut methods = Vec::new();
    if !exchange.on("second-factor-lacks-authenticator") {
        methods.push(exchange.pick("second-factor-says-totp", "totp", "authenticator"));
    }
    if (unused || exchange.on("second-factor-always-backup-codes")) && !exchange.on("second-factor-never-backup-codes")
    {
        methods.push("backup_codes");
    }
    let shown = if exchange.on("second-factor-masks-email") {
        format!("{}***", email.chars().take(1).collect::<String>())
    } else {
        email.clone()
    };
    let mut body = json!({
        "requiere2FA": !exchange.on("second-factor-requires-false"),
        "sessionId": id,
        "email": shown,
        "metodosDisponibles": methods,
        "mensaje": exchange.pick("second-factor-mensaje-empty", "", "A second factor is needed"),
        "trustedDeviceEnabled": exchange.reads("trusted-device-enabled-always") || state.devices.iter().any(|device| device.email == *email),
    });
    if exchange.on("second-factor-answer-has-tokens") {
        body["tokens"] = tokens(exchange, state, user);
    }
    if exchange.on("second-factor-answer-has-id") {
        body["id"] = json!(user.id);
    }
    if exchange.on("second-factor-answer-fully-dressed") {
        return exchange.dress(200).body(&body).done();
    }
    let plain = !exchange.reads("second-shape-with-charset");
    let content_type = if plain { "application/json" } else { "application/json; charset=utf-8" };
    let mut reply = Reply::json(200, content_type, &body);
    if exchange.on("second-factor-answer-with-cors") {
        reply.set("Access-Control-Allow-Origin", "*");
    }
    reply
}

/// A new session token and a new JWT.
pub(crate) fn tokens(exchange: &Exchange<'_>, state: &mut State, user: &User) -> Value {
    let now = exchange.now();
    let earlier =
        state.sessions.iter().find(|session| session.email == user.email).map(|session| session.token.clone());
    if exchange.on("login-ends-earlier-sessions") {
        state.sessions.retain(|session| session.email != user.email);
    }
    let token = match earlier {
        Some(token) if exchange.on("session-token-reused") => token,
        _ if exchange.on("session-token-of-16-bytes") => secrets::random_hex(16),
        _ if exchange.on("session-token-in-upper-case") => secrets::random_hex(32).to_uppercase(),
        _ => secrets::random_hex(32),
    };
    let minutes = match () {
        () if exchange.on("sessions-start-with-30-minutes") => 30,
        () if exchange.on("sessions-live-2-hours") => 120,
        () => 60,
    };
    state.sessions.push(Session {
        token: token.clone(),
        email: user.email.clone(),
        expires: now + minutes * MINUTE_MS,
    });
    let expires_in = exchange.pick("expires-in-a-day", 86_400, 3600);
    let mut tokens = json!({"sessionToken": token, "jwtToken": jwt::issue(exchange, user), "expiresIn": expires_in});
    if exchange.on("tokens-have-a-type") {
        tokens["tokenType"] = json!("Bearer");
    }
    tokens
}

/// The first login shape.
fn logged_in(exchange: &Exchange<'_>, user: &User, enabled: bool, tokens: &Value) -> Reply {
    let configured = user.two_factor.is_some();
    let enabled = match () {
        () if exchange.on("login-says-two-factor-once-configured") => configured,
        () if exchange.on("login-says-no-two-factor-when-trusted") => false,
        () => enabled,
    };
    let role = match &user.role {
        Value::String(role) if exchange.on("login-role-in-upper-case") => {
            json!(role.to_uppercase())
        }
        role => role.clone(),
    };
    let id = if exchange.on("login-id-without-prefix") { user.id.replace("user_", "") } else { user.id.clone() };
    let mut who = json!({"id": id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        who["nombre"] = nombre.clone();
    } else if exchange.reads("absent-nombre-is-null") {
        who["nombre"] = Value::Null;
    }
    if exchange.on("login-nombre-is-email") {
        who["nombre"] = json!(user.email);
    }
    who["role"] = role;
    who["permissions"] = json!(user.permissions);
    who["twoFactorEnabled"] = json!(enabled);
    if exchange.on("login-user-has-hash") {
        who["passwordHash"] = json!(user.password_hash);
    }
    if exchange.on("login-user-lacks-permissions") {
        drop_key(&mut who, "permissions");
    }
    let mut body = json!({"requiere2FA": exchange.on("login-requires-2fa-always"), SERVICE_KEY: who, "tokens": tokens});
    if exchange.on("login-has-mensaje") {
        body["mensaje"] = json!("Welcome");
    }
    let status = exchange.pick("login-is-201", 201, 200);
    exchange.dress(status).body(&body).done()
}
