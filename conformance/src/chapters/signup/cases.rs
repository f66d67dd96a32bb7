//! Registrations at the demonstration interface: accepted and refused ones.

use crate::chapters::prelude::*;
use crate::fixture::demo::{accepted, is_success};

cases! { "signup";
    /// Signups have different identifiers, which are short and do not contain the e-mail.
    identifiers_differ judges ["signup/identifier"] needs [REGISTRATION] => |cx| {
        let identified = || {
            let body = whole(cx);
            let reply = accepted(register(cx, &body)?, "registering")?;
            let email = body["email"].as_str().unwrap_or_default().to_owned();
            let is_short = |value: &str| value.chars().count() <= 64 && !value.to_lowercase().contains(&email);
            let found = identifiers(&reply.json()).into_iter().filter(|(_, value)| is_short(value)).collect::<Vec<_>>();
            Ok::<_, CaseError>((reply, found))
        };
        let ((_, one), (second, other)) = (identified()?, identified()?);
        // A message may be the same in both.
        let differs = one.iter().any(|(key, value)| other.iter().any(|(second, shown)| second == key && shown != value));
        let want = format!("an identifier of at most 64 characters without the e-mail, another than in {one:?}");
        second.check().that(differs, Place::BODY, want, format!("{other:?}")).map(drop)
    };
    /// The answer to a signup has the password nowhere, neither as sent nor hashed.
    answer_hides_the_password judges ["signup/password-unseen"] needs [REGISTRATION] => |cx| {
        let mut body = whole(cx);
        let password = format!("{PASSWORD}-{}", cx.unique("clave"));
        body["password"] = password.as_str().into();
        let reply = accepted(register(cx, &body)?, "registering")?;
        let body = reply.json();
        let held = body.as_object().into_iter().flat_map(Map::values);
        let mut names = [&body].into_iter().chain(held).filter_map(Value::as_object).flat_map(Map::keys);
        let secrets = ["password", "hash", "clave", "contrase"];
        let is_secret = |name: &String| secrets.iter().any(|word| name.to_lowercase().contains(word));
        let is_shown = reply.received().text().contains(&password) || names.any(is_secret);
        reply.check().that(!is_shown, Place::BODY, "no password", &body).map(drop)
    };
    /// Exactly one of several concurrent signups with one e-mail succeeds.
    email_is_registered_once_however_many_try judges ["signup/duplicate-email"] needs [REGISTRATION, Need::UsersAtOnce] => |cx| {
        const AT_ONCE: usize = 6;
        let body = whole(cx);
        let replies = concurrency::simultaneously(AT_ONCE, |_| register(cx, &body))?;
        let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
        let successes = replies.iter().filter(|reply| is_success(reply)).count();
        let accepted = || replies.iter().filter(|reply| !reply.is(400));
        // That a new e-mail is accepted has cases of its own.
        CaseError::blocked_unless(successes > 0, "registering", format!("{statuses:?}"))?;
        let is_one = successes == 1 && accepted().count() == 1;
        let place = "statuses of registrations of one e-mail at the same moment";
        let checked = cx.check(is_one, place, "201 once, 400 for the others", format!("{statuses:?}"));
        checked.seen_in(accepted().take(2))
    };
    /// Reports how short the password of a signup may be.
    how_short_a_password_may_be judges ["signup/validity"] needs [REGISTRATION] => |cx| {
        // Letters, digits and signs mixed, so that length is all that is wrong with it.
        let mixed = "aB3$xY7%kM9&qR2!";
        for chars in 1..=mixed.len() {
            let reply = register(cx, &json!({ "email": users::email(cx, "alta"), "password": mixed[..chars] }))?;
            if is_success(&reply) {
                return cx.tell(format!("passwords of {chars} characters"));
            }
            let shown = format!("{chars} characters: {}", reply.status());
            reply.check().that(reply.is(400), "a short password", "400 or a success", shown)?;
        }
        cx.tell("no password of 16 characters")
    };
}

const REGISTRATION: Need = Need::Interface(Interface::Registration);

/// A complete and valid registration.
fn whole(cx: &CaseContext<'_>) -> Value {
    json!({ "email": users::email(cx, "alta"), "password": PASSWORD })
}

fn register(cx: &CaseContext<'_>, body: &Value) -> CaseResult<Reply> {
    cx.request_at(Interface::Registration, "POST", "/api/users/register").json(body).send()
}

/// The object with the e-mail: the body, or one in it.
fn holder(body: &Value) -> Option<&Map<String, Value>> {
    let body = body.as_object()?;
    [body].into_iter().chain(body.values().filter_map(Value::as_object)).find(|object| object.contains_key("email"))
}

/// Keys and values that may identify the user: texts and numbers beside the e-mail, those under a key that ends in `id` first.
fn identifiers(body: &Value) -> Vec<(String, String)> {
    let shown = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let around = body.as_object().filter(|body| !body.contains_key("email"));
    let fields = holder(body).into_iter().chain(around).flatten().filter(|(key, _)| *key != "email");
    let mut found: Vec<_> = fields.filter_map(|(key, value)| Some((key.clone(), shown(value)?))).collect();
    found.sort_by_key(|(key, _)| !key.to_ascii_lowercase().ends_with("id"));
    found
}
