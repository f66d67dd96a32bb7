//! What all answers of the users interface have in common: Content-Type, error bodies, no credentials, CORS headers or none.

use serde_json::json;

use super::interface::{USERS, credentials_change_nothing};
use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::demo::{self, AGE};
use crate::http::reply::{Reply, SeenIn as _};
use crate::implementation::profile::Interface;

cases! { "users";
    /// Lists, users, posts, created users and refusals are application/json.
    every_answer_says_it_is_json judges ["users/content-type"] needs [USERS] by received();
    /// Each 404 and each 400 holds a text under error.
    refusals_hold_an_error judges ["users/error-body"] needs [USERS] by received();
    /// Reading needs no credential, and a wrong one changes nothing.
    reading_needs_no_credential judges ["users/no-credential"] needs [USERS];
    /// Creating needs no credential, and a wrong one changes nothing.
    creating_needs_no_credential judges ["users/no-credential"] needs [USERS];
    /// Answers other than to OPTIONS have no CORS headers, or allow any origin as well.
    cors_headers_elsewhere_are_open judges ["users/cors-elsewhere"] needs [USERS];
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
fn received(cx: &CaseContext<'_>) -> CaseResult {
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

fn cors_headers_elsewhere_are_open(cx: &CaseContext<'_>) -> CaseResult {
    for (kind, reply) in of_every_kind(cx)? {
        let origin = reply.header("Access-Control-Allow-Origin");
        let readings = [("none", origin.is_none()), ("present", origin.as_deref() == Some("*"))];
        cx.observe(&readings, format!("{kind}: {origin:?}")).seen_in([&reply])?;
    }
    Ok(())
}
