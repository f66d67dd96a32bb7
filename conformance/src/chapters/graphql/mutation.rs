//! The mutation, and the schema as introspection shows it.

use md5::{Digest as _, Md5};

use super::endpoint::{ENDPOINT, ask, data};
use crate::chapters::prelude::*;

cases! { "graphql";
    /// Users created by mutations at the same moment are all listed, but for whom another of the same id has replaced.
    users_created_at_once_are_all_listed judges ["graphql/create-user-stays"] needs [ENDPOINT, Need::UsersAtOnce] => |cx| {
        let made = concurrency::simultaneously(8, |_| demo::create_by_mutation(cx))?;
        let list = ask(cx, "{ users { id name } }")?;
        let text = list.json().to_string();
        for user in made {
            let is_there = text.contains(&user.name) || text.contains(&user.id);
            list.check().that(is_there, Place::body("/data/users"), format!("{} in it", user.name), list.summary())?;
        }
        Ok(())
    };
    /// A createUser that yields no user creates none.
    refused_create_user_creates_nobody judges ["graphql/create-user-arguments"] needs [ENDPOINT] => |cx| {
        let name = cx.unique("Ana");
        let age = odd_age(cx);
        let text = quoted(&name);
        let all = [
            format!("(name: {text})"),
            format!("(name: {text}, age: \"41\")"),
            format!("(name: {text}, age: 41.5)"),
            format!("(age: {age})"),
            format!("(name: 5, age: {age})"),
            format!("(name: null, age: {age})"),
        ];
        for arguments in &all {
            mutation(cx, arguments).creating_no_user().send()?;
        }
        // Apart, for a user without a name or an age may keep that field of all users from being read.
        let (mut found, mut seen) = (Vec::new(), Vec::new());
        for (field, theirs) in [("name", json!(name)), ("age", json!(age))] {
            let reply = ask(cx, &format!("{{ users {{ {field} }} }}"))?;
            let users = reply.at("/data/users").unwrap_or_default();
            let users = users.as_array().into_iter().flatten();
            let before = found.len();
            found.extend(users.filter(|user| user[field] == theirs).cloned());
            seen.extend((found.len() > before).then_some(reply));
        }
        data(&ask(cx, "{ users { id } }")?, "reading all users")?;
        let place = Place::body("/data/users").when("after refused mutations");
        cx.check(found.is_empty(), place, "nobody created by them", format!("{found:?}")).seen_in(&seen)
    };
    /// Introspection, if it is supported, shows the documented types, lists and non-null fields.
    introspection_tells_the_schema judges ["graphql/schema"] needs [ENDPOINT] => |cx| {
        let schema = ask(cx, QUERY)?.at("/data/__schema").unwrap_or_default();
        let Some(types) = schema["types"].as_array() else {
            return cx.tell("introspection is switched off: what may be null was not seen");
        };
        for (name, fields) in SCHEMA {
            // The roots may have any name.
            let type_name = match name {
                "Query" => schema["queryType"]["name"].as_str(),
                "Mutation" => schema["mutationType"]["name"].as_str(),
                _ => Some(name),
            };
            let shown = types.iter().find(|shown| shown["name"].as_str() == type_name);
            let shown_fields = shown.and_then(|shown| shown["fields"].as_array()).into_iter().flatten();
            let spelled: Vec<String> = shown_fields.map(spelled_field).collect();
            for field in fields {
                let is_shown = spelled.iter().any(|shown| shows_field(shown, field));
                cx.check(is_shown, format!("the type {name}"), *field, spelled.join(", "))?;
            }
        }
        Ok(())
    };
    /// Introspection, if it is supported, shows no field userId of a post.
    introspection_shows_no_user_id judges ["graphql/post-without-user-id"] needs [ENDPOINT] => |cx| {
        let reply = ask(cx, "{ __schema { types { name fields { name } } } }")?;
        let types = reply.at("/data/__schema/types").unwrap_or_default();
        let post = types.as_array().into_iter().flatten().find(|known| known["name"] == "Post");
        let fields = post.map(|post| post["fields"].clone()).unwrap_or_default();
        let has_user_id = fields.as_array().into_iter().flatten().any(|field| field["name"] == "userId");
        reply.check().that(!has_user_id, "the type Post", "no field userId", fields).map(drop)
    };
}

