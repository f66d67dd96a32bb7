//! What all answers of the users interface have in common: Content-Type, error bodies, no credentials, CORS headers or none.

use super::interface::{USERS, credentials_change_nothing};
use crate::chapters::prelude::*;
use crate::fixture::demo::AGE;

cases! { "users";
    /// Lists, users, posts, created users and refusals are application/json; each 404 and 400 holds a text under error.
    answers_are_json_and_refusals_hold_an_error judges ["users/content-type", "users/error-body"] needs [USERS];
    /// Reading needs no credential, and a wrong one changes nothing.
    reading_needs_no_credential judges ["users/no-credential"] needs [USERS];
    /// Creating needs no credential, and a wrong one changes nothing.
    creating_needs_no_credential judges ["users/no-credential"] needs [USERS];
}

/// One answer of every kind, with its name.
fn of_every_kind(cx: &CaseContext<'_>) -> Result<Vec<(&'static str, Reply)>, CaseError> {
    let user = demo::create_user(cx)?;
    let create = |body| demo::user_creation(cx, &body).send();
    Ok(vec![
        ("the list", demo::get(cx, "/users")?),
        ("a user", demo::get(cx, &format!("/users/{}", user.id))?),
        ("posts", demo::get(cx, &format!("/users/{}/posts", user.id))?),
        ("a creation", create(json!({ "name": cx.unique("Ada"), "age": AGE }))?),
        ("a creation without name", create(json!({ "age": AGE }))?),
        ("a creation with an empty name", create(json!({ "name": "", "age": AGE }))?),
        ("a creation with a number as name", create(json!({ "name": 5, "age": AGE }))?),
        ("a creation without age", create(json!({ "name": "Ada" }))?),
        ("a creation with a text as age", create(json!({ "name": "Ada", "age": "41" }))?),
        ("malformed JSON", malformed(cx)?),
        ("an unknown user", demo::get(cx, &format!("/users/{}", cx.unique("nadie")))?),
        ("unknown posts", demo::get(cx, &format!("/users/{}/posts", cx.unique("nadie")))?),
        ("an unknown path", demo::get(cx, &format!("/{}", cx.unique("nada")))?),
    ])
}

fn malformed(cx: &CaseContext<'_>) -> Result<Reply, CaseError> {
    cx.request_at(Interface::Users, "POST", "/users").json_text(b"{\"name\":").send()
}

/// What every answer must hold is judged of each.
fn answers_are_json_and_refusals_hold_an_error(cx: &CaseContext<'_>) -> CaseResult {
    of_every_kind(cx).map(drop)
}

fn reading_needs_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
        credentials_change_nothing(|| cx.request_at(Interface::Users, "GET", &path))?;
    }
    Ok(())
}

fn creating_needs_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    credentials_change_nothing(|| demo::user_creation(cx, &json!({ "name": cx.unique("Ada"), "age": AGE })))
}
