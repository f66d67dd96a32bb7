//! The reduced GraphQL variant: all users, one user by id, and posts with one field inside a user.

use async_graphql_parser::types::{DocumentOperations, Field, OperationType, Selection, SelectionSet};
use serde_json::{Map, Value, json};

use super::super::state::{Demo, Endpoint};
use super::super::world::World;
use super::{failure, reply, too_deep};
use crate::impostor::http::{Reply, Request};

/// Answers a request of the reduced endpoint.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let on = |fault: &str| world.faults.on(fault);
    let known = request.path == "/graphql" || on("reduced-takes-any-path");
    if request.method == "OPTIONS" && !known && world.faults.reads("reduced-options-elsewhere-is-404") {
        return failure(world, 404, "Not found");
    }
    if request.method == "OPTIONS" {
        let mut reply = Reply::bare(world.faults.pick("reduced-options-is-200", 200, 204));
        reply.set("Access-Control-Allow-Origin", "*");
        let methods = if world.faults.reads("reduced-options-says-more") { "OPTIONS,POST" } else { "POST, OPTIONS" };
        reply.set("Access-Control-Allow-Methods", methods);
        reply.set("Access-Control-Allow-Headers", "Content-Type");
        return reply;
    }
    if !known || request.method != "POST" {
        if on("reduced-wrong-method-is-405") && known {
            return failure(world, 405, "Method not allowed");
        }
        return failure(world, 404, "Not found");
    }
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        let status = world.faults.pick("reduced-malformed-is-500", 500, 400);
        return failure(world, status, "The body is no JSON");
    };
    let text = match sent.get("query") {
        Some(Value::String(text)) => text.clone(),
        Some(other) if on("reduced-number-as-query-is-null") && !other.is_null() => {
            return reply(world, 200, &json!({"data": null}));
        }
        None if on("reduced-missing-query-is-null") => {
            return reply(world, 200, &json!({"data": null}));
        }
        _ => return failure(world, 400, "query must be a text"),
    };
    let Some(root) = root(world, &text) else {
        if on("reduced-mutation-is-null") && text.trim_start().starts_with("mutation") {
            return reply(world, 200, &json!({"data": null}));
        }
        if on("reduced-errors-as-graphql") {
            return reply(world, 400, &json!({"errors": [{"message": "unsupported query"}]}));
        }
        return failure(world, 400, "unsupported query");
    };
    let name = root.name.node.to_string();
    let demo = world.lock().demo(Endpoint::Reduced, &world.faults).clone();
    match resolve(world, &demo, &root) {
        None => failure(world, 400, "unsupported query"),
        Some(Value::Null) if on("reduced-unknown-user-is-404") => failure(world, 404, "User not found"),
        Some(data) if on("reduced-users-under-root-key") && name == "users" => {
            reply(world, 200, &json!({"data": {name: data}}))
        }
        Some(data) if on("reduced-user-under-root-key") && name == "user" => {
            reply(world, 200, &json!({"data": {name: data}}))
        }
        Some(data) => reply(world, 200, &json!({"data": data})),
    }
}

/// The single root field of a plain query; everything else is no supported form.
fn root(world: &World, text: &str) -> Option<Field> {
    if too_deep(text) {
        return None;
    }
    if world.faults.reads("reduced-plain-spelling-only") && !text.trim_start().starts_with('{') {
        return None;
    }
    let document = async_graphql_parser::parse_query(text).ok()?;
    let DocumentOperations::Single(operation) = &document.operations else {
        return match document.operations.iter().collect::<Vec<_>>().as_slice() {
            [(_, operation)] if document.fragments.is_empty() => plain(world, &operation.node),
            _ => None,
        };
    };
    if !document.fragments.is_empty() {
        return None;
    }
    plain(world, &operation.node)
}

fn plain(world: &World, operation: &async_graphql_parser::types::OperationDefinition) -> Option<Field> {
    let plain = operation.ty == OperationType::Query
        && operation.variable_definitions.is_empty()
        && operation.directives.is_empty();
    let fields = plain_fields(world, &operation.selection_set.node)?;
    match fields.as_slice() {
        [field] if plain => Some(field.clone()),
        [field, ..] if plain && world.faults.on("reduced-takes-first-of-several-roots") => Some(field.clone()),
        _ => None,
    }
}

