//! Registration: POST /auth/registro.

use serde_json::{Value, json};

use super::body::fields;
use super::failure::{Failure, Outcome};
use super::request_context::RequestContext;
use crate::records::User;
use crate::refusals::USER_EXISTS;

/// POST /auth/registro
pub(crate) fn register(cx: &mut RequestContext<'_>) -> Outcome {
    let steps = &cx.steps.auth.registration;
    let sent = fields(cx)?;
    let email = (steps.email)(sent.get("email")).or_else(|| (cx.steps.auth.email)(&sent));
    let (Some(email), Some(password)) = (email, (steps.password)(sent.get("password"))) else {
        return Err(Failure::bad("email and password are required"));
    };
    if !(steps.email_form)(&email) {
        return Err(Failure::bad("this is no e-mail"));
    }
    let role = (steps.role)(sent.get("role")).ok_or_else(|| Failure::bad("there is no such role"))?;
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
    let answer = answer(&user);
    cx.state.users.push(user);
    Ok(cx.reply(201).body(&answer).build())
}

/// id, email and, if it was sent, nombre.
fn answer(user: &User) -> Value {
    let mut answer = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        answer["nombre"] = nombre.clone();
    }
    answer
}
