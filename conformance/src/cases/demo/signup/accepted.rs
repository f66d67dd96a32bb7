//! Registrations that are accepted: what they answer, and what they leave alone.

use serde_json::{Map, Value, json};

use super::super::users::credentials_change_nothing;
use super::{REGISTRATION, fresh_email, register, registration, whole};
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::demo::{accepted, blocked};
use crate::fixture::users::PASSWORD;
use crate::http::reply::{Reply, reading};

cases! { "signup";
    /// A new e-mail with a good password is 201, with an identifier and the e-mail.
    registration_is_201 judges ["signup/success"] needs [REGISTRATION];
    /// The e-mail comes back in the letter case it was sent in.
    email_comes_back_as_sent judges ["signup/success"] needs [REGISTRATION];
    /// Two registrations have different identifiers.
    identifiers_differ judges ["signup/success"] needs [REGISTRATION];
    /// An e-mail whose registration was refused for its password can be registered afterwards.
    refused_email_is_still_new judges ["signup/success"] needs [REGISTRATION];
    /// The password is nowhere in the answer, neither as sent nor under a hash.
    answer_hides_the_password judges ["signup/password-unseen"] needs [REGISTRATION];
    /// The identifier stands under one of its usual keys.
    key_of_the_identifier_is_open judges ["signup/identifier-key"] needs [REGISTRATION];
    /// Users registered here may log in to the catalogue, or may not.
    store_is_open judges ["signup/own-store"] needs [REGISTRATION];
    /// Registering needs no credential, and a wrong one changes nothing.
    registering_needs_no_credential judges ["users/no-credential"] needs [REGISTRATION];
}

/// The object that holds the e-mail: the body, or one that stands in it.
fn holder(body: &Value) -> Option<&Map<String, Value>> {
    let body = body.as_object()?;
    if body.contains_key("email") {
        return Some(body);
    }
    let inner = body.values().filter_map(Value::as_object);
    inner.into_iter().find(|object| object.contains_key("email"))
}

/// Key and value of what identifies the user: a text or a number under a key that ends in `id`.
fn identifier(body: &Value) -> Option<(String, String)> {
    let told = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let fields = holder(body)?.iter();
    let mut identifiers = fields.filter(|(key, _)| key.to_ascii_lowercase().ends_with("id"));
    identifiers.find_map(|(key, value)| Some((key.clone(), told(value)?)))
}

fn judge_answer(reply: &Reply, email: &Value) -> Judged {
    reply
        .judge("signup/success")
        .status(201)?
        .at_where("", &format!("the e-mail {email}"), |body| holder(body).is_some_and(|user| user["email"] == *email))?
        .at_where("", "an identifier", |body| identifier(body).is_some())?;
    Ok(())
}

fn registration_is_201(t: &Trial<'_>) -> Judged {
    let body = whole(t);
    judge_answer(&register(t, &body)?, &body["email"])
}

fn email_comes_back_as_sent(t: &Trial<'_>) -> Judged {
    let email = fresh_email(t).replace("alta.", "Alta.Nueva+");
    let body = json!({ "email": email, "password": PASSWORD });
    judge_answer(&register(t, &body)?, &body["email"])
}

fn identifiers_differ(t: &Trial<'_>) -> Judged {
    let first = accepted(register(t, &whole(t))?, "registering")?;
    let second = accepted(register(t, &whole(t))?, "registering again")?;
    let (one, other) = (identifier(&first.json()), identifier(&second.json()));
    second.judge("signup/success").that(
        one.is_some() && one != other,
        "body",
        format!("another identifier than {one:?}"),
        format!("{other:?}"),
    )?;
    Ok(())
}

fn refused_email_is_still_new(t: &Trial<'_>) -> Judged {
    let body = whole(t);
    register(t, &json!({ "email": body["email"] }))?;
    register(t, &json!({ "email": body["email"], "password": 5 }))?;
    judge_answer(&register(t, &body)?, &body["email"])
}

fn answer_hides_the_password(t: &Trial<'_>) -> Judged {
    let mut body = whole(t);
    let password = format!("{PASSWORD}-{}", t.unique("clave"));
    body["password"] = password.as_str().into();
    let reply = accepted(register(t, &body)?, "registering")?;
    let keys = |value: &Value| value.as_object().into_iter().flat_map(Map::keys).cloned().collect::<Vec<_>>();
    let body = reply.json();
    let held = body.as_object().into_iter().flat_map(Map::values);
    let names: Vec<String> = keys(&body).into_iter().chain(held.flat_map(keys)).collect();
    let is_secret =
        |name: &String| ["password", "hash", "clave", "contrase"].iter().any(|word| name.to_lowercase().contains(word));
    let is_shown = reply.received().text().contains(&password) || names.iter().any(is_secret);
    reply.judge("signup/password-unseen").that(!is_shown, "body", "no password", body)?;
    Ok(())
}

fn identified(t: &Trial<'_>) -> Result<(String, String), Stop> {
    let reply = accepted(register(t, &whole(t))?, "registering")?;
    identifier(&reply.json()).ok_or_else(|| blocked("registering", "the answer has no identifier"))
}

fn key_of_the_identifier_is_open(t: &Trial<'_>) -> Judged {
    let (key, value) = identified(t)?;
    let readings = [("id", key == "id"), ("userId, _id or uid", matches!(key.as_str(), "userId" | "_id" | "uid"))];
    reading(t, "signup/identifier-key", &readings, format!("{key}: {value}"))
}

fn store_is_open(t: &Trial<'_>) -> Judged {
    let body = whole(t);
    accepted(register(t, &body)?, "registering")?;
    let email = body["email"].as_str().unwrap_or_default();
    let status = t.try_log_in(email, PASSWORD)?.status();
    let readings = [("apart from the users of /auth", status == 400), ("shared with them", status == 200)];
    reading(t, "signup/own-store", &readings, format!("a login at the catalogue: {status}"))
}

fn registering_needs_no_credential(t: &Trial<'_>) -> Judged {
    credentials_change_nothing(|| registration(t, &whole(t)))
}
