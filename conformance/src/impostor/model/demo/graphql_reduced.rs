//! The reduced GraphQL variant: all users, one user by id, and posts with one field inside a user.

use serde_json::{Map, Value, json};

use super::super::records::Demo;
use super::super::state::Interface;
use super::super::world::World;
use super::document::{Argument, Document, Field, Kind, Operation, Selection, SelectionSet};
use super::{failure, policy, posts_shown, preflight, reply};
use crate::impostor::http::{Reply, Request};
use crate::impostor::policy::demo::GraphqlReducedPolicy as Policy;

/// Answers a request of the reduced interface.
pub(crate) fn answer(world: &World, request: &Request) -> Reply {
    let policy = &policy(world).graphql_reduced;
    let path_known = request.path == "/graphql" || policy.serves_any_path;
    match request.method.as_str() {
        "OPTIONS" => return preflight(world, &policy.preflight, path_known),
        "POST" if path_known => {}
        _ if path_known => return failure(world, policy.wrong_method, "Not found"),
        _ => return failure(world, 404, "Not found"),
    }
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(world, policy.malformed, "The body is not JSON");
    };
    let null = || reply(world, 200, &json!({"data": null}));
    let text = match sent.get("query") {
        Some(Value::String(text)) => text,
        None if policy.null_without_query => return null(),
        Some(other) if policy.null_for_other_types && !other.is_null() => return null(),
        _ => return failure(world, 400, "query must be a string"),
    };
    if policy.mutation_is_null && text.trim_start().starts_with("mutation") {
        return null();
    }
    match run(world, policy, text) {
        Some((root, data)) => {
            let (status, body) = policy.answer.unwrap_or(under_data)(&root, &data);
            reply(world, status, &body)
        }
        None if policy.lists_errors => reply(world, 400, &json!({"errors": [{"message": "unsupported query"}]})),
        None => failure(world, 400, "unsupported query"),
    }
}

fn under_data(_: &str, data: &Value) -> (u16, Value) {
    (200, json!({"data": data}))
}

/// The name of the root and its data; none for a form that is not supported.
fn run(world: &World, policy: &Policy, text: &str) -> Option<(String, Value)> {
    let root = root(policy, text)?;
    let demo = world.lock().demo(Interface::GraphqlReduced, super::policy(world)).clone();
    let data = resolve(policy, &demo, &root)?;
    Some((root.name, data))
}

/// The single root field of a plain query.
fn root(policy: &Policy, text: &str) -> Option<Field> {
    let is_spelled_so = !policy.reads_printed_forms_only || text.trim_start().starts_with('{');
    if !is_spelled_so {
        return None;
    }
    let document = Document::parse(text).ok()?;
    match document.operations.as_slice() {
        [operation] if document.fragments.is_empty() => root_of(policy, operation),
        _ => None,
    }
}

fn root_of(policy: &Policy, operation: &Operation) -> Option<Field> {
    let is_plain = operation.kind == Kind::Query && operation.variables.is_empty() && operation.directives.is_empty();
    let mut fields = plain_fields(policy, &operation.set)?;
    let is_one = fields.len() == 1 || policy.takes_first_of_several_roots && !fields.is_empty();
    (is_plain && is_one).then(|| fields.remove(0))
}

/// The fields of a selection, if there is nothing but plain fields in it.
fn plain_fields(policy: &Policy, set: &SelectionSet) -> Option<Vec<Field>> {
    let plain = |selection: &Selection| match selection {
        Selection::Field(field) => {
            let is_named_so = field.alias.is_none() || policy.ignores_aliases;
            (is_named_so && field.directives.is_empty()).then(|| field.clone())
        }
        _ => None,
    };
    set.items.iter().map(plain).collect()
}

/// The data of a root field; none for a form that is not supported, even where there is no user to see it.
fn resolve(policy: &Policy, demo: &Demo, root: &Field) -> Option<Value> {
    let fields = plain_fields(policy, &root.selection_set)?;
    if fields.is_empty() {
        return (policy.takes_empty_selections).then(|| json!([]));
    }
    user(policy, demo, &Value::Null, &fields)?;
    let arguments: Vec<_> = root.arguments.iter().map(|(name, value)| (name.as_str(), value)).collect();
    match (root.name.as_str(), arguments.as_slice()) {
        ("users", []) if !policy.posts_in_users && fields.iter().any(|field| field.name == "posts") => None,
        ("users", []) => {
            demo.users.iter().take(policy.users_max).map(|known| user(policy, demo, known, &fields)).collect()
        }
        ("user", [("id", id)]) => {
            let id = match id {
                Argument::String(id) => id.clone(),
                Argument::Int(number) if !policy.reads_printed_forms_only => number.as_i64()?.to_string(),
                _ => return None,
            };
            let known = demo.users.iter().find(|known| known["id"] == id.as_str());
            known.map_or(Some(Value::Null), |known| user(policy, demo, known, &fields))
        }
        _ => None,
    }
}

fn user(policy: &Policy, demo: &Demo, source: &Value, fields: &[Field]) -> Option<Value> {
    let mut object = Map::new();
    if policy.answers_every_field {
        object = source.as_object().cloned().unwrap_or_default();
    }
    for field in fields {
        let name = field.name.as_str();
        if object.contains_key(name) && policy.refuses_repeated_fields {
            return None;
        }
        if !field.arguments.is_empty() {
            return None;
        }
        let inner = plain_fields(policy, &field.selection_set)?;
        let value = if name == "posts" {
            posts(policy, demo, source, &inner)?
        } else if policy.user_fields.contains(&name) && inner.is_empty() {
            source.get(name).cloned().unwrap_or(Value::Null)
        } else if policy.unknown_field_is_null {
            Value::Null
        } else {
            return None;
        };
        object.insert(name.to_owned(), value);
    }
    Some(Value::Object(object))
}

/// The posts of a user with the fields asked for.
fn posts(policy: &Policy, demo: &Demo, source: &Value, inner: &[Field]) -> Option<Value> {
    let is_known = |field: &Field| {
        let is_bare = field.selection_set.items.is_empty() && field.arguments.is_empty();
        is_bare && policy.post_fields.contains(&field.name.as_str())
    };
    if inner.is_empty() || inner.len() > policy.post_fields_max || !inner.iter().all(is_known) {
        return None;
    }
    let shown = |post: &Value| match policy.post {
        Some(show) => show(post, &inner[0].name),
        None => {
            let field = |field: &Field| (field.name.clone(), post[field.name.as_str()].clone());
            inner.iter().map(field).collect::<Map<_, _>>().into()
        }
    };
    Some(posts_shown(demo, source, policy.posts_of_everybody).iter().map(shown).collect())
}
