//! What all answers of the users interface have in common: Content-Type, error bodies, no credentials, CORS headers or none.

use serde_json::json;

use super::interface::{USERS, credentials_change_nothing};
use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::demo::{self, AGE};
use crate::http::reply::{Reply, SeenIn as _};
use crate::implementation::profile::Interface;

cases! { "users";
    /// Lists, users, posts, created users and refusals are application/json.
    every_answer_says_it_is_json judges ["users/content-type"] needs [USERS];
    /// The 404 of a user nobody has holds a text under error, alone.
    error_body_of_an_unknown_user judges ["users/error-body"] needs [USERS];
    /// The 404 of the posts of a user nobody has holds a text under error, alone.
    error_body_of_unknown_posts judges ["users/error-body"] needs [USERS];
    /// The 404 of an unknown path holds a text under error, alone.
    error_body_of_an_unknown_path judges ["users/error-body"] needs [USERS];
    /// Each 400 of a creation holds a text under error, alone.
    error_bodies_of_creations judges ["users/error-body"] needs [USERS];
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
        ("a refused creation", create(json!({ "age": AGE }))?),
        ("malformed JSON", malformed(cx)?),
        ("an unknown user", demo::get(cx, &format!("/users/{}", cx.unique("nadie")))?),
        ("an unknown path", demo::get(cx, &format!("/{}", cx.unique("nada")))?),
    ])
}

fn malformed(cx: &CaseContext<'_>) -> Result<Reply, CaseError> {
    cx.request_at(Interface::Users, "POST", "/users").json_text(b"{\"name\":").send()
}

fn every_answer_says_it_is_json(cx: &CaseContext<'_>) -> CaseResult {
    for (_, reply) in of_every_kind(cx)? {
        reply.check().says_json()?;
    }
    Ok(())
}

/// The body of a refusal is judged where its status is right; the status has cases of its own.
fn error_alone(reply: Reply, status: u16) -> CaseResult {
    reply.prepared("being refused", status)?.check().refused(status)?;
    Ok(())
}

fn error_body_of_an_unknown_user(cx: &CaseContext<'_>) -> CaseResult {
    error_alone(demo::get(cx, &format!("/users/{}", cx.unique("nadie")))?, 404)
}

fn error_body_of_unknown_posts(cx: &CaseContext<'_>) -> CaseResult {
    error_alone(demo::get(cx, &format!("/users/{}/posts", cx.unique("nadie")))?, 404)
}

fn error_body_of_an_unknown_path(cx: &CaseContext<'_>) -> CaseResult {
    error_alone(demo::get(cx, &format!("/{}", cx.unique("nada")))?, 404)
}

fn error_bodies_of_creations(cx: &CaseContext<'_>) -> CaseResult {
    let bodies = [
        json!({ "age": AGE }),
        json!({ "name": "", "age": AGE }),
        json!({ "name": 5, "age": AGE }),
        json!({ "name": "Ada" }),
        json!({ "name": "Ada", "age": "41" }),
    ];
    let mut replies = vec![malformed(cx)?];
    for body in bodies {
        replies.push(demo::user_creation(cx, &body).send()?);
    }
    let mut others = Vec::new();
    for reply in replies {
        if reply.status() == 400 {
            error_alone(reply, 400)?;
        } else {
            others.push(reply.status().to_string());
        }
    }
    if others.is_empty() {
        return Ok(());
    }
    Err(CaseError::blocked("being refused", format!("want 400 for each creation, got {}", others.join(", "))))
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
