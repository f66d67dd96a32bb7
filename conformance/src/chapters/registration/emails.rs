//! The e-mail as the key of users, and registrations that lack e-mail or password.

use super::answers::{login_after, register, registration, registration_without};
use crate::chapters::prelude::*;

cases! { "registration";
    /// Registering an e-mail again is refused, with the same body, with another, and for the initial users; a new one is not.
    taken_email_is_refused judges ["registration/email-taken"] => |cx| {
        let first = registration(cx, &json!({}));
        register(cx, &first)?.prepared("registering a user", 201)?;
        let other = rival_of(&first);
        let initial = registration(cx, &json!({ "email": cx.target().credentials.regular_user.email }));
        [first, other, initial].iter().try_for_each(|body| register(cx, body)?.check().status(400).map(drop))?;
        register(cx, &registration(cx, &json!({})))?.prepared("registering another e-mail", 201).map(drop)
    };
    /// A refused registration changes neither password, name nor role of the first user.
    refused_registration_leaves_the_first_user judges ["registration/email-taken-keeps-first"] => |cx| {
        let first = registration(cx, &json!({ "role": "moderator", "nombre": "Primera" }));
        let registered = register(cx, &first)?.prepared("registering a user", 201)?;
        let other = rival_of(&first);
        register(cx, &other)?.prepared("being refused an e-mail that is taken", 400)?;

        login_after(cx, &first)?
            .check()
            .status(200)?
            .at(&users::principal_field(cx, "id"), &registered.at("/id").unwrap_or_default())?
            .at(&users::principal_field(cx, "nombre"), &json!("Primera"))?
            .at(&users::principal_field(cx, "role"), &json!("moderator"))?;
        login_after(cx, &other)?.check().status(400).map(drop)
    };
    /// Of many registrations of one e-mail at the same moment one alone succeeds, and its password is the one that counts.
    one_of_many_at_once_wins judges ["registration/email-one-winner"];
    /// An e-mail in other letter case is another user's, or the same.
    letter_case_of_an_email_counts_or_not judges ["registration/email-case"] => |cx| {
        let first = registration(cx, &json!({}));
        register(cx, &first)?.prepared("registering a user", 201)?;
        let shouted = first["email"].as_str().unwrap_or_default().to_uppercase();
        let reply = register(cx, &registration(cx, &json!({ "email": shouted })))?;
        cx.observe(&[("different", reply.is(201)), ("same", reply.is(400))], format!("status {}", reply.status()))
    };
    /// An e-mail without an at sign is accepted, or refused.
    form_of_an_email_is_checked_or_not judges ["registration/email-form"] => |cx| {
        let reply = register(cx, &registration(cx, &json!({ "email": cx.unique("sin-arroba") })))?;
        cx.observe(&[("201", reply.is(201)), ("400", reply.is(400))], format!("status {}", reply.status()))
    };
    /// A registration without an e-mail is refused, or creates a user.
    email_may_be_required judges ["registration/email-missing"] needs [Need::Nameless] by required_or_not("email");
    /// A registration without a password is refused, or creates a user.
    password_may_be_required judges ["registration/password-missing"] by required_or_not("password");
    /// An empty e-mail or password, or one that is no text, is refused, or stored.
    odd_emails_and_passwords_are_refused_or_stored judges ["registration/field-invalid"] needs [Need::Nameless];
}

/// Another registration of the same e-mail.
fn rival_of(first: &Value) -> Value {
    json!({ "email": first["email"], "password": "Otra-clave-larga-2026!", "nombre": "Segunda", "role": "admin" })
}

fn one_of_many_at_once_wins(cx: &CaseContext<'_>) -> CaseResult {
    // Few enough for a target that hashes slowly, one password at a time.
    const RIVALS: usize = 6;
    let email = users::email(cx, "alta");
    let body_of =
        |rival: usize| json!({ "email": email, "password": format!("Una-clave-larga-{rival:02}!"), "nombre": "Rival" });
    let replies = concurrency::simultaneously(RIVALS, |rival| register(cx, &body_of(rival)))?;
    let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    let winners: Vec<usize> = (0..RIVALS).filter(|&rival| statuses[rival] == 201).collect();
    let [winner] = winners[..] else {
        let shown = winners.iter().take(2).map(|winner| &replies[*winner]);
        return cx.check(false, "statuses of the answers", "one 201", format!("{statuses:?}")).seen_in(shown);
    };
    let loser = (winner + 1) % RIVALS;
    login_after(cx, &body_of(winner))?.check().status(200)?;
    login_after(cx, &body_of(loser))?.check().status(400).map(drop)
}

fn required_or_not(cx: &CaseContext<'_>, field: &str) -> CaseResult {
    let mut body = registration_without(cx, field);
    if field == "email" {
        body["password"] = users::NAMELESS_PASSWORD.into();
    }
    let reply = register(cx, &body)?;
    cx.observe(&[("400", reply.is(400)), ("201", reply.is(201))], format!("status {}", reply.status()))
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
        cx.observe(&[("400", reply.is(400)), ("201", reply.is(201))], format!("status {} for {body}", reply.status()))?;
    }
    Ok(())
}
