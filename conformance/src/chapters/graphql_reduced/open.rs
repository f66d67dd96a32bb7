//! Forms on which the documents can be read in more ways than one: taken, or 400.

use super::endpoint::{ENDPOINT, ask, id_of, known_users};
use crate::chapters::prelude::*;
use crate::fixture::demo::quoted;

cases! { "graphql-reduced";
    /// Other spellings of the forms answer as the plainest one does, or are 400.
    other_spellings_are_open judges ["graphql-reduced/spelling"] needs [ENDPOINT];
    /// posts inside users is taken, or 400.
    posts_inside_users_is_open judges ["graphql-reduced/posts-in-users"] needs [ENDPOINT];
    /// A field named twice comes once, or is 400.
    repeated_fields_are_open judges ["graphql-reduced/spelling"] needs [ENDPOINT];
}

/// Taken as something checked, or refused.
fn taken_or_400(cx: &CaseContext<'_>, query: &str, is_right: impl Fn(&Value) -> bool) -> CaseResult {
    let reply = ask(cx, query)?;
    let data = reply.at("/data");
    let is_taken = reply.status() == 200 && data.as_ref().is_some_and(is_right);
    let is_400 = reply.status() == 400 && !reply.text_at("/error").is_empty();
    cx.observe(&[("taken", is_taken), ("400", is_400)], format!("{query}: {}", reply.summary()))
}

fn other_spellings_are_open(cx: &CaseContext<'_>) -> CaseResult {
    let of_users = [
        "query { users { id name } }",
        "query Todos { users { id name } }",
        "{users{id name}}",
        "{ users { id, name } }",
        "  {\n\tusers\n\t{\n\t\tid\n\t\tname\n\t}\n}\n",
        "{ users { id # first\n name } } # last",
        ",,{,users,{,id,name,},},",
    ];
    let known = known_users(cx)?;
    for query in of_users {
        taken_or_400(cx, query, |data| {
            let users = data.as_array();
            users.is_some_and(|users| {
                known.iter().all(|known| {
                    let wanted = json!({ "id": known["id"], "name": known["name"] });
                    users.iter().any(|user| same(user, &wanted))
                })
            })
        })?;
    }
    // Values that no id has.
    for value in ["1.5", "1e3", "-1", "true", "null", "[1]", "Uno"] {
        let reply = ask(cx, &format!("{{ user(id: {value}) {{ name }} }}"))?;
        let readings = [("taken", reply.status() == 200), ("400", reply.status() == 400)];
        cx.observe_of(&format!("id {value}"), &readings, reply.summary())?;
    }
    let Some(user) = known.first() else {
        return Ok(());
    };
    let id = id_of(user);
    let mut of_user = vec![
        format!("query {{ user(id: {}) {{ name }} }}", quoted(id)),
        format!("{{user(id:{}){{name}}}}", quoted(id)),
        format!("{{ user ( id : {} , ) {{ name }} }}", quoted(id)),
    ];
    if !id.is_empty() && !id.starts_with('0') && id.bytes().all(|byte| byte.is_ascii_digit()) {
        of_user.push(format!("{{ user(id: {id}) {{ name }} }}"));
    }
    for query in of_user {
        taken_or_400(cx, &query, |data| same(data, &json!({ "name": user["name"] })))?;
    }
    Ok(())
}

/// A list of posts, or null for none, each with these fields alone.
fn are_posts(posts: Option<&Value>, fields: &[&str]) -> bool {
    let is_post = |post: &Value| {
        post.as_object()
            .is_some_and(|post| post.len() == fields.len() && fields.iter().all(|key| post.contains_key(*key)))
    };
    match posts {
        Some(Value::Array(posts)) => posts.iter().all(is_post),
        Some(Value::Null) => true,
        _ => false,
    }
}

fn posts_inside_users_is_open(cx: &CaseContext<'_>) -> CaseResult {
    for field in ["id", "title"] {
        let query = format!("{{ users {{ name posts {{ {field} }} }} }}");
        taken_or_400(cx, &query, |data| {
            let is_user = |user: &Value| user["name"].is_string() && are_posts(user.get("posts"), &[field]);
            data.as_array().is_some_and(|users| users.iter().all(is_user))
        })?;
    }
    Ok(())
}

fn repeated_fields_are_open(cx: &CaseContext<'_>) -> CaseResult {
    taken_or_400(cx, "{ users { id name id } }", |data| {
        let is_user = |user: &Value| {
            user.as_object().is_some_and(|user| user.len() == 2 && user.contains_key("id") && user.contains_key("name"))
        };
        data.as_array().is_some_and(|users| users.iter().all(is_user))
    })
}
