//! `POST /users` that is refused: every way a name or an age can be missing or wrong, beside one that is right.

use super::interface::{USERS, listed};
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, accepted};

cases! { "users";
    /// Without a name, or with a body that is no object, 400.
    name_is_required judges ["users/name-missing"] needs [USERS]
        by refuses(&[json!({ "age": AGE }), json!({ "age": AGE, "nombre": "Ada" }), json!([]), json!("Ada"), json!(5)]);
    /// An empty name is 400, one of a single letter is not.
    name_is_not_empty judges ["users/name-empty"] needs [USERS];
    /// A name that is not a text is 400.
    name_is_a_text judges ["users/name-type"] needs [USERS];
    /// Without an age, 400.
    age_is_required judges ["users/age-missing"] needs [USERS];
    /// An age that is not a number is 400, a numeric text too.
    age_is_a_number judges ["users/age-type"] needs [USERS];
    /// A body that is not JSON is 400.
    body_is_json judges ["users/malformed-json"] needs [USERS];
    /// Text after the JSON makes a body malformed: 400.
    text_after_the_json_is_refused judges ["errors/text-after-json"] needs [USERS];
    /// NaN is no JSON: 400.
    nan_is_no_json judges ["users/nan"] needs [USERS];
    /// Name and AGE are other keys than name and age, 400, or the same.
    letter_case_counts_in_keys judges ["users/key-case"] needs [USERS];
    /// A user whose creation was refused is not in the list.
    refused_user_is_not_listed judges ["users/age-missing", "users/age-type"] needs [USERS];
}

/// A whole body is accepted; each of these is 400.
fn refuses(cx: &CaseContext<'_>, bodies: &[Value]) -> CaseResult {
    let whole = json!({ "name": cx.unique("Ada"), "age": AGE });
    accepted(demo::user_creation(cx, &whole).send()?, "creating a user")?;
    for body in bodies {
        demo::user_creation(cx, body).to_fail().send()?.check().status(400)?;
    }
    Ok(())
}

fn name_is_not_empty(cx: &CaseContext<'_>) -> CaseResult {
    accepted(demo::user_creation(cx, &json!({ "name": "A", "age": AGE })).send()?, "creating a user of one letter")?;
    refuses(cx, &[json!({ "name": "", "age": AGE })])
}

fn name_is_a_text(cx: &CaseContext<'_>) -> CaseResult {
    let names = [
        json!(5),
        json!(0),
        json!(true),
        json!(false),
        json!(null),
        json!(["Ada"]),
        json!([]),
        json!({}),
        json!({ "first": "Ada" }),
    ];
    let bodies = names.map(|name| json!({ "name": name, "age": AGE }));
    refuses(cx, &bodies)
}

fn age_is_required(cx: &CaseContext<'_>) -> CaseResult {
    let bodies = [json!({ "name": cx.unique("Ada") }), json!({ "name": cx.unique("Ada"), "edad": AGE })];
    refuses(cx, &bodies)
}

fn age_is_a_number(cx: &CaseContext<'_>) -> CaseResult {
    let ages =
        [json!("41"), json!(""), json!("x"), json!(true), json!(false), json!(null), json!([]), json!([41]), json!({})];
    let bodies = ages.map(|age| json!({ "name": cx.unique("Ada"), "age": age }));
    refuses(cx, &bodies)
}

fn body_is_json(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    let bodies = [
        r#"{"name": "Ada", "age": 41"#,
        r#"{"name": "Ada", "age": 41,}"#,
        "{name: 'Ada', age: 41}",
        "name=Ada&age=41",
        "",
    ];
    refuses_texts(cx, &bodies)
}

fn refuses_texts(cx: &CaseContext<'_>, bodies: &[&str]) -> CaseResult {
    for body in bodies {
        let creation = cx.request_at(Interface::Users, "POST", "/users").json_text(body.as_bytes());
        creation.to_fail().send()?.check().status(400)?;
    }
    Ok(())
}

fn text_after_the_json_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    refuses_texts(cx, &[r#"{"name": "Ada", "age": 41} x"#, r#"{"name": "Ada", "age": 41} {}"#])
}

/// A whole age comes last, so that a reader who takes NaN keeps no user of that age: no GraphQL query could tell it.
fn nan_is_no_json(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    refuses_texts(cx, &[r#"{"name": "Ada", "age": NaN, "age": 41}"#])
}

fn letter_case_counts_in_keys(cx: &CaseContext<'_>) -> CaseResult {
    refuses(cx, &[])?;
    for body in [json!({ "Name": cx.unique("Ada"), "age": AGE }), json!({ "name": cx.unique("Ada"), "AGE": AGE })] {
        let reply = demo::user_creation(cx, &body).send()?;
        let readings = [("distinct", reply.status() == 400), ("same", reply.status() == 201)];
        cx.observe(&readings, reply.summary()).seen_in([&reply])?;
    }
    Ok(())
}

fn refused_user_is_not_listed(cx: &CaseContext<'_>) -> CaseResult {
    let (without, odd, whole) = (cx.unique("Ana"), cx.unique("Eva"), cx.unique("Ada"));
    let sent = [
        (&without, json!({ "name": without }), "users/age-missing"),
        (&odd, json!({ "name": odd, "age": "41" }), "users/age-type"),
    ];
    for (_, body, _) in &sent {
        demo::user_creation(cx, body).send()?;
    }
    let body = json!({ "name": whole, "age": AGE });
    accepted(demo::user_creation(cx, &body).send()?, "creating a user")?;
    let users = listed(cx)?;
    for (name, body, rule) in &sent {
        let is_there = users.iter().any(|user| user["name"] == name.as_str());
        cx.check_rule(
            rule,
            !is_there,
            Place::BODY.of("the list"),
            format!("nobody created by {body}"),
            "a user of that name",
        )?;
    }
    Ok(())
}
