//! The registration route outline: POST /api/users/register.

use serde_json::{Value, json};

use super::super::secrets;
use super::super::world::World;
use super::{failure, reply};
use crate::impostor::http::{Reply, Request};

/// Registers an e-mail with a password.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let on = |fault: &str| world.faults.on(fault);
    if request.method != "POST" {
        return failure(world, 404, "Not found");
    }
    let refuse = |text: &str| {
        let key = if world.faults.reads("signup-says-message") { "message" } else { "error" };
        reply(world, 400, &json!({key: text}))
    };
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return if on("signup-malformed-is-500") { failure(world, 500, "Unexpected token") } else { refuse("no JSON") };
    };
    let email = match sent.get("email") {
        None if on("signup-without-email-accepted") => Some("nobody@example.org"),
        Some(Value::Number(_)) if on("signup-number-as-email-accepted") => Some("5@example.org"),
        other => other.and_then(Value::as_str).filter(|email| email.contains('@')),
    };
    let good_password = match sent.get("password") {
        None => on("signup-without-password-accepted"),
        Some(Value::String(password)) if world.faults.reads("signup-wants-a-digit") => {
            password.len() >= 10 && password.bytes().any(|b| b.is_ascii_digit())
        }
        Some(Value::String(password)) => password.chars().count() >= 8,
        Some(_) => on("signup-number-as-password-accepted"),
    };
    let (Some(email), true) = (email, good_password) else {
        return refuse("an e-mail and a password of 8 characters or more are required");
    };
    let mut state = world.lock();
    let taken = state.signups.iter().any(|user| user["email"] == email);
    if taken && !on("signup-duplicate-accepted") {
        return if on("signup-duplicate-is-409") {
            failure(world, 409, "taken")
        } else {
            refuse("the e-mail is taken")
        };
    }
    let id = (state.signups.len() + 1).to_string();
    let shown = if on("signup-lower-cases-email") { email.to_lowercase() } else { email.to_owned() };
    let key = if world.faults.reads("signup-says-user-id") { "userId" } else { "id" };
    let mut user = json!({key: id, "email": shown});
    if on("signup-answers-password") {
        user["password"] = sent["password"].clone();
    }
    if on("signup-answers-hash") {
        user["passwordHash"] = json!(secrets::sha256(sent["password"].as_str().unwrap_or_default()));
    }
    state.signups.push(json!({"email": email}));
    if on("signup-answers-no-id") {
        user = json!({"email": shown});
    }
    reply(world, world.faults.pick("signup-is-200", 200, 201), &user)
}
