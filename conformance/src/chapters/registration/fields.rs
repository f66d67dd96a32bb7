//! Registrations that lack e-mail or password, or have something odd in their place.

use super::bodies::{register, registration, registration_without};
use crate::chapters::prelude::*;

cases! { "registration";
    /// A registration without an e-mail is refused, or creates a user.
    email_may_be_required judges ["registration/email-missing"] needs [Need::Nameless] by required_or_not("email");
    /// A registration without a password is refused, or creates a user.
    password_may_be_required judges ["registration/password-missing"] by required_or_not("password");
    /// An empty e-mail or password, or one that is no text, is refused, or stored.
    odd_emails_and_passwords_are_refused_or_stored judges ["registration/field-invalid"] needs [Need::Nameless];
}

fn required_or_not(cx: &CaseContext<'_>, field: &str) -> CaseResult {
    let mut body = registration_without(cx, field);
    if field == "email" {
        body["password"] = users::NAMELESS_PASSWORD.into();
    }
    let reply = register(cx, &body)?;
    cx.observe(&[("400", reply.status() == 400), ("201", reply.status() == 201)], format!("status {}", reply.status()))
}

fn odd_emails_and_passwords_are_refused_or_stored(cx: &CaseContext<'_>) -> CaseResult {
    let secret = users::NAMELESS_PASSWORD;
    let odd = |field: &str, value: Value| registration(cx, &json!({ "password": secret, field: value }));
    let bodies = [
        odd("email", json!("")),
        odd("email", json!(5)),
        odd("email", json!(null)),
        odd("email", json!([users::NOBODY])),
        odd("password", json!("")),
        odd("password", json!(5)),
        odd("password", json!(null)),
        odd("password", json!({ "texto": "clave" })),
    ];
    for body in bodies {
        let reply = register(cx, &body)?;
        cx.observe(
            &[("400", reply.status() == 400), ("201", reply.status() == 201)],
            format!("status {} for {body}", reply.status()),
        )?;
    }
    Ok(())
}
