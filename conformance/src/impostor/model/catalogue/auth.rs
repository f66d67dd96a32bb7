//! The /auth routes and registration. Login, verification and API keys have files of their own.

use serde_json::{Map, Value, json};

use super::super::js;
use super::super::state::User;
use super::body::{fields, text};
use super::failure::Failure;
use super::guard::guard;
use super::{Exchange, Outcome, api_keys, login, verify};

/// Answers a request whose path starts with /auth.
pub(crate) fn answer(exchange: &Exchange<'_>, path: &str) -> Outcome {
    let method = exchange.request.method.as_str();
    let path = if exchange.reads("trailing-slash-passes") { path.trim_end_matches('/') } else { path };
    match (method, path) {
        ("POST", "/auth/registro") => register(exchange),
        ("POST", "/auth/login") => login::login(exchange),
        ("GET", "/auth/verify-2fa") if exchange.on("verify-get-is-404") => Err(Failure::unknown_path()),
        ("PUT", "/auth/verify-2fa") if exchange.on("verify-put-verifies") => verify::verify(exchange),
        ("POST", "/auth/verify-2fa") => verify::verify(exchange),
        (_, "/auth/verify-2fa") => Err(Failure::not_allowed()),
        ("POST", "/auth/api-keys") => api_keys::create(exchange),
        ("GET", "/auth/api-keys") => api_keys::list(exchange),
        (_, "/auth/registro" | "/auth/login" | "/auth/api-keys") if exchange.reads("auth-wrong-method-is-405") => {
            Err(Failure::not_allowed())
        }
        _ if exchange.on("auth-prefix-without-slash-is-401") && !path.starts_with("/auth/") => {
            guard(exchange, Some("manage:users"))?;
            Err(Failure::unknown_path())
        }
        _ if exchange.on("auth-unknown-path-is-400") => Err(Failure::bad("unknown operation")),
        _ if exchange.on("auth-unknown-path-needs-credential") => {
            guard(exchange, None)?;
            Err(Failure::unknown_path())
        }
        _ => Err(Failure::unknown_path()),
    }
}

fn register(exchange: &Exchange<'_>) -> Outcome {
    if exchange.on("registration-needs-credential") {
        guard(exchange, None)?;
    }
    let sent = fields(exchange)?;
    if exchange.on("registration-without-email-accepted") && !sent.contains_key("email") {
        return Ok(exchange.dress(201).body(&json!({"id": "user_0"})).done());
    }
    let odd = |name: &str| {
        let accepted = exchange.reads("odd-registration-accepted");
        sent.get(name).filter(|value| accepted && !value.is_null()).map(js::text_of)
    };
    let given = |name: &str| text(&sent, name).map(str::to_owned).or_else(|| odd(name));
    let optional = || exchange.reads("password-optional").then(String::new);
    let password = given("password").or_else(|| optional().filter(|_| !sent.contains_key("password")));
    let (Some(email), Some(password)) = (given("email"), password) else {
        return Err(Failure::bad("email and password are required"));
    };
    let (email, password) = (email.as_str(), password.as_str());
    if exchange.reads("email-form-checked") && !email.contains('@') {
        return Err(Failure::bad("this is no e-mail"));
    }
    let mut state = exchange.lock();
    let same = |user: &User| user.email.to_lowercase() == email.to_lowercase();
    let alike = exchange.reads("emails-taken-in-any-case") && state.users.iter().any(same);
    if (state.user(email).is_some() || alike) && !exchange.on("taken-email-accepted") {
        if exchange.on("taken-email-overwrites-password")
            && let Some(user) = state.user_mut(email)
        {
            user.password_hash = login::hashed(exchange, password);
        }
        let status = exchange.pick("taken-email-is-409", 409, 400);
        return Err(Failure::new(status, "User already exists"));
    }
    // The lock is held from the look-up to the push, or two registrations of one e-mail would both win.
    let mut state = exchange.world.yield_if("registrations-race", state);
    let user = new_user(exchange, &sent, email, password, state.users.len())?;
    let mut answer = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        answer["nombre"] = nombre.clone();
    } else if exchange.reads("absent-nombre-is-null") {
        answer["nombre"] = Value::Null;
    }
    if exchange.on("registration-answers-role") {
        answer["role"] = user.role.clone();
    }
    if exchange.on("registration-answers-hash") {
        answer["passwordHash"] = json!(user.password_hash);
    }
    if exchange.on("registration-echoes-no-nombre") {
        answer["nombre"] = Value::Null;
    }
    state.users.push(user);
    drop(state);
    let status = exchange.pick("registration-is-200", 200, 201);
    Ok(exchange.dress(status).body(&answer).done())
}

