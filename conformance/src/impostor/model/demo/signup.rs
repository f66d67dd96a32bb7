//! The registration route outline: POST /api/users/register.

use serde_json::{Value, json};

use super::super::world::World;
use super::{failure, new_id, policy, reply};
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::demo::TakenId;

/// Registers an e-mail with a password.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let taken_id = policy(world).taken_id;
    let policy = &policy(world).signup;
    if request.method != "POST" {
        return failure(world, 404, "Not found");
    }
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, 400, "The body is not JSON");
    };
    let email = policy.email.unwrap_or(email)(sent.get("email"));
    let takes_password = policy.takes_password.unwrap_or(takes_password)(sent.get("password"));
    let Some(email) = email.filter(|_| takes_password) else {
        return failure(world, 400, "an e-mail and a password of 8 characters or more are required");
    };
    let mut state = world.lock();
    let is_taken = state.signups.iter().any(|(_, known)| *known == email);
    if let Some(status) = policy.taken_email.filter(|_| is_taken) {
        return failure(world, status, "the e-mail is taken");
    }
    let signups = &mut state.signups;
    let id = new_id(world, policy.new_id, signups.len(), |id| signups.iter().any(|(known, _)| known == id));
    if taken_id == TakenId::TakesItsPlace {
        signups.retain(|(known, _)| *known != id);
    }
    signups.push((id.clone(), email.clone()));
    reply(world, 201, &json!({"id": id, "email": email}))
}

/// The e-mail sent, if it is one.
pub(crate) fn email(sent: Option<&Value>) -> Option<String> {
    sent?.as_str().filter(|email| email.contains('@')).map(str::to_owned)
}

/// Whether this is a password.
pub(crate) fn takes_password(sent: Option<&Value>) -> bool {
    sent.and_then(Value::as_str).is_some_and(|password| password.chars().count() >= 8)
}
