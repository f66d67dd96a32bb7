//! Registrations that are refused, each beside one that is not.

use super::bodies::{PATH, REGISTRATION, fresh_email, register, registration, whole};
use crate::chapters::prelude::*;
use crate::fixture::demo::{accepted, is_success};

cases! { "signup";
    /// An e-mail registered before is 400, with the same password and with another; another e-mail is not.
    registered_email_is_400 judges ["signup/duplicate-email"] needs [REGISTRATION];
    /// Of registrations of one e-mail at the same moment one succeeds.
    email_is_registered_once_however_many_try judges ["signup/duplicate-email"] needs [REGISTRATION, Need::UsersAtOnce];
    /// Without an e-mail, or with a body that is no object, 400.
    email_is_required judges ["signup/email-missing"] needs [REGISTRATION];
    /// Without a password, 400.
    password_is_required judges ["signup/password-missing"] needs [REGISTRATION];
    /// An e-mail that is not a text is 400.
    email_is_a_text judges ["signup/wrong-type"] needs [REGISTRATION];
    /// A password that is not a text is 400.
    password_is_a_text judges ["signup/wrong-type"] needs [REGISTRATION];
    /// A body that is not JSON is 400.
    body_is_json judges ["signup/wrong-type"] needs [REGISTRATION];
    /// Text after the JSON makes a body malformed: 400.
    text_after_the_json_is_refused judges ["errors/text-after-json"] needs [REGISTRATION];
    /// Email and Password are other keys than email and password, 400, or the same.
    letter_case_counts_in_keys judges ["signup/key-case"] needs [REGISTRATION];
    /// E-mails without an at sign and short passwords are 400, or accepted.
    further_checks_are_open judges ["signup/validity"] needs [REGISTRATION];
    /// Keys that the documents do not name: passed over, or refused.
    further_keys_are_open judges ["signup/further-keys"] needs [REGISTRATION];
    /// How short a password may be.
    how_short_a_password_may_be judges ["signup/validity"] needs [REGISTRATION];
    /// A 400 carries a message.
    refusal_carries_a_message judges ["signup/error-body"] needs [REGISTRATION];
}

fn registered_email_is_400(cx: &CaseContext<'_>) -> CaseResult {
    let body = whole(cx);
    accepted(register(cx, &body)?, "registering")?;
    let other_password = json!({ "email": body["email"], "password": format!("{PASSWORD}-2") });
    for again in [&body, &other_password] {
        register(cx, again)?.check().status(400)?;
    }
    accepted(register(cx, &whole(cx))?, "registering another e-mail")?;
    register(cx, &body)?.check().status(400).map(drop)
}

fn email_is_registered_once_however_many_try(cx: &CaseContext<'_>) -> CaseResult {
    const AT_ONCE: usize = 6;
    let body = whole(cx);
    let replies = concurrency::simultaneously(AT_ONCE, |_| register(cx, &body))?;
    let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    let successes = replies.iter().filter(|reply| is_success(reply)).count();
    let refused = statuses.iter().filter(|status| **status == 400).count();
    if successes == 0 {
        // That a new e-mail is accepted has cases of its own.
        return Err(CaseError::blocked("registering", format!("{statuses:?}")));
    }
    cx.check(
        successes == 1 && refused == AT_ONCE - 1,
        "statuses of registrations of one e-mail at the same moment",
        "201 once, 400 for the others",
        format!("{statuses:?}"),
    )
    .seen_in(replies.iter().filter(|reply| reply.status() != 400).take(2))
}

/// A whole registration is accepted; each of these is 400.
fn refuses(cx: &CaseContext<'_>, bodies: &[Value]) -> CaseResult {
    accepted(register(cx, &whole(cx))?, "registering")?;
    for body in bodies {
        registration(cx, body).to_fail().send()?.check().status(400)?;
    }
    Ok(())
}

fn email_is_required(cx: &CaseContext<'_>) -> CaseResult {
    let bodies = [
        json!({ "password": PASSWORD }),
        json!({ "password": PASSWORD, "correo": fresh_email(cx) }),
        json!([]),
        json!("alta@example.com"),
    ];
    refuses(cx, &bodies)
}

fn password_is_required(cx: &CaseContext<'_>) -> CaseResult {
    let bodies = [json!({ "email": fresh_email(cx) }), json!({ "email": fresh_email(cx), "clave": PASSWORD })];
    refuses(cx, &bodies)
}

fn email_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    // A reader may take a number or a boolean for its text, and a list of one text for that text.
    let emails = [json!(null), json!([]), json!([fresh_email(cx), "x"]), json!({ "email": fresh_email(cx) })];
    let bodies = emails.map(|email| json!({ "email": email, "password": PASSWORD }));
    refuses(cx, &bodies)
}

