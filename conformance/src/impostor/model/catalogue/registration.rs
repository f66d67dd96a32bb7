//! Registration: POST /auth/registro.

use serde_json::{Value, json};

use super::super::records::User;
use super::super::refusals::USER_EXISTS;
use super::super::state::State;
use super::body::{email, fields};
use super::failure::{Failure, Outcome};
use super::guard::{guard, open_route};
use super::request_context::RequestContext;
use crate::impostor::policy::auth::TakenEmail;

/// POST /auth/registro
pub(crate) fn register(cx: &RequestContext<'_>) -> Outcome {
    let policy = &cx.policy().auth.registration;
    open_route(cx, policy.access)?;
    let sent = fields(cx)?;
    let email = (policy.required)(sent.get("email")).or_else(|| email(cx, &sent).map(str::to_owned));
    let password = match sent.get("password") {
        None if policy.password_optional => Some(String::new()),
        sent => (policy.required)(sent),
    };
    let (Some(email), Some(password)) = (email, password) else {
        return Err(Failure::bad("email and password are required"));
    };
    if !(policy.email_form)(&email) {
        return Err(Failure::bad("this is no e-mail"));
    }
    let role = role(cx, sent.get("role"))?;
    if role == "admin" && policy.admin_needs_credential {
        guard(cx, None)?;
    }
    // The lock is held from the look-up to the push, or two registrations of one e-mail would both win.
    let mut state = cx.lock();
    check_not_taken(cx, &mut state, &email, &password)?;
    let mut state = cx.world.for_write(policy.lock, state);
    let number = (policy.number)(state.users.len(), cx.now());
    let mut user = User {
        id: format!("{}{number}", policy.id_prefix),
        email,
        password_hash: (cx.policy().auth.password_hash)(&password),
        nombre: sent.get("nombre").cloned(),
        permissions: policy.roles.of(&role),
        role,
        active: policy.active_at_once,
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
    match policy.registration.taken_email {
        TakenEmail::Refused => {}
        TakenEmail::RefusedWithNewPassword => user.password_hash = (policy.password_hash)(password),
        TakenEmail::Accepted => return Ok(()),
    }
    Err(Failure::bad(USER_EXISTS))
}

/// The role as sent; `user` when none is.
fn role(cx: &RequestContext<'_>, sent: Option<&Value>) -> Result<Value, Failure> {
    let policy = &cx.policy().auth.registration;
    let default = || json!(policy.default_role);
    let Some(sent) = sent.filter(|sent| !sent.is_null()).cloned() else {
        return Ok(default());
    };
    let odd = match sent.as_str() {
        Some("admin" | "user" | "moderator") => return Ok(sent),
        Some("") => policy.empty_role,
        Some(_) => policy.unknown_role,
        None => policy.odd_role,
    };
    odd.settle(sent, default).ok_or_else(|| Failure::bad("there is no such role"))
}

/// id, email and, if it was sent, nombre.
fn answer(user: &User) -> Value {
    let mut answer = json!({"id": user.id, "email": user.email});
    if let Some(nombre) = &user.nombre {
        answer["nombre"] = nombre.clone();
    }
    answer
}