fn mutation<'c>(cx: &'c CaseContext<'_>, arguments: &str) -> Request<'c> {
    demo::query(cx, Interface::Graphql, &format!("mutation {{ createUser{arguments} {{ id name age }} }}"))
}

/// A random age, which hardly any other user has.
fn odd_age(cx: &CaseContext<'_>) -> u32 {
    let digest = Md5::digest(cx.unique("edad"));
    1_000_000 + u32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]) % 1_000_000_000
}

const QUERY: &str = "{ __schema { queryType { name } mutationType { name } types { name fields { name \
    type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } \
    args { name type { kind name ofType { kind name ofType { kind name } } } } } } } }";

/// Type, and its fields with their types as the document spells them.
const SCHEMA: [(&str, &[&str]); 4] = [
    ("User", &["id: ID!", "name: String!", "age: Int!", "posts: [Post]"]),
    ("Post", &["id: ID!", "title: String!", "user: User"]),
    ("Query", &["users: [User]", "user(id: ID!): User"]),
    ("Mutation", &["createUser(age: Int!, name: String!): User"]),
];

/// A type as schemas spell it.
fn spelled(kind: &Value) -> String {
    match kind["kind"].as_str() {
        Some("NON_NULL") => format!("{}!", spelled(&kind["ofType"])),
        Some("LIST") => format!("[{}]", spelled(&kind["ofType"])),
        _ => kind["name"].as_str().unwrap_or("?").to_owned(),
    }
}

/// Whether introspection shows a field as documented. It may promise more: never to be null where the document lets it be.
fn shows_field(told: &str, documented: &str) -> bool {
    let parts = |field: &str| field.rsplit_once(": ").map(|(name, kind)| (name.to_owned(), kind.to_owned()));
    match (parts(told), parts(documented)) {
        (Some((name, kind)), Some((known, wanted))) => name == known && promises(&kind, &wanted),
        _ => false,
    }
}

fn promises(told: &str, wanted: &str) -> bool {
    let (bare, bare_wanted) = (told.trim_end_matches('!'), wanted.trim_end_matches('!'));
    let inside = |kind: &str| kind.strip_prefix('[').and_then(|kind| kind.strip_suffix(']')).map(str::to_owned);
    let is_alike = match (inside(bare), inside(bare_wanted)) {
        (Some(items), Some(wanted)) => promises(&items, &wanted),
        (None, None) => bare == bare_wanted,
        _ => false,
    };
    is_alike && (told.ends_with('!') || !wanted.ends_with('!'))
}

/// A field as schemas spell it, its arguments in the order of their names.
fn spelled_field(field: &Value) -> String {
    let named = |item: &Value| format!("{}: {}", item["name"].as_str().unwrap_or("?"), spelled(&item["type"]));
    let mut arguments: Vec<String> = field["args"].as_array().into_iter().flatten().map(named).collect();
    arguments.sort();
    if arguments.is_empty() {
        return named(field);
    }
    let name = field["name"].as_str().unwrap_or("?");
    format!("{name}({}): {}", arguments.join(", "), spelled(&field["type"]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_may_promise_more_than_the_document_and_never_less() {
        assert!(shows_field("posts: [Post]", "posts: [Post]") && shows_field("users: [User!]!", "users: [User]"));
        assert!(!shows_field("name: String", "name: String!") && !shows_field("posts: Post", "posts: [Post]"));
        assert!(!shows_field("user(id: ID): User", "user(id: ID!): User"));
    }
}
