//! Registrations at the demonstration interface: accepted and refused ones.

use crate::chapters::prelude::*;
use crate::chapters::users::reading::credentials_change_nothing;
use crate::fixture::demo::{accepted, is_success};

cases! { "signup";
    /// A new e-mail with a good password is 201, with an identifier and the e-mail.
    registration_is_201 judges ["signup/success"] needs [REGISTRATION] => |cx| register(cx, &whole(cx)).map(drop);
    /// An e-mail with capitals before the at sign comes back as it was sent, or in lower case.
    email_comes_back_in_either_letter_case judges ["signup/success"] needs [REGISTRATION] => |cx| {
        let email = fresh_email(cx).replace("alta.", "Alta.Nueva.");
        // What is an e-mail is the target's to say.
        register(cx, &json!({ "email": email, "password": PASSWORD })).map(drop)
    };
    /// Registrations some milliseconds apart have different identifiers, short ones without the e-mail.
    identifiers_differ judges ["signup/identifier"] needs [REGISTRATION] => |cx| {
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
        let differs = one.iter().any(|(key, value)| other.iter().any(|(second, shown)| second == key && shown != value));
        let want =
            format!("an identifier of at most {LENGTH_MAX} characters without the e-mail, another than in {one:?}");
        second.check().that(differs, Place::BODY, want, format!("{other:?}")).map(drop)
    };
    /// An e-mail whose registration was refused for its password can be registered afterwards.
    refused_email_is_still_new judges ["signup/success"] needs [REGISTRATION] => |cx| {
        let body = whole(cx);
        register(cx, &json!({ "email": body["email"] }))?;
        register(cx, &json!({ "email": body["email"], "password": null }))?;
        register(cx, &body)?.check().status(201).map(drop)
    };
    /// The password is nowhere in the answer, neither as sent nor under a hash.
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
    /// Registering needs no credential, and a wrong one changes nothing.
    registering_needs_no_credential judges ["users/no-credential"] needs [REGISTRATION]
        => |cx| credentials_change_nothing(|| registration(cx, &whole(cx)));
    /// An e-mail registered before is 400, with the same password and with another; another e-mail is not.
    registered_email_is_400 judges ["signup/duplicate-email"] needs [REGISTRATION] => |cx| {
        let body = whole(cx);
        accepted(register(cx, &body)?, "registering")?;
        let other_password = json!({ "email": body["email"], "password": format!("{PASSWORD}-2") });
        each_answers(400, [registration(cx, &body), registration(cx, &other_password)])?;
        accepted(register(cx, &whole(cx))?, "registering another e-mail")?;
        each_answers(400, [registration(cx, &body)])
    };
    /// Of registrations of one e-mail at the same moment one succeeds.
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
    /// Without an e-mail, or with a body that is no object, 400.
    email_is_required judges ["signup/email-missing"] needs [REGISTRATION] => |cx| {
        let bodies = [
            json!({ "password": PASSWORD }),
            json!({ "password": PASSWORD, "correo": fresh_email(cx) }),
            json!([]),
            json!("alta@example.com"),
        ];
        refuses(cx, &bodies)
    };
    /// Without a password, 400.
    password_is_required judges ["signup/password-missing"] needs [REGISTRATION] => |cx| {
        refuses(cx, &[json!({ "email": fresh_email(cx) }), json!({ "email": fresh_email(cx), "clave": PASSWORD })])
    };
    /// An e-mail that is not a text is 400.
    email_is_a_text judges ["signup/wrong-type"] needs [REGISTRATION] => |cx| {
        // A reader may take a number or a boolean for its text, and a list of one text for that text.
        let emails = [json!(null), json!([]), json!([fresh_email(cx), "x"]), json!({ "email": fresh_email(cx) })];
        refuses(cx, &emails.map(|email| json!({ "email": email, "password": PASSWORD })))
    };
    /// A password that is not a text is 400.
    password_is_a_text judges ["signup/wrong-type"] needs [REGISTRATION] => |cx| {
        let passwords = [json!(null), json!([]), json!([PASSWORD, "x"]), json!({ "password": PASSWORD })];
        refuses(cx, &passwords.map(|password| json!({ "email": fresh_email(cx), "password": password })))
    };
    /// A body that is not JSON is 400.
    body_is_json judges ["signup/wrong-type"] needs [REGISTRATION] => |cx| {
        refuses(cx, &[])?;
        let text = whole(cx).to_string();
        let bodies = [
            text[..text.len() - 1].to_owned(),
            format!("email={}&password={PASSWORD}", fresh_email(cx)),
            String::new(),
        ];
        for body in bodies {
            send_text(cx, &body)?.check().status(400)?;
        }
        Ok(())
    };
    /// Text after the JSON makes a body malformed: 400.
    text_after_the_json_is_refused judges ["errors/text-after-json"] needs [REGISTRATION] => |cx| {
        refuses(cx, &[])?;
        send_text(cx, &format!("{} x", whole(cx)))?.check().status(400).map(drop)
    };
    /// Email and Password are other keys than email and password, 400, or the same.
    letter_case_counts_in_keys judges ["signup/key-case"] needs [REGISTRATION] => |cx| {
        let bodies = [
            json!({ "Email": fresh_email(cx), "password": PASSWORD }),
            json!({ "email": fresh_email(cx), "Password": PASSWORD }),
        ];
        accepted(register(cx, &whole(cx))?, "registering")?;
        for body in bodies {
            let reply = register(cx, &body)?;
            cx.observe(&[("distinct", reply.is(400)), ("same", is_success(&reply))], reply.summary())
                .seen_in([&reply])?;
        }
        Ok(())
    };
    /// E-mails without an at sign and short passwords are 400, or accepted.
    further_checks_are_open judges ["signup/validity"] needs [REGISTRATION] => |cx| {
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
            let readings = [("400", reply.is(400)), ("accepted", is_success(&reply))];
            cx.observe(&readings, format!("{body}: {}", reply.summary()))?;
        }
        Ok(())
    };
    /// Keys that the documents do not name: passed over, or refused.
    further_keys_are_open judges ["signup/further-keys"] needs [REGISTRATION] => |cx| {
        let body = json!({ "email": fresh_email(cx), "password": PASSWORD, "idioma": "es" });
        let reply = register(cx, &body)?;
        cx.observe(&[("passed-over", is_success(&reply)), ("400", reply.is(400))], reply.status())
    };
    /// How short a password may be.
    how_short_a_password_may_be judges ["signup/validity"] needs [REGISTRATION] => |cx| {
        // Letters, digits and signs mixed, so that length is all that is wrong with it.
        const CHARS_MOST: usize = 16;
        let mixed: String = "aB3$xY7%kM9&qR2!".chars().take(CHARS_MOST).collect();
        for chars in 1..=CHARS_MOST {
            let reply = register(cx, &json!({ "email": fresh_email(cx), "password": mixed[..chars] }))?;
            if is_success(&reply) {
                return cx.tell(format!("passwords of {chars} characters"));
            }
            let shown = format!("{chars} characters: {}", reply.status());
            reply.check().that(reply.is(400), "a short password", "400 or a success", shown)?;
        }
        cx.tell("no password of 16 characters")
    };
    /// A 400 carries a message.
    refusal_carries_a_message judges ["signup/error-body"] needs [REGISTRATION] => |cx| {
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
            let readings = [
                ("error", is_under("error") && is_alone),
                ("message", is_under("message")),
                ("other", has_text(&json)),
            ];
            cx.observe(&readings, brief(&reply.received().text()))?;
        }
        Ok(())
    };
}

