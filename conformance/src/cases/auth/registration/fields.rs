//! Registrations that lack e-mail or password, or have something odd in their place.

use serde_json::{Value, json};

use super::{register, registration, registration_without};
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::http::reply::reading;

cases! { "registration";
    /// A registration without an e-mail is refused; the same with one is not.
    email_is_required judges ["registration/email-missing"];
    /// A registration without a password is refused, or makes a user nobody needs.
    password_may_be_required judges ["registration/password-missing"];
    /// An empty e-mail or password, or one that is no text, is refused, or stored.
    odd_emails_and_passwords_are_refused_or_stored judges ["registration/field-invalid"];
}

fn email_is_required(t: &Trial<'_>) -> Judged {
    let without = registration_without(t, "email");
    let mut with = without.clone();
    with["email"] = super::fresh_email(t).into();
    register(t, &with)?.prepared("registering with an e-mail", 201)?;
    for body in [without, json!({})] {
        register(t, &body)?.judge("registration/email-missing").status(400)?;
    }
    Ok(())
}

fn password_may_be_required(t: &Trial<'_>) -> Judged {
    let reply = register(t, &registration_without(t, "password"))?;
    reading(
        t,
        "registration/password-missing",
        &[("400", reply.status() == 400), ("201", reply.status() == 201)],
        format!("status {}", reply.status()),
    )
}

fn odd_emails_and_passwords_are_refused_or_stored(t: &Trial<'_>) -> Judged {
    // A password of its own, so that where such users are made no other case can take them for its own.
    let secret = t.unique("Clave");
    let odd = |field: &str, value: Value| registration(t, &json!({ "password": secret, field: value }));
    let bodies = [
        odd("email", json!("")),
        odd("email", json!(5)),
        odd("email", json!(null)),
        odd("email", json!(["a@example.test"])),
        odd("password", json!("")),
        odd("password", json!(5)),
        odd("password", json!(null)),
        odd("password", json!({ "texto": "clave" })),
    ];
    for body in bodies {
        let reply = register(t, &body)?;
        reading(
            t,
            "registration/field-invalid",
            &[("400", reply.status() == 400), ("201", reply.status() == 201)],
            format!("status {} for {body}", reply.status()),
        )?;
    }
    Ok(())
}