/// The fields of a selection, if there is nothing but plain fields in it.
fn plain_fields(world: &World, set: &SelectionSet) -> Option<Vec<Field>> {
    set.items
        .iter()
        .map(|selection| match &selection.node {
            Selection::Field(field) => {
                let alias_fine = field.node.alias.is_none() || world.faults.on("reduced-ignores-aliases");
                let fine = alias_fine && field.node.directives.is_empty();
                fine.then(|| field.node.clone())
            }
            _ => None,
        })
        .collect()
}

fn resolve(world: &World, demo: &Demo, root: &Field) -> Option<Value> {
    let fields = plain_fields(world, &root.selection_set.node)?;
    if fields.is_empty() {
        return world.faults.on("reduced-empty-selection-passes").then_some(json!([]));
    }
    // Looked at once without a user too, so that an unsupported form is refused where there is none.
    user(world, demo, &Value::Null, &fields)?;
    let arguments: Vec<_> = root.arguments.iter().map(|(name, value)| (name.node.as_str(), &value.node)).collect();
    let has_posts = fields.iter().any(|field| field.name.node == "posts");
    match (root.name.node.as_str(), arguments.as_slice()) {
        ("users", _) if has_posts && world.faults.reads("reduced-posts-in-user-only") => None,
        ("users", []) if world.faults.on("reduced-users-are-two") => {
            demo.users.iter().take(2).map(|known| user(world, demo, known, &fields)).collect()
        }
        ("users", []) => demo.users.iter().map(|known| user(world, demo, known, &fields)).collect(),
        ("user", [("id", id)]) => {
            let id = match (*id).clone().into_json().ok()? {
                Value::String(id) if !id.starts_with('$') => id,
                Value::Number(_) if world.faults.reads("reduced-plain-spelling-only") => {
                    return None;
                }
                number @ Value::Number(_) => number.to_string(),
                _ => return None,
            };
            let known = demo.users.iter().find(|known| known["id"] == id.as_str());
            known.map_or(Some(Value::Null), |known| user(world, demo, known, &fields))
        }
        _ => None,
    }
}

fn user(world: &World, demo: &Demo, source: &Value, fields: &[Field]) -> Option<Value> {
    let on = |fault: &str| world.faults.on(fault);
    let mut object = Map::new();
    if on("reduced-answers-every-field") && source.is_object() {
        object = source.as_object()?.clone();
    }
    for field in fields {
        let name = field.name.node.as_str();
        if object.contains_key(name) && world.faults.reads("reduced-repeated-fields-refused") {
            return None;
        }
        let inner = plain_fields(world, &field.selection_set.node)?;
        let value = match name {
            _ if !field.arguments.is_empty() => return None,
            "age" if on("reduced-knows-no-age") => return None,
            "id" | "name" | "age" if inner.is_empty() => source.get(name).cloned().unwrap_or(Value::Null),
            "posts" => posts(world, demo, source, &inner)?,
            _ if on("reduced-unknown-field-is-null") => Value::Null,
            _ => return None,
        };
        object.insert(name.to_owned(), value);
    }
    Some(Value::Object(object))
}

fn posts(world: &World, demo: &Demo, source: &Value, inner: &[Field]) -> Option<Value> {
    let on = |fault: &str| world.faults.on(fault);
    if inner.len() == 2 && world.faults.reads("reduced-posts-take-both-fields") {
        let fine = inner.iter().all(|field| matches!(field.name.node.as_str(), "id" | "title"));
        let shown = |post: &Value| json!({"id": post["id"], "title": post["title"]});
        let of_user = |post: &&Value| post["userId"] == source["id"];
        return fine.then(|| demo.posts.iter().filter(of_user).map(shown).collect());
    }
    let [field] = inner else { return None };
    let name = field.name.node.as_str();
    if !matches!(name, "id" | "title") || !field.selection_set.node.items.is_empty() || !field.arguments.is_empty() {
        return None;
    }
    if name == "id" && on("reduced-posts-know-title-only") {
        return None;
    }
    let of_user = |post: &&Value| post["userId"] == source["id"];
    let shown = |post: &Value| match name {
        _ if on("reduced-posts-whole") => post.clone(),
        _ if on("reduced-posts-as-texts") => post[name].clone(),
        _ => json!({name: post[name]}),
    };
    Some(demo.posts.iter().filter(of_user).map(shown).collect())
}
