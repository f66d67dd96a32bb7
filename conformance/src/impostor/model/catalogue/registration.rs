//! Registration: POST /auth/registro.

use serde_json::{Value, json};

use super::super::records::User;
use super::super::refusals::USER_EXISTS;
use super::super::state::State;
use super::body::{email, fields};
use super::failure::{Failure, Outcome};
use super::guard::{guard, open_route};
use super::request_context::RequestContext;

/// POST /auth/registro
pub(crate) fn register(cx: &RequestContext<'_>) -> Outcome {
    let policy = &cx.policy().auth.registration;
    open_route(cx, policy.access)?;
    let sent = fields(cx)?;
    let email = (policy.email)(sent.get("email")).or_else(|| email(cx, &sent).map(str::to_owned));
    let (Some(email), Some(password)) = (email, (policy.password)(sent.get("password"))) else {
        return Err(Failure::bad("email and password are required"));
    };
    if !(policy.email_form)(&email) {
        return Err(Failure::bad("this is no e-mail"));
    }
    let role = (policy.role)(sent.get("role")).ok_or_else(|| Failure::bad("there is no such role"))?;
    if role == "admin" && policy.admin_needs_credential {
        guard(cx, None)?;
    }
    // The lock is held from the look-up to the push, or two registrations of one e-mail would both win.
    let mut state = cx.lock();
    check_not_taken(cx, &mut state, &email, &password)?;
    let mut state = cx.world.for_write(policy.lock, state);
    let permissions = (policy.permissions_of)(role.as_str().unwrap_or_default());
    let mut user = User {
        id: (policy.id)(state.users.len(), cx.now()),
        email,
        password_hash: (cx.policy().auth.password_hash)(&password),
        nombre: sent.get("nombre").cloned(),
        permissions: permissions.iter().map(|permission| (*permission).to_owned()).collect(),
        role,
        active: true,
        two_factor: None,
    };
    (policy.further_fields)(&mut user, &sent);
    let answer = answer(&user);
    state.users.push(user);
    drop(state);
    Ok(cx.reply(201).body(&answer).build())
}

fn check_not_taken(cx: &RequestContext<'_>, state: &mut State, email: &str, password: &str) -> Result<(), Failure> {
    let policy = &cx.policy().auth;
    let Some(user) = state.users.iter_mut().find(|user| (policy.registration.same_email)(&user.email, email)) else {
        return Ok(());
    };
    if policy.registration.refusal_changes_password {
        user.password_hash = (policy.password_hash)(password);
    }
    Err(Failure::bad(USER_EXISTS))
}

/// id, email and, if it was sent, nombre.
fn answer(user: &User) -> Value {
    let mut answer = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        answer["nombre"] = nombre.clone();
    }
    answer
}
