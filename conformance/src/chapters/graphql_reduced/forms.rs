//! The forms the endpoint takes: all users, one user, any choice of fields, posts with one field.

use crate::chapters::prelude::*;
use crate::fixture::demo::likely_ids;

cases! { "graphql-reduced";
    /// The reduced query users is 200 with a list under data and nothing beside it.
    users_is_a_list_under_data judges ["graphql-reduced/users-list"] needs [ENDPOINT] => |cx| {
        for query in ["{ users { id name age } }", "{ users { id } }"] {
            let reply = ask(cx, query)?;
            reply.check().status(200)?.keys("", &["data"])?.at_where("/data", "a list of objects", |users| {
                users.as_array().is_some_and(|users| users.iter().all(Value::is_object))
            })?;
        }
        let is_user = |user: &Value| user["name"].is_string() && user["age"].is_i64();
        let reply = ask(cx, "{ users { id name age } }")?;
        let listed = reply.at("/data").unwrap_or_default();
        let known = demo::with_own_ids(listed.as_array().map_or(&[][..], Vec::as_slice));
        note_where_none(cx, &known)?;
        let are_users = known.iter().all(is_user);
        let want = "users, each with a text as name and an integer as age";
        reply.check().that(are_users, Place::body("/data"), want, brief(&reply.received().text())).map(drop)
    };
    /// The reduced query users returns every user that the query user finds, whichever field is selected.
    users_has_each_that_is_found judges ["graphql-reduced/users-all"] needs [ENDPOINT] => |cx| {
        let mut found = Vec::new();
        for id in likely_ids(cx)? {
            let reply = ask(cx, &demo::user_query(&id, "{ id }"))?.prepared("reading a user", 200)?;
            found.extend(reply.at("/data/id").filter(|found| *found == id.as_str()));
        }
        note_where_none(cx, &found)?;
        for fields in ["id", "id name", "id name age", "age id"] {
            let reply = ask(cx, &format!("{{ users {{ {fields} }} }}"))?.prepared("reading all users", 200)?;
            demo::lists_all(&reply, "/data", &found)?;
        }
        Ok(())
    };
    /// The reduced query user is 200 with the user itself under data.
    user_is_an_object_under_data judges ["graphql-reduced/user-object"] needs [ENDPOINT] => |cx| {
        // Where users cannot be read, the shape can be seen by their ids alone.
        let listed = ask(cx, "{ users { id } }")?.at("/data").unwrap_or_default();
        let listed = listed.as_array().map_or(&[][..], Vec::as_slice);
        note_where_none(cx, listed)?;
        for user in listed.iter().take(USERS_MAX) {
            let reply = ask(cx, &demo::user_query(id_of(user), "{ id }"))?;
            reply.check().status(200)?.keys("", &["data"])?.at("/data/id", &user["id"])?;
        }
        Ok(())
    };
    /// The reduced query users returns exactly the selected ones of id, name and age.
    any_fields_of_users judges ["graphql-reduced/fields"] needs [ENDPOINT] => |cx| {
        let known = ask(cx, &format!("{{ users {{ {} }} }}", CHOICES[0].join(" ")))?.at("/data").unwrap_or_default();
        let known = known.as_array().cloned().unwrap_or_default();
        note_where_none(cx, &known)?;
        let mut answers = Vec::new();
        for fields in CHOICES {
            let reply = ask(cx, &format!("{{ users {{ {} }} }}", fields.join(" ")))?;
            let users = reply.at("/data").unwrap_or_default();
            let users = users.as_array().cloned().unwrap_or_default();
            let have_fields = users.iter().all(|user| has_exactly_keys(user, fields));
            let (want, got) = (format!("users, each with {} alone", fields.join(", ")), brief(&reply.received().text()));
            reply.check().status(200)?.that(have_fields, Place::body("/data"), want, got)?;
            answers.push((fields, reply, users));
        }
        for (fields, reply, users) in &answers {
            let has = |wanted: Value| users.iter().any(|got| same(got, &wanted));
            let want = format!("every user, each with {} alone", fields.join(", "));
            let got = brief(&reply.received().text());
            reply.check().that(known.iter().all(|user| has(chosen(user, fields))), Place::body("/data"), want, got)?;
        }
        Ok(())
    };
    /// The reduced query user returns exactly the selected ones of id, name and age.
    any_fields_of_a_user judges ["graphql-reduced/fields"] needs [ENDPOINT] => |cx| {
        for user in known_users_noted(cx)?.iter().take(USERS_MAX) {
            for fields in CHOICES {
                let reply = ask(cx, &demo::user_query(id_of(user), &format!("{{ {} }}", fields.join(" "))))?;
                reply.check().status(200)?.at("/data", &chosen(user, fields))?;
            }
        }
        Ok(())
    };
    /// The reduced query user returns exactly the fields selected beside posts.
    any_fields_beside_posts judges ["graphql-reduced/fields-beside-posts"] needs [ENDPOINT] => |cx| {
        let choices = [&[][..]].into_iter().chain(CHOICES).zip(["title", "id"].into_iter().cycle());
        for user in known_users_noted(cx)?.iter().take(USERS_MAX) {
            for (fields, inner) in choices.clone() {
                let posts = format!("posts {{ {inner} }}");
                let selected = Vec::from_iter(fields.iter().copied().chain([posts.as_str()])).join(" ");
                let reply = ask(cx, &demo::user_query(id_of(user), &format!("{{ {selected} }}")))?;
                let keys: Vec<&str> = fields.iter().copied().chain(["posts"]).collect();
                let mut check = reply.check().status(200)?.keys("/data", &keys)?;
                for field in fields {
                    check = check.at(&format!("/data/{field}"), &user[*field])?;
                }
            }
        }
        Ok(())
    };
    /// posts { title } and posts { id } in the reduced query user return the user's posts with only that field.
    posts_have_the_field_asked_for judges ["graphql-reduced/posts-field"] needs [ENDPOINT] => |cx| {
        let mut seen = 0;
        for user in known_users(cx)?.iter().take(2 * USERS_MAX) {
            let mut counts = BTreeSet::new();
            for (field, selection) in [
                ("title", "{ posts { title } }"),
                ("id", "{ posts { id } }"),
                ("title", "{ name posts { title } }"),
                ("id", "{ id posts { id } age }"),
            ] {
                let reply = ask(cx, &demo::user_query(id_of(user), selection))?;
                let has_field = |post: &Value| has_exactly_keys(post, &[field]) && post[field].is_string();
                let are_posts =
                    |posts: &Value| posts.is_null() || posts.as_array().is_some_and(|posts| posts.iter().all(has_field));
                let check = reply.check().status(200)?;
                check.at_where("/data/posts", format!("a list of posts with {field} alone"), are_posts)?;
                counts.insert(posts(&reply).len());
                seen += posts(&reply).len();
                let (want, got) = ("as many posts whatever is asked for", format!("{counts:?} posts"));
                check.that(counts.len() == 1, Place::body("/data/posts"), want, got)?;
            }
        }
        if seen == 0 { note_no_posts(cx) } else { Ok(()) }
    };
    /// The reduced queries show no post under two users.
    posts_are_the_users_own judges ["graphql-reduced/posts-field"] needs [ENDPOINT] => |cx| {
        let mut owners = BTreeSet::new();
        for user in known_users(cx)?.iter().take(2 * USERS_MAX) {
            let reply = ask(cx, &demo::user_query(id_of(user), "{ posts { id } }"))?;
            let reply = reply.prepared("reading the posts of a user", 200)?;
            for post in posts(&reply) {
                if !post["id"].is_string() {
                    return Err(reply.blocked("reading the posts of a user", "an id, a text, of each"));
                }
                let (is_new, got) = (owners.insert(post["id"].to_string()), format!("{post} with a second one"));
                reply.check().that(is_new, Place::body("/data/posts"), "every post with one user", got)?;
            }
        }
        if owners.is_empty() { note_no_posts(cx) } else { Ok(()) }
    };
}

