//! Registrations that are accepted: what they answer, and what they leave alone.

use serde_json::Map;

use super::bodies::{REGISTRATION, fresh_email, register, registration, whole};
use crate::chapters::prelude::*;
use crate::chapters::users::interface::credentials_change_nothing;
use crate::fixture::demo::accepted;

cases! { "signup";
    /// A new e-mail with a good password is 201, with an identifier and the e-mail.
    registration_is_201 judges ["signup/success"] needs [REGISTRATION];
    /// An e-mail with capitals before the at sign comes back as it was sent, or in lower case.
    email_comes_back_in_either_letter_case judges ["signup/success"] needs [REGISTRATION];
    /// Registrations some milliseconds apart have different identifiers, short ones without the e-mail.
    identifiers_differ judges ["signup/identifier"] needs [REGISTRATION];
    /// An e-mail whose registration was refused for its password can be registered afterwards.
    refused_email_is_still_new judges ["signup/success"] needs [REGISTRATION];
    /// The password is nowhere in the answer, neither as sent nor under a hash.
    answer_hides_the_password judges ["signup/password-unseen"] needs [REGISTRATION];
    /// Registering needs no credential, and a wrong one changes nothing.
    registering_needs_no_credential judges ["users/no-credential"] needs [REGISTRATION];
}

/// The object that holds the e-mail: the body, or one within it.
fn holder(body: &Value) -> Option<&Map<String, Value>> {
    let body = body.as_object()?;
    if body.contains_key("email") {
        return Some(body);
    }
    let inner = body.values().filter_map(Value::as_object);
    inner.into_iter().find(|object| object.contains_key("email"))
}

/// Keys and values of what may identify the user: texts and numbers beside the e-mail, those under a key that ends in `id` first.
fn identifiers(body: &Value) -> Vec<(String, String)> {
    let told = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let around = body.as_object().filter(|body| !body.contains_key("email"));
    let fields = holder(body).into_iter().chain(around).flatten();
    let mut found: Vec<(String, String)> = fields
        .filter(|(key, _)| *key != "email")
        .filter_map(|(key, value)| Some((key.clone(), told(value)?)))
        .collect();
    found.sort_by_key(|(key, _)| !key.to_ascii_lowercase().ends_with("id"));
    found
}

/// What every accepted registration must hold is judged of these.
fn registration_is_201(cx: &CaseContext<'_>) -> CaseResult {
    register(cx, &whole(cx)).map(drop)
}

fn email_comes_back_in_either_letter_case(cx: &CaseContext<'_>) -> CaseResult {
    let email = fresh_email(cx).replace("alta.", "Alta.Nueva.");
    // What is an e-mail is the target's to say.
    register(cx, &json!({ "email": email, "password": PASSWORD })).map(drop)
}

fn refused_email_is_still_new(cx: &CaseContext<'_>) -> CaseResult {
    let body = whole(cx);
    register(cx, &json!({ "email": body["email"] }))?;
    register(cx, &json!({ "email": body["email"], "password": null }))?;
    register(cx, &body)?.check().status(201).map(drop)
}

fn identifiers_differ(cx: &CaseContext<'_>) -> CaseResult {
    const LENGTH_MAX: usize = 64;
    let identified = || {
        let body = whole(cx);
        let reply = accepted(register(cx, &body)?, "registering")?;
        let email = body["email"].as_str().unwrap_or_default().to_owned();
        let is_short = |value: &str| value.chars().count() <= LENGTH_MAX && !value.to_lowercase().contains(&email);
        let found = identifiers(&reply.json()).into_iter().filter(|(_, value)| is_short(value)).collect::<Vec<_>>();
        Ok::<_, CaseError>((reply, found))
    };
    let ((_, one), (second, other)) = (identified()?, identified()?);
    // A message may be the same in both.
    let differs = one.iter().any(|(key, value)| other.iter().any(|(second, told)| second == key && told != value));
    let want = format!("an identifier of at most {LENGTH_MAX} characters without the e-mail, another than in {one:?}");
    second.check().that(differs, Place::BODY, want, format!("{other:?}")).map(drop)
}

fn answer_hides_the_password(cx: &CaseContext<'_>) -> CaseResult {
    let mut body = whole(cx);
    let password = format!("{PASSWORD}-{}", cx.unique("clave"));
    body["password"] = password.as_str().into();
    let reply = accepted(register(cx, &body)?, "registering")?;
    let keys = |value: &Value| value.as_object().into_iter().flat_map(Map::keys).cloned().collect::<Vec<_>>();
    let body = reply.json();
    let held = body.as_object().into_iter().flat_map(Map::values);
    let names: Vec<String> = keys(&body).into_iter().chain(held.flat_map(keys)).collect();
    let is_secret =
        |name: &String| ["password", "hash", "clave", "contrase"].iter().any(|word| name.to_lowercase().contains(word));
    let is_shown = reply.received().text().contains(&password) || names.iter().any(is_secret);
    reply.check().that(!is_shown, Place::BODY, "no password", body).map(drop)
}

fn registering_needs_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    credentials_change_nothing(|| registration(cx, &whole(cx)))
}
