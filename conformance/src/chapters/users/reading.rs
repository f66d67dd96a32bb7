//! The list of users, a single user, and unknown users.

use super::interface::{USERS, listed};
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, accepted, likely_ids, unknown_ids};

cases! { "users";
    /// The list is 200 and an array of users, each with id, name and age of their types, and without posts.
    the_list_is_an_array_of_users judges ["users/list-array"] needs [USERS];
    /// The list is 200 and an array, and a created user is in it once, as the answer to its creation showed it.
    created_user_is_listed_once judges ["users/list-created"] needs [USERS];
    /// Users created at the same moment are all in the list, but for whom another of the same id has replaced.
    users_created_at_once_are_all_listed judges ["users/list-created"] needs [USERS, Need::UsersAtOnce];
    /// Every user that an id finds is in the list.
    list_has_each_that_is_found judges ["users/list-all"] needs [USERS];
    /// A created user is read by its id.
    created_user_is_read judges ["users/read-status"] needs [USERS];
    /// Users of the list are read by their ids, each as the list shows it.
    listed_users_are_read judges ["users/read-status"] needs [USERS];
    /// Unknown ids are 404, however close to a known one.
    unknown_ids_are_404 judges ["users/unknown-id"] needs [USERS];
}

/// Whether a list has a user once.
fn is_listed(list: &Reply, user: &Value) -> bool {
    let list = list.json();
    let users = list.as_array().map_or(&[][..], Vec::as_slice);
    users.iter().filter(|listed| listed["name"] == user["name"]).count() == 1
        && users.iter().any(|listed| same(listed, user))
}

/// Whether a later user of the same millisecond has taken the place of this one.
fn is_replaced(list: &Reply, user: &Value) -> bool {
    let list = list.json();
    let has = |field: &str| list.as_array().is_some_and(|users| users.iter().any(|other| other[field] == user[field]));
    has("id") && !has("name")
}

/// What every list must hold is judged of this one.
fn the_list_is_an_array_of_users(cx: &CaseContext<'_>) -> CaseResult {
    demo::create_user(cx)?;
    demo::get(cx, "/users").map(drop)
}

fn created_user_is_listed_once(cx: &CaseContext<'_>) -> CaseResult {
    let made = demo::create_user(cx)?;
    let list = demo::get(cx, "/users")?;
    let wanted = json!({ "id": made.id, "name": made.name, "age": AGE });
    let is_there = is_listed(&list, &wanted);
    list.check()
        .status(200)?
        .at_where("", "an array", Value::is_array)?
        .that(is_there, Place::BODY, format!("{wanted} in it, once"), list.summary())
        .map(drop)
}

fn users_created_at_once_are_all_listed(cx: &CaseContext<'_>) -> CaseResult {
    const AT_ONCE: usize = 8;
    let users = concurrency::simultaneously(AT_ONCE, |_| {
        let name = cx.unique("Hedy");
        let reply = demo::user_creation(cx, &json!({ "name": name, "age": AGE })).send()?;
        let id = accepted(reply, "creating a user")?.at("/id").unwrap_or_default();
        Ok(json!({ "id": id, "name": name, "age": AGE }))
    })?;
    let list = demo::get(cx, "/users")?;
    for user in users {
        let is_there = is_listed(&list, &user) || is_replaced(&list, &user);
        list.check().status(200)?.that(is_there, Place::BODY, format!("{user} in it, once"), list.summary())?;
    }
    Ok(())
}

fn list_has_each_that_is_found(cx: &CaseContext<'_>) -> CaseResult {
    demo::create_user(cx)?;
    let mut found = Vec::new();
    for id in likely_ids(cx)? {
        let reply = demo::get(cx, &format!("/users/{id}"))?;
        found.extend(reply.at("/id").filter(|found| reply.status() == 200 && *found == id.as_str()));
    }
    let list = demo::get(cx, "/users")?;
    let users = list.json();
    let is_listed = |id: &&Value| users.as_array().is_some_and(|users| users.iter().any(|user| user["id"] == **id));
    let missing: Vec<&Value> = found.iter().filter(|id| !is_listed(id)).collect();
    let got = format!("a list without {}", missing.iter().copied().cloned().collect::<Value>());
    list.check().that(missing.is_empty(), Place::BODY, "every user that an id finds", got).map(drop)
}

fn created_user_is_read(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    let wanted = json!({ "id": user.id, "name": user.name, "age": AGE });
    demo::get(cx, &format!("/users/{}", user.id))?.check().status(200)?.body(&wanted).map(drop)
}

/// Ids that stand in a path as they are.
fn is_plain(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

fn listed_users_are_read(cx: &CaseContext<'_>) -> CaseResult {
    const READ_MAX: usize = 6;
    demo::create_user(cx)?;
    let users = listed(cx)?;
    let times = |id: &str| users.iter().filter(|user| user["id"] == id).count();
    let mut read = 0;
    for user in &users {
        let id = user["id"].as_str().unwrap_or_default();
        if !is_plain(id) || times(id) > 1 || read == READ_MAX {
            continue;
        }
        read += 1;
        demo::get(cx, &format!("/users/{id}"))?.check().status(200)?.body(user)?;
    }
    Ok(())
}

fn unknown_ids_are_404(cx: &CaseContext<'_>) -> CaseResult {
    let user = demo::create_user(cx)?;
    demo::get(cx, &format!("/users/{}", user.id))?.prepared("reading a user", 200)?;
    for id in unknown_ids(cx, &user.id) {
        demo::get(cx, &format!("/users/{id}"))?.check().status(404)?;
    }
    Ok(())
}