fn password_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let passwords = [json!(null), json!([]), json!([PASSWORD, "x"]), json!({ "password": PASSWORD })];
    let bodies = passwords.map(|password| json!({ "email": fresh_email(cx), "password": password }));
    refuses(cx, &bodies)
}

fn send_text(cx: &CaseContext<'_>, body: &str) -> Result<Reply, CaseError> {
    cx.request_at(Interface::Registration, "POST", PATH).json_text(body.as_bytes()).to_fail().send()
}

fn body_is_json(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    let text = whole(cx).to_string();
    let bodies =
        [text[..text.len() - 1].to_owned(), format!("email={}&password={PASSWORD}", fresh_email(cx)), String::new()];
    for body in bodies {
        send_text(cx, &body)?.check().status(400)?;
    }
    Ok(())
}

fn text_after_the_json_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    send_text(cx, &format!("{} x", whole(cx)))?.check().status(400).map(drop)
}

fn letter_case_counts_in_keys(cx: &CaseContext<'_>) -> CaseResult {
    let bodies = [
        json!({ "Email": fresh_email(cx), "password": PASSWORD }),
        json!({ "email": fresh_email(cx), "Password": PASSWORD }),
    ];
    accepted(register(cx, &whole(cx))?, "registering")?;
    for body in bodies {
        let reply = register(cx, &body)?;
        let readings = [("distinct", reply.status() == 400), ("same", is_success(&reply))];
        cx.observe(&readings, reply.summary()).seen_in([&reply])?;
    }
    Ok(())
}

fn further_keys_are_open(cx: &CaseContext<'_>) -> CaseResult {
    let body = json!({ "email": fresh_email(cx), "password": PASSWORD, "idioma": "es" });
    let reply = register(cx, &body)?;
    cx.observe(&[("passed-over", is_success(&reply)), ("400", reply.status() == 400)], reply.status())
}

fn further_checks_are_open(cx: &CaseContext<'_>) -> CaseResult {
    let no_at_sign = fresh_email(cx).replace('@', ".");
    let bodies = [
        json!({ "email": no_at_sign, "password": PASSWORD }),
        json!({ "email": "", "password": PASSWORD }),
        json!({ "email": fresh_email(cx), "password": "" }),
        json!({ "email": fresh_email(cx), "password": "a" }),
        json!({ "email": fresh_email(cx), "password": "aaaaaaaa" }),
    ];
    for body in bodies {
        let reply = register(cx, &body)?;
        let readings = [("400", reply.status() == 400), ("accepted", is_success(&reply))];
        cx.observe(&readings, format!("{body}: {} {}", reply.status(), brief(&reply.received().text())))?;
    }
    Ok(())
}

/// Letters, digits and signs mixed, so that length is all that is wrong with it.
fn how_short_a_password_may_be(cx: &CaseContext<'_>) -> CaseResult {
    const CHARS_MOST: usize = 16;
    let mixed: String = "aB3$xY7%kM9&qR2!".chars().take(CHARS_MOST).collect();
    for chars in 1..=CHARS_MOST {
        let reply = register(cx, &json!({ "email": fresh_email(cx), "password": mixed[..chars] }))?;
        if is_success(&reply) {
            return cx.tell(format!("passwords of {chars} characters"));
        }
        let told = format!("{chars} characters: {}", reply.status());
        reply.check().that(reply.status() == 400, "a short password", "400 or a success", told)?;
    }
    cx.tell("no password of 16 characters")
}

/// Whether it has a text that is not empty.
fn has_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(has_text),
        Value::Object(fields) => fields.values().any(has_text),
        _ => false,
    }
}

fn refusal_carries_a_message(cx: &CaseContext<'_>) -> CaseResult {
    let taken = whole(cx);
    accepted(register(cx, &taken)?, "registering")?;
    let bodies = [
        taken,
        json!({ "password": PASSWORD }),
        json!({ "email": fresh_email(cx) }),
        json!({ "email": null, "password": PASSWORD }),
    ];
    for body in bodies {
        let reply = register(cx, &body)?.prepared("being refused", 400)?;
        let json = reply.json();
        let is_under = |key: &str| json.get(key).is_some_and(has_text);
        let is_alone = json.as_object().is_some_and(|object| object.len() == 1);
        let readings =
            [("error", is_under("error") && is_alone), ("message", is_under("message")), ("other", has_text(&json))];
        cx.observe(&readings, brief(&reply.received().text()))?;
    }
    Ok(())
}
