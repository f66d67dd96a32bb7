//! The reduced endpoint over HTTP, and what the documents leave open there.

use super::forms::{ENDPOINT, ask, id_of, known_users};
use crate::chapters::prelude::*;

cases! { "graphql-reduced";
    /// POST to paths beside and below the reduced endpoint is 404.
    other_paths_are_404 judges ["graphql-reduced/other-path"] needs [ENDPOINT] => |cx| {
        let query = json!({ "query": "{ users { id } }" });
        ask(cx, "{ users { id } }")?.prepared("reading all users", 200)?;
        for path in ["x", "foo/bar", "/nada", "/graphql"] {
            for method in ["POST", "GET"] {
                let request = cx.request_at(Interface::GraphqlReduced, method, path).json_where_due(&query);
                request.send()?.check().refused(404)?;
            }
        }
        // The rest of the host is known to be its own only if the endpoint is where the documents put it.
        let address = cx.target().address(Interface::GraphqlReduced);
        if address.is_some_and(|address| address.prefix == "/graphql") {
            for path in ["/nada", "/graph", "/graphq"] {
                cx.request_beside(Interface::GraphqlReduced, "POST", path).json(&query).send()?.check().refused(404)?;
            }
        }
        Ok(())
    };
    /// Other spellings of a reduced query answer as the plainest one does, or are 400.
    other_spellings_are_open judges ["graphql-reduced/spelling"] needs [ENDPOINT] => |cx| {
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
                let mut wanted = known.iter().map(|known| json!({ "id": known["id"], "name": known["name"] }));
                data.as_array().is_some_and(|users| wanted.all(|wanted| users.iter().any(|user| same(user, &wanted))))
            })?;
        }
        // Values that no id has.
        for value in ["1.5", "1e3", "-1", "true", "null", "[1]", "Uno"] {
            let reply = ask(cx, &format!("{{ user(id: {value}) {{ name }} }}"))?;
            cx.observe_of(&format!("id {value}"), &[("taken", reply.is(200)), ("400", reply.is(400))], reply.summary())?;
        }
        let Some(user) = known.first() else { return Ok(()) };
        let id = id_of(user);
        let mut of_user = vec![
            format!("query {{ user(id: {}) {{ name }} }}", quoted(id)),
            format!("{{user(id:{}){{name}}}}", quoted(id)),
            format!("{{ user ( id : {} , ) {{ name }} }}", quoted(id)),
        ];
        if !id.is_empty() && !id.starts_with('0') && id.bytes().all(|byte| byte.is_ascii_digit()) {
            of_user.push(format!("{{ user(id: {id}) {{ name }} }}"));
        }
        let wanted = json!({ "name": user["name"] });
        of_user.iter().try_for_each(|query| taken_or_400(cx, query, |data| same(data, &wanted)))
    };
    /// posts inside the reduced query users is accepted, or 400.
    posts_inside_users_is_open judges ["graphql-reduced/posts-in-users"] needs [ENDPOINT] => |cx| {
        for field in ["id", "title"] {
            let query = format!("{{ users {{ name posts {{ {field} }} }} }}");
            // A list of posts, or null for none.
            let are_posts = |posts: &Value| match posts {
                Value::Array(posts) => posts.iter().all(|post| has_exactly_keys(post, &[field])),
                other => other.is_null(),
            };
            let is_user = |user: &Value| user["name"].is_string() && user.get("posts").is_some_and(are_posts);
            taken_or_400(cx, &query, |data| data.as_array().is_some_and(|users| users.iter().all(is_user)))?;
        }
        Ok(())
    };
    /// A field named twice in a reduced query is returned once, or is 400.
    repeated_fields_are_open judges ["graphql-reduced/spelling"] needs [ENDPOINT] => |cx| {
        let is_user = |user: &Value| has_exactly_keys(user, &["id", "name"]);
        taken_or_400(cx, "{ users { id name id } }", |data| data.as_array().is_some_and(|users| users.iter().all(is_user)))
    };
}

/// The query gives the right answer, or is refused with 400.
fn taken_or_400(cx: &CaseContext<'_>, query: &str, is_right: impl Fn(&Value) -> bool) -> CaseResult {
    let reply = ask(cx, query)?;
    let data = reply.at("/data");
    let is_taken = reply.is(200) && data.as_ref().is_some_and(is_right);
    let is_400 = reply.is(400) && !reply.text_at("/error").is_empty();
    cx.observe(&[("taken", is_taken), ("400", is_400)], format!("{query}: {}", reply.summary()))
}
