//! Reading and creating users, where several answers show what is right.

use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, accepted, is_success, likely_ids};

cases! { "users";
    /// The list of users is 200 and an array that has a created user once, as its creation answered.
    created_user_is_listed_once judges ["users/list-created"] needs [USERS] => |cx| {
        let made = demo::create_user(cx)?;
        let list = demo::get(cx, "/users")?;
        let wanted = json!({ "id": made.id, "name": made.name, "age": AGE });
        let is_there = is_listed(&list, &wanted);
        list.check()
            .status(200)?
            .at_where("", "an array", Value::is_array)?
            .that(is_there, Place::BODY, format!("{wanted} in it, once"), list.summary())
            .map(drop)
    };
    /// Users created at the same moment are all in the list, unless one replaced another of the same id.
    users_created_at_once_are_all_listed judges ["users/list-created"] needs [USERS, Need::UsersAtOnce] => |cx| {
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
    };
    /// The list of users has every user that an id finds.
    list_has_each_that_is_found judges ["users/list-all"] needs [USERS] => |cx| {
        demo::create_user(cx)?;
        let mut found = Vec::new();
        for id in likely_ids(cx)? {
            let reply = demo::get(cx, &format!("/users/{id}"))?;
            found.extend(reply.at("/id").filter(|found| reply.is(200) && *found == id.as_str()));
        }
        demo::lists_all(&demo::get(cx, "/users")?, "", &found)
    };
    /// Each user of the list can be read by its id, as the list shows it.
    listed_users_are_read judges ["users/read-status"] needs [USERS] => |cx| {
        const READ_MAX: usize = 6;
        demo::create_user(cx)?;
        let listed = demo::get(cx, "/users")?.json();
        let users = demo::with_own_ids(listed.as_array().map_or(&[], Vec::as_slice));
        let with_ids = users.iter().map(|user| (user["id"].as_str().unwrap_or_default(), user));
        for (id, user) in with_ids.filter(|(id, _)| demo::is_plain(id)).take(READ_MAX) {
            demo::get(cx, &format!("/users/{id}"))?.check().status(200)?.body(user)?;
        }
        Ok(())
    };
    /// Negative and fractional ages of users are stored as sent, or are 400.
    odd_ages_are_open judges ["users/age-range"] needs [USERS] => |cx| {
        // GraphQL has no fraction as an age: where it shows the same users, one with a fraction would spoil its list of them.
        let made = demo::create_user(cx)?;
        let fractions = [json!(30.5), json!(0.25)];
        let is_read_by_graphql = demo::is_shown_by_graphql(cx, &made)?;
        for age in [json!(-1)].into_iter().chain(fractions.into_iter().filter(|_| !is_read_by_graphql)) {
            let body = json!({ "name": cx.unique("Ada"), "age": age });
            let reply = demo::user_creation(cx, &body).send()?;
            let shown = reply.json()["age"].clone();
            let cut = age.as_f64().unwrap_or_default().trunc();
            let readings = [
                ("accepted", is_success(&reply) && same(&shown, &age)),
                ("cut", is_success(&reply) && shown.as_f64() == Some(cut)),
                ("400", reply.is(400)),
            ];
            cx.observe(&readings, format!("{body}: {}", reply.summary()))?;
        }
        Ok(())
    };
}

pub(crate) const USERS: Need = Need::Interface(Interface::Users);

/// Whether a list has a user once.
fn is_listed(list: &Reply, user: &Value) -> bool {
    let list = list.json();
    let of_name = list.as_array().into_iter().flatten().filter(|listed| listed["name"] == user["name"]);
    matches!(of_name.collect::<Vec<_>>()[..], [listed] if same(listed, user))
}

/// Whether a later user of the same millisecond has taken the place of this one.
fn is_replaced(list: &Reply, user: &Value) -> bool {
    let list = list.json();
    let has = |field: &str| list.as_array().is_some_and(|users| users.iter().any(|other| other[field] == user[field]));
    has("id") && !has("name")
}
