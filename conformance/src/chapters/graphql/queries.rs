//! Queries without depth: the shape of the answer, all users, one user, a user's posts, and no field that was not asked for.

use super::endpoint::{ENDPOINT, ask, ask_for_user, data, known_users, posts_of, user_field};
use super::selection::covers;
use crate::chapters::prelude::*;
use crate::fixture::demo::{AGE, DemoUser, likely_ids};

cases! { "graphql";
    /// The query users is a list of users with id, name and age of their types.
    users_are_users judges ["graphql/users"] needs [ENDPOINT] => |cx| {
        let reply = ask(cx, "{ users { id name age } }")?;
        let users = data(&reply, "reading all users")?["users"].clone();
        let check = reply.check().that(users.is_array(), Place::body("/data/users"), "a list of users", &users)?;
        let is_user = |user: &Value| user["id"].is_string() && user["name"].is_string() && user["age"].is_i64();
        for index in 0..users.as_array().map_or(0, Vec::len) {
            check.at_where(&format!("/data/users/{index}"), "{ id: text, name: text, age: integer }", is_user)?;
        }
        Ok(())
    };
    /// The query users returns each user created by mutation once.
    users_has_those_created judges ["graphql/users"] needs [ENDPOINT] => |cx| {
        // Sixteen times, so that once no other case has created a user after it.
        for _ in 0..16 {
            let user = found_user(cx)?;
            let reply = ask(cx, "{ users { id name age } }")?;
            let users = data(&reply, "reading all users")?["users"].clone();
            let has_name = |listed: &&Value| listed["name"] == user.name.as_str();
            let found: Vec<&Value> = users.as_array().into_iter().flatten().filter(has_name).collect();
            let wanted = json!({ "id": user.id, "name": user.name, "age": AGE });
            let is_listed_once = matches!(found[..], [user] if covers(&wanted, user));
            let (want, got) = (format!("{wanted}, once"), format!("{found:?}"));
            reply.check().that(is_listed_once, Place::body("/data/users"), want, got)?;
        }
        Ok(())
    };
    /// The query users returns every user that the query user finds, whichever field is selected.
    users_has_each_that_is_found judges ["graphql/users"] needs [ENDPOINT] => |cx| {
        let mut found = Vec::new();
        for id in likely_ids(cx)? {
            let reply = ask_for_user(cx, &json!(id), "{ id }")?;
            found.extend(reply.at("/data/user/id").filter(|found| *found == id.as_str()));
        }
        for fields in ["id", "id name age", "id posts { id }"] {
            let reply = ask(cx, &format!("{{ users {{ {fields} }} }}"))?;
            data(&reply, "reading all users")?;
            demo::lists_all(&reply, "/data/users", &found)?;
        }
        Ok(())
    };
    /// The query user returns each listed user by its id.
    user_is_the_one_of_the_id judges ["graphql/user"] needs [ENDPOINT] => |cx| {
        const USERS_MAX: usize = 6;
        let (users, latest) = two_made(cx)?;
        for user in latest.iter().chain(users.iter().take(USERS_MAX)) {
            let reply = ask_for_user(cx, &user["id"], "{ id name age }")?;
            let wanted = json!({ "id": user["id"], "name": user["name"], "age": user["age"] });
            data(&reply, "reading a user")?;
            reply.check().at_where("/data/user", wanted.to_string(), |got| covers(&wanted, got))?;
        }
        Ok(())
    };
    /// posts of a user are its own: id and title as strings, no post with two users, none with a new one.
    posts_are_the_users_own judges ["graphql/posts"] needs [ENDPOINT] => |cx| {
        let made = demo::create_by_mutation(cx)?;
        let users = known_users(cx)?;
        let is_post = |post: &Value| post["id"].is_string() && post["title"].is_string();
        let check = |is_fine: bool, want: &str, got: String| {
            cx.check(is_fine, Place::body("/data/users").when("and posts"), want, brief(&got))
        };
        let mut seen = BTreeSet::new();
        for user in &users {
            for post in posts_of(user) {
                check(is_post(post), "id and title, texts", post.to_string())?;
                let is_new = seen.insert(post["id"].to_string());
                check(is_new, "every post with one user", format!("{post} with a second one"))?;
            }
            let is_fine = user["id"] != made.id.as_str() || posts_of(user).is_empty();
            check(is_fine, "no posts of a user just created", user["posts"].to_string())?;
        }
        for user in users.iter().filter(|user| !posts_of(user).is_empty()).take(6) {
            let reply = ask_for_user(cx, &user["id"], "{ posts { id title } }")?;
            let got = data(&reply, "reading a user")?["user"]["posts"].clone();
            let wanted = json!(posts_of(user));
            check(same(&got, &wanted), &format!("{wanted}, as in users"), got.to_string())?;
        }
        if seen.is_empty() {
            cx.tell("no user of the target has posts: only empty lists were seen")?;
        }
        Ok(())
    };
    /// Users have only the fields that the query selects.
    only_fields_asked_for_come judges ["graphql/only-requested"] needs [ENDPOINT] => |cx| {
        const CHOICES: [&[&str]; 7] =
            [&["id"], &["name"], &["age"], &["name", "id"], &["age", "id"], &["age", "name"], &["name", "age", "id"]];
        let user = found_user(cx)?;
        for choice in CHOICES {
            let selection = format!("{{ {} }}", choice.join(" "));
            let query = format!("{{ users {selection} {} }}", user_field(&json!(user.id), &selection));
            let reply = ask(cx, &query)?;
            data(&reply, "reading users")?;
            let have_keys =
                |users: &Value| users.as_array().is_some_and(|users| users.iter().all(|user| has_exactly_keys(user, choice)));
            let check = reply.check().keys("/data", &["users", "user"])?.keys("/data/user", choice)?;
            check.at_where("/data/users", format!("each with {choice:?} alone"), have_keys)?;
        }
        Ok(())
    };
}

/// A user made by mutation that `user` finds.
fn found_user(cx: &CaseContext<'_>) -> Result<DemoUser, CaseError> {
    let user = demo::create_by_mutation(cx)?;
    let found = data(&ask_for_user(cx, &json!(user.id), "{ id }")?, "reading the created user")?;
    CaseError::blocked_unless(found["user"].is_object(), "reading the created user", format!("got {found}"))?;
    Ok(user)
}

/// All users with a unique id, and two new ones among them: a service that always answers with one user fails.
fn two_made(cx: &CaseContext<'_>) -> Result<(Vec<Value>, Vec<Value>), CaseError> {
    let made = [demo::create_by_mutation(cx)?, demo::create_by_mutation(cx)?];
    let users = known_users(cx)?;
    let is_made = |user: &&Value| made.iter().any(|made| user["id"] == made.id.as_str());
    let latest: Vec<Value> = users.iter().filter(is_made).cloned().collect();
    CaseError::blocked_unless(latest.len() == made.len(), "reading all users", "the created users are not among them")?;
    Ok((users, latest))
}
