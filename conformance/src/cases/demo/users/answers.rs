//! What all answers of the users interface have in common: Content-Type, error bodies, no credentials, CORS headers or none.

use serde_json::json;

use super::{USERS, credentials_change_nothing};
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::demo::{AGE, blocked};
use crate::http::reply::{Reply, reading};
use crate::target::profile::Surface;

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
fn of_every_kind(t: &Trial<'_>) -> Result<Vec<(&'static str, Reply)>, Stop> {
    let user = t.create_user()?;
    let create = |body| t.user_creation(&body).send();
    Ok(vec![
        ("the list", t.users_get("/users")?),
        ("a user", t.users_get(&format!("/users/{}", user.id))?),
        ("posts", t.users_get(&format!("/users/{}/posts", user.id))?),
        ("a creation", create(json!({ "name": t.unique("Ada"), "age": AGE }))?),
        ("a refused creation", create(json!({ "age": AGE }))?),
        ("malformed JSON", malformed(t)?),
        ("an unknown user", t.users_get(&format!("/users/{}", t.unique("nadie")))?),
        ("an unknown path", t.users_get(&format!("/{}", t.unique("nada")))?),
    ])
}

fn malformed(t: &Trial<'_>) -> Result<Reply, Stop> {
    t.request_at(Surface::Users, "POST", "/users").header("Content-Type", "application/json").body(b"{\"name\":").send()
}

fn every_answer_says_it_is_json(t: &Trial<'_>) -> Judged {
    for (kind, reply) in of_every_kind(t)? {
        let value = reply.header("Content-Type").unwrap_or_default();
        let has_charset = value.split_once(';').is_some_and(|(media, parameter)| {
            media.trim().eq_ignore_ascii_case("application/json")
                && parameter.trim().to_ascii_lowercase().starts_with("charset=")
        });
        let is_exact = value.eq_ignore_ascii_case("application/json");
        let readings = [("exactly application/json", is_exact), ("application/json with a charset", has_charset)];
        reading(t, "users/content-type", &readings, format!("{kind}: Content-Type `{value}`"))?;
    }
    Ok(())
}

/// The body of a refusal is judged where its status is right; else that is another rule's matter.
fn error_alone(reply: Reply, status: u16) -> Judged {
    let reply = reply.prepared("being refused", status)?;
    reply.judge("users/error-body").refused(status)?;
    Ok(())
}

fn error_body_of_an_unknown_user(t: &Trial<'_>) -> Judged {
    error_alone(t.users_get(&format!("/users/{}", t.unique("nadie")))?, 404)
}

fn error_body_of_unknown_posts(t: &Trial<'_>) -> Judged {
    error_alone(t.users_get(&format!("/users/{}/posts", t.unique("nadie")))?, 404)
}

fn error_body_of_an_unknown_path(t: &Trial<'_>) -> Judged {
    error_alone(t.users_get(&format!("/{}", t.unique("nada")))?, 404)
}

fn error_bodies_of_creations(t: &Trial<'_>) -> Judged {
    let bodies = [
        json!({ "age": AGE }),
        json!({ "name": "", "age": AGE }),
        json!({ "name": 5, "age": AGE }),
        json!({ "name": "Ada" }),
        json!({ "name": "Ada", "age": "41" }),
    ];
    let mut replies = vec![malformed(t)?];
    for body in bodies {
        replies.push(t.user_creation(&body).send()?);
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
    Err(blocked("being refused", format!("want 400 for each creation, got {}", others.join(", "))))
}

fn reading_needs_no_credential(t: &Trial<'_>) -> Judged {
    let user = t.create_user()?;
    for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
        credentials_change_nothing(|| t.request_at(Surface::Users, "GET", &path))?;
    }
    Ok(())
}

fn creating_needs_no_credential(t: &Trial<'_>) -> Judged {
    credentials_change_nothing(|| t.user_creation(&json!({ "name": t.unique("Ada"), "age": AGE })))
}

fn cors_headers_elsewhere_are_open(t: &Trial<'_>) -> Judged {
    for (kind, reply) in of_every_kind(t)? {
        let origin = reply.header("Access-Control-Allow-Origin");
        let readings = [("none", origin.is_none()), ("present", origin.as_deref() == Some("*"))];
        reading(t, "users/cors-elsewhere", &readings, format!("{kind}: {origin:?}"))?;
    }
    Ok(())
}