pub(crate) const REGISTRATION: Need = Need::Interface(Interface::Registration);

pub(crate) const PATH: &str = "/api/users/register";

/// An e-mail of no other user.
pub(crate) fn fresh_email(cx: &CaseContext<'_>) -> String {
    users::email(cx, "alta")
}

/// A registration nothing can be said against.
pub(crate) fn whole(cx: &CaseContext<'_>) -> Value {
    json!({ "email": fresh_email(cx), "password": PASSWORD })
}

pub(crate) fn registration<'t>(cx: &'t CaseContext<'_>, body: &Value) -> Request<'t> {
    cx.request_at(Interface::Registration, "POST", PATH).json(body)
}

pub(crate) fn register(cx: &CaseContext<'_>, body: &Value) -> CaseResult<Reply> {
    registration(cx, body).send()
}

/// The object that holds the e-mail: the body, or one within it.
fn holder(body: &Value) -> Option<&Map<String, Value>> {
    let body = body.as_object()?;
    if body.contains_key("email") {
        return Some(body);
    }
    body.values().filter_map(Value::as_object).find(|object| object.contains_key("email"))
}

/// Keys and values of what may identify the user: texts and numbers beside the e-mail, those under a key that ends in `id` first.
fn identifiers(body: &Value) -> Vec<(String, String)> {
    let shown = |value: &Value| match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let around = body.as_object().filter(|body| !body.contains_key("email"));
    let fields = holder(body).into_iter().chain(around).flatten();
    let mut found: Vec<(String, String)> = fields
        .filter(|(key, _)| *key != "email")
        .filter_map(|(key, value)| Some((key.clone(), shown(value)?)))
        .collect();
    found.sort_by_key(|(key, _)| !key.to_ascii_lowercase().ends_with("id"));
    found
}

/// A whole registration is accepted; each of these is 400.
fn refuses(cx: &CaseContext<'_>, bodies: &[Value]) -> CaseResult {
    accepted(register(cx, &whole(cx))?, "registering")?;
    each_answers(400, bodies.iter().map(|body| registration(cx, body).to_fail()))
}

fn send_text(cx: &CaseContext<'_>, body: &str) -> CaseResult<Reply> {
    cx.request_at(Interface::Registration, "POST", PATH).json_text(body.as_bytes()).to_fail().send()
}

fn has_text(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => items.iter().any(has_text),
        Value::Object(fields) => fields.values().any(has_text),
        _ => false,
    }
}