fn new_user(
    exchange: &Exchange<'_>,
    sent: &Map<String, Value>,
    email: &str,
    password: &str,
    known: usize,
) -> Result<User, Failure> {
    let role = match sent.get("role") {
        None => default_role(exchange),
        Some(Value::String(role)) if role.is_empty() && exchange.reads("empty-role-refused") => {
            return Err(Failure::bad("role is empty"));
        }
        Some(Value::String(role)) if role.is_empty() => default_role(exchange),
        Some(role) if !role.is_string() && exchange.reads("odd-role-refused") => {
            return Err(Failure::bad("role must be a text"));
        }
        Some(Value::Null) => default_role(exchange),
        Some(role) => role.clone(),
    };
    let in_table = matches!(role.as_str(), Some("admin" | "user" | "moderator"));
    if !in_table && exchange.on("unknown-role-refused") {
        return Err(Failure::bad("there is no such role"));
    }
    if role == "admin" && exchange.on("admin-registration-needs-credential") {
        guard_unlocked(exchange)?;
    }
    let role = if role == "admin" && exchange.on("admin-registered-as-user") { json!("user") } else { role };
    let role = if !in_table && exchange.reads("unknown-role-stored-as-user") { json!("user") } else { role };
    let mut permissions = role_permissions(exchange, role.as_str().unwrap_or_default());
    if exchange.on("registration-takes-permissions")
        && let Some(sent) = sent.get("permissions")
    {
        permissions = serde_json::from_value(sent.clone()).unwrap_or_default();
    }
    let sent_inactive = sent.get("isActive").is_some_and(|sent| !js::truthy(sent));
    let inactive = exchange.on("new-user-inactive") || exchange.on("registration-takes-is-active") && sent_inactive;
    Ok(User {
        id: user_id(exchange, sent, known),
        email: if exchange.on("registration-lower-cases-email") { email.to_lowercase() } else { email.to_owned() },
        password_hash: login::hashed(exchange, password),
        nombre: sent.get("nombre").cloned(),
        role,
        permissions,
        active: !inactive,
        two_factor: None,
    })
}

/// The slip of asking for a credential where none is needed, told without touching the locked state.
fn guard_unlocked(exchange: &Exchange<'_>) -> Result<(), Failure> {
    let sent = exchange.request.header("authorization").or(exchange.request.header("x-api-key"));
    sent.map(|_| ()).ok_or(Failure::denied("NO_AUTENTICADO", "Authentication required"))
}

fn default_role(exchange: &Exchange<'_>) -> Value {
    json!(exchange.pick("default-role-is-moderator", "moderator", "user"))
}

fn user_id(exchange: &Exchange<'_>, sent: &Map<String, Value>, known: usize) -> String {
    if let Some(id) = sent.get("id").and_then(Value::as_str).filter(|_| exchange.on("registration-takes-id")) {
        return id.to_owned();
    }
    if exchange.on("user-id-is-bare") {
        return (known + 1).to_string();
    }
    if exchange.on("user-id-is-clock-in-seconds") {
        return format!("user_{}", exchange.now() / 1000);
    }
    let jump = if exchange.reads("numbers-of-ids-jump") { 1000 + known * 7 } else { 1 };
    format!("user_{}", known + jump)
}

/// What a role may do; a role outside the table may do what `user` may.
fn role_permissions(exchange: &Exchange<'_>, role: &str) -> Vec<String> {
    let permissions: &[&str] = match role {
        "admin" if exchange.on("admin-lacks-manage-keys") => {
            &["read:libros", "write:libros", "delete:libros", "manage:users"]
        }
        "admin" => &["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"],
        "moderator" if exchange.on("moderator-cannot-delete") => &["read:libros", "write:libros"],
        "moderator" => &["read:libros", "write:libros", "delete:libros"],
        "user" if exchange.on("user-may-write") => &["read:libros", "write:libros"],
        "user" => &["read:libros"],
        _ if exchange.on("unknown-role-may-nothing") => &[],
        _ if exchange.on("unknown-role-may-write") => &["read:libros", "write:libros"],
        _ => &["read:libros"],
    };
    permissions.iter().map(|permission| (*permission).to_owned()).collect()
}
