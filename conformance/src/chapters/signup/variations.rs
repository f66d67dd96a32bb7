//! Variations of the chapter signup.

use libros_conformance_model::demo_fields::{email, takes_password};
use libros_conformance_model::refusals::EMAIL_TAKEN;
use libros_conformance_model::secrets::sha256;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "signup-is-200" breaks "signup/success": "A signup answers 200."
        => reply |request, reply| if is_registered(request, reply) { reply.status = 200 };
    "signup-answers-no-id" breaks "signup/success": "The answer to a signup has no identifier."
        => reply |request, reply| edit(request, reply, |user, _| *user = json!({"email": user["email"]}));
    "signup-masks-email" breaks "signup/success": "The answer to a signup has the e-mail without its first letters."
        => reply |request, reply| edit(request, reply, |user, _| edit_text(&mut user["email"], |email| format!("***{}", email.get(3..).unwrap_or_default())));
    "signup-answers-one-id" breaks "signup/identifier": "Every signup has the same identifier."
        => reply |request, reply| edit(request, reply, |user, _| user["id"] = json!("1"));
    "signup-identifier-is-the-email" breaks "signup/identifier": "The identifier of a signup contains the e-mail."
        => reply |request, reply| edit(request, reply, |user, _| user["id"] = json!(format!("user-{}", user["email"].as_str().unwrap_or_default())));
    "signup-identifier-is-long" breaks "signup/identifier": "The identifier of a signup has a hundred characters."
        => reply |request, reply| edit(request, reply, |user, _| user["id"] = json!(format!("{:0>100}", user["id"].as_str().unwrap_or_default())));
    "signup-answers-password" breaks "signup/password-unseen": "The answer to a signup has the password."
        => reply |request, reply| edit(request, reply, |user, sent| user["password"] = sent["password"].clone());
    "signup-answers-hash" breaks "signup/password-unseen": "The answer to a signup has the password's hash."
        => reply |request, reply| edit(request, reply, |user, sent| user["passwordHash"] = json!(sha256(sent["password"].as_str().unwrap_or_default())));
    "signup-duplicate-accepted" breaks "signup/duplicate-email": "A second signup with the same e-mail is accepted."
        => before |state, request| if is_signup(request) { state.signups.iter_mut().for_each(|(_, email)| email.clear()) };
    "signups-race" breaks "signup/duplicate-email": "Several concurrent signups with one e-mail succeed."
        => race |world, request, answer| at_once(world, request, answer, registered_email, |state, request, answer| {
            adding_unseen(state, request, answer, |state| &mut state.signups)
        });
    "signup-duplicate-is-409" breaks "signup/duplicate-email": "A second signup with the same e-mail answers 409."
        => reply |_request, reply| if reply.refuses_with(EMAIL_TAKEN) { reply.status = 409 };
    "signup-compares-the-end-of-emails" breaks "signup/success": "A signup whose e-mail is the end of a registered one is refused."
        => before |state, request| if is_signup(request) { request.edit(|sent| edit_text(&mut sent["email"], |own| state.signups.iter().find(|(_, known)| known.ends_with(own)).map_or(own, |(_, known)| known).to_owned())) };
    "signup-without-email-accepted" breaks "signup/email-missing": "A signup without an e-mail is accepted."
        => steps |s| s.demo.signup_email =
            |sent| if sent.is_none() { Some("nobody@example.org".to_owned()) } else { email(sent) };
    "signup-without-password-accepted" breaks "signup/password-missing": "A signup without a password is accepted."
        => steps |s| s.demo.takes_signup_password = |sent| sent.is_none() || takes_password(sent);
    "signup-list-as-email-accepted" breaks "signup/wrong-type": "A signup with a list as the e-mail is accepted."
        => steps |s| s.demo.signup_email =
            |sent| if sent.is_some_and(Value::is_array) { Some("5@example.org".to_owned()) } else { email(sent) };
    "signup-password-of-any-type-accepted" breaks "signup/wrong-type": "A signup with a password of any type is accepted."
        => steps |s| s.demo.takes_signup_password =
            |sent| if sent.is_some_and(Value::is_string) { takes_password(sent) } else { sent.is_some() };
    "signup-malformed-is-500" breaks "signup/wrong-type": "A signup with malformed JSON answers 500."
        => reply |request, reply| if is_signup(request) && serde_json::from_slice::<Value>(&request.body).is_err() { reply.status = 500 };
    "signup-lists-errors" by "signup/error-body": "A refused signup has a list of errors."
        => reply |request, reply| if is_signup(request) && reply.status == 400 { reply.edit(|body| *body = json!({"errors": [{"msg": body["error"]}]})) };
    "signup-says-message" by "signup/error-body": "A refused signup says message instead of error."
        => reply |request, reply| if is_signup(request) && reply.status == 400 { reply.edit(|body| rename(body, "error", "message")) };
    "signup-says-user-id" by silence: "The identifier of a signup is under userId."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(|body| rename(body, "id", "userId")) };
    "signup-says-identifier" by silence: "The identifier of a signup is under identificador, beside a message."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(with_identifier) };
    "signup-says-user-id-outside" by silence: "The identifier of a signup is under user_id, beside the user object."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(with_identifier_outside) };
    "signup-wants-a-digit" by "signup/validity": "A signup needs a password of ten characters with a digit."
        => steps |s| s.demo.takes_signup_password = |sent| {
            let has_digit = |password: &str| password.len() >= 10 && password.bytes().any(|b| b.is_ascii_digit());
            sent.and_then(Value::as_str).is_some_and(has_digit)
        };
    "clock-ids-of-registrations" by silence: "Identifiers of signups are the clock in milliseconds; the later of two in one millisecond replaces the first."
        => steps |s| {
            s.demo.new_signup_number = |now, _| now;
            s.demo.free_number = |number, _| number;
        }
        => after |state, request, _reply| replace_same_ids(state, request);
};

fn is_signup(request: &Request) -> bool {
    request.method == "POST" && request.path == "/api/users/register"
}

fn is_registered(request: &Request, reply: &Reply) -> bool {
    is_signup(request) && reply.status == 201
}

/// Changes the answer to a registration; `change` gets the request's body too.
fn edit(request: &Request, reply: &mut Reply, change: fn(&mut Value, &Value)) {
    if is_registered(request, reply) {
        let sent = serde_json::from_slice(&request.body).unwrap_or_default();
        reply.edit(|user| change(user, &sent));
    }
}

fn rename(body: &mut Value, from: &str, to: &str) {
    let fields = body.as_object_mut().map(mem::take).unwrap_or_default();
    *body = fields.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
}

fn with_identifier(body: &mut Value) {
    rename(body, "id", "identificador");
    body["mensaje"] = json!("Registered");
}

fn with_identifier_outside(body: &mut Value) {
    // Another reading may have called it otherwise.
    if let Some(id) = body.get("id") {
        *body = json!({"user_id": id, "user": {"email": body["email"]}});
    }
}
