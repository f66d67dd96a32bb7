//! Paths and methods that the users interface does not have.

use serde_json::json;

use super::USERS;
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::fixture::demo::AGE;
use crate::http::reply::{brief, reading, same};
use crate::target::profile::Surface;

cases! { "users";
    /// Paths beside and below those of the interface are 404.
    unknown_paths_are_404 judges ["users/unknown-path"] needs [USERS];
    /// A known path with another method is 404 or 405, and nothing happens to the user.
    other_methods_are_open judges ["users/wrong-method"] needs [USERS];
    /// A path with a slash at its end is 404, or as without the slash.
    a_slash_at_the_end_is_open judges ["users/wrong-method"] needs [USERS];
}

fn unknown_paths_are_404(t: &Trial<'_>) -> Judged {
    let user = t.create_user()?;
    t.users_get(&format!("/users/{}", user.id))?.prepared("reading a user", 200)?;
    let paths = [
        format!("/{}", t.unique("nada")),
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
        t.users_get(&path)?.judge("users/unknown-path").status(404)?;
    }
    let body = json!({ "name": t.unique("Ada"), "age": AGE });
    let posted = t.request_at(Surface::Users, "POST", "/nada").json(&body).send()?;
    posted.judge("users/unknown-path").status(404)?;
    Ok(())
}

fn other_methods_are_open(t: &Trial<'_>) -> Judged {
    let user = t.create_user()?;
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
    let wanted = json!({ "id": user.id, "name": user.name, "age": AGE });
    t.users_get(&one)?.prepared("reading a user", 200)?;
    for (method, path) in requests {
        let request = t.request_at(Surface::Users, method, &path);
        let request = if method == "DELETE" {
            request
        } else {
            request.json(&json!({ "name": "Otra", "age": 1, "title": "Otra" }))
        };
        let reply = request.send()?;
        let after = t.users_get(&one)?.json();
        let is_left = same(&after, &wanted);
        let readings = [("404", reply.status() == 404 && is_left), ("405", reply.status() == 405 && is_left)];
        let got = format!("{method} {path}: {}; then {}", reply.status(), brief(&after.to_string()));
        reading(t, "users/wrong-method", &readings, got)?;
    }
    Ok(())
}

fn a_slash_at_the_end_is_open(t: &Trial<'_>) -> Judged {
    let user = t.create_user()?;
    for path in ["/users".to_owned(), format!("/users/{}", user.id), format!("/users/{}/posts", user.id)] {
        let without = t.users_get(&path)?.status();
        let with = t.users_get(&format!("{path}/"))?;
        let readings =
            [("404 for a slash at the end", with.status() == 404), ("as without the slash", with.status() == without)];
        reading(t, "users/wrong-method", &readings, format!("GET {path}/: {}", with.status()))?;
    }
    Ok(())
}