/// Every choice of fields that is not empty, in several orders; all of them first.
const CHOICES: [&[&str]; 9] = [
    &["id", "name", "age"],
    &["id"],
    &["name"],
    &["age"],
    &["id", "name"],
    &["age", "id"],
    &["name", "age"],
    &["age", "name", "id"],
    &["name", "id", "age"],
];

const USERS_MAX: usize = 6;

fn chosen(user: &Value, fields: &[&str]) -> Value {
    let fields = fields.iter().map(|field| ((*field).to_owned(), user[*field].clone()));
    Value::Object(fields.collect())
}

/// The posts of an answer about one user; empty if they are not a list.
fn posts(reply: &Reply) -> Vec<Value> {
    let posts = reply.at("/data/posts").unwrap_or_default();
    posts.as_array().cloned().unwrap_or_default()
}

fn note_no_posts(cx: &CaseContext<'_>) -> CaseResult {
    cx.tell("no user of the target has posts here: only empty lists were seen")
}

pub(crate) const ENDPOINT: Need = Need::Interface(Interface::GraphqlReduced);

pub(crate) fn ask(cx: &CaseContext<'_>, query: &str) -> Result<Reply, CaseError> {
    demo::ask(cx, Interface::GraphqlReduced, query)
}

/// The listed users whose id is a string that no other user has.
pub(crate) fn known_users(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let reply = ask(cx, "{ users { id name age } }")?.prepared("reading all users", 200)?;
    let Some(Value::Array(users)) = reply.at("/data") else {
        return Err(reply.blocked("reading all users", "a list at /data"));
    };
    Ok(demo::with_own_ids(&users))
}

/// The same; notes where there are none.
fn known_users_noted(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let known = known_users(cx)?;
    note_where_none(cx, &known)?;
    Ok(known)
}

pub(crate) fn id_of(user: &Value) -> &str {
    user["id"].as_str().unwrap_or_default()
}

/// Notes it where the target has no users: passing proves less.
fn note_where_none(cx: &CaseContext<'_>, users: &[Value]) -> CaseResult {
    let none = "the target has no users here: only empty answers were seen";
    if users.is_empty() { cx.tell(none) } else { Ok(()) }
}
