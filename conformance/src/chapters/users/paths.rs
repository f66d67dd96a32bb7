//! Paths and methods that the users interface does not have.

use super::interface::USERS;
use crate::chapters::prelude::*;
use crate::fixture::demo::AGE;

cases! { "users";
    /// Paths beside and below those of the interface are 404.
    unknown_paths_are_404 judges ["users/unknown-path"] needs [USERS];
    /// A known path with another method is 404 or 405, and nothing happens to the user.
    other_methods_are_open judges ["users/wrong-method"] needs [USERS];
    /// A path with a slash at its end is 404, or as without the slash.
    a_slash_at_the_end_is_open judges ["users/wrong-method"] needs [USERS];
}

fn unknown_paths_are_404(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    demo::get(cx, &format!("/users/{}", user.id))?.prepared("reading a user", 200)?;
    let paths = [
        format!("/{}", cx.unique("nada")),
        "/user".to_owned(),
        "/usersfoo".to_owned(),
        format!("/user/{}", user.id),
        format!("/usersfoo/{}", user.id),
        format!("/users/{}/comments", user.id),
        format!("/users/{}/postsfoo", user.id),
        format!("/users/{}/posts/1", user.id),
        format!("/nada/users/{}", user.id),
    ];
    for path in paths {
        demo::get(cx, &path)?.check().status(404)?;
    }
    let body = json!({ "name": cx.unique("Ada"), "age": AGE });
    cx.request_at(Interface::Users, "POST", "/nada").json(&body).send()?.check().status(404).map(drop)
}

fn other_methods_are_open(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    let one = format!("/users/{}", user.id);
    let requests = [
        ("PUT", "/users".to_owned()),
        ("PATCH", "/users".to_owned()),
        ("DELETE", "/users".to_owned()),
        ("POST", one.clone()),
        ("PUT", one.clone()),
        ("PATCH", one.clone()),
        ("POST", format!("{one}/posts")),
        ("DELETE", format!("{one}/posts")),
        ("DELETE", one.clone()),
    ];
    // What is known of the user; a further key in answers has cases of its own.
    let wanted = [("id", json!(user.id)), ("name", json!(user.name)), ("age", json!(AGE))];
    demo::get(cx, &one)?.prepared("reading a user", 200)?;
    for (method, path) in requests {
        let request = cx.request_at(Interface::Users, method, &path);
        let request = if method == "DELETE" {
            request
        } else {
            request.json(&json!({ "name": "Otra", "age": 1, "title": "Otra" }))
        };
        let reply = request.send()?;
        let after = demo::get(cx, &one)?.json();
        let is_left = wanted.iter().all(|(key, value)| same(&after[*key], value));
        let readings = [("404", reply.status() == 404 && is_left), ("405", reply.status() == 405 && is_left)];
        cx.observe(&readings, format!("{method} {path}: {}; then {}", reply.status(), brief(&after.to_string())))?;
    }
    Ok(())
}

fn a_slash_at_the_end_is_open(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
        let without = demo::get(cx, &path)?.status();
        let with = demo::get(cx, &format!("{path}/"))?;
        let readings = [
            ("404", with.status() == 404),
            ("passed-over", with.status() == without),
            ("redirect", with.redirects_to(&path)),
            ("400", with.status() == 400),
        ];
        cx.observe(&readings, format!("GET {path}/: {}", with.status()))?;
    }
    Ok(())
}
