//! Bodies of registrations, and what a login after one answers.

use crate::chapters::prelude::*;

/// A registration nothing can be said against, with these fields added or put in place of its own.
pub(crate) fn registration(cx: &CaseContext<'_>, fields: &Value) -> Value {
    let mut body = json!({ "email": users::email(cx, "alta"), "password": PASSWORD, "nombre": "Prueba" });
    if let (Some(body), Some(fields)) = (body.as_object_mut(), fields.as_object()) {
        body.extend(fields.clone());
    }
    body
}

/// The same without one of its fields.
pub(crate) fn registration_without(cx: &CaseContext<'_>, field: &str) -> Value {
    let mut body = registration(cx, &json!({}));
    if let Some(body) = body.as_object_mut() {
        body.remove(field);
    }
    body
}

/// Sends a registration, without any credential.
pub(crate) fn register(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    cx.post("/auth/registro").json(body).send()
}

/// The answer to the login that a registration makes possible.
pub(crate) fn login_after(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    let text = |field: &str| body[field].as_str().unwrap_or_default();
    users::try_log_in(cx, text("email"), text("password"))
}

/// Registers, logs in, and answers the login's answer, which is there to be judged.
pub(crate) fn registered_and_logged_in(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    register(cx, body)?.prepared("registering a user", 201)?;
    login_after(cx, body)?.prepared("logging in", 200)
}
