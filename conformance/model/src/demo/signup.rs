//! The registration route outline: POST /api/users/register.

use serde_json::{Value, json};

use super::answers::failure;
use crate::message::{Reply, Request};
use crate::refusals::EMAIL_TAKEN;
use crate::state::State;
use crate::steps::Steps;

/// Registers an e-mail with a password.
pub(crate) fn answer(steps: &Steps, state: &mut State, request: &Request) -> Reply {
    if request.method != "POST" {
        return failure(404, "Not found");
    }
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(400, "The body is not JSON");
    };
    let takes_password = (steps.demo.takes_signup_password)(sent.get("password"));
    let Some(email) = (steps.demo.signup_email)(sent.get("email")).filter(|_| takes_password) else {
        return failure(400, "an e-mail and a password of 8 characters or more are required");
    };
    if state.signups.iter().any(|(_, known)| *known == email) {
        return failure(400, EMAIL_TAKEN);
    }
    let taken: Vec<&str> = state.signups.iter().map(|(id, _)| id.as_str()).collect();
    let number = (steps.demo.new_signup_number)(request.now, taken.len());
    let id = (steps.demo.free_number)(number, &taken).to_string();
    state.signups.push((id.clone(), email.clone()));
    Reply::json(201, &json!({"id": id, "email": email}))
}
