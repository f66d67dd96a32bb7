//! The reduced GraphQL variant: all users, one user by id, and posts with one field inside a user.

use serde_json::{Map, Value, json};

use super::document::{Argument, Document, Field, Operation, Selection, SelectionSet};
use super::{failure, preflight};
use crate::message::{Interface, Reply, Request};
use crate::records::Demo;
use crate::state::State;
use crate::steps::Steps;

pub(crate) fn answer(steps: &Steps, state: &State, request: &Request) -> Reply {
    match (request.method.as_str(), request.path.as_str()) {
        ("OPTIONS", _) => return preflight("POST, OPTIONS"),
        ("POST", "/graphql") => {}
        _ => return failure(404, "Not found"),
    }
    let Ok(sent) = serde_json::from_slice::<Value>(&request.body) else {
        return failure(400, "The body is not JSON");
    };
    let Some(text) = sent["query"].as_str() else { return failure(400, "query must be a string") };
    let data = root(text).and_then(|root| resolve(steps, &state.graphql_reduced_demo, &root));
    data.map_or_else(|| failure(400, "unsupported query"), |data| Reply::json(200, &json!({"data": data})))
}

/// The single root field of a plain query.
fn root(text: &str) -> Option<Field> {
    let Document { operations, fragments } = Document::parse(text).ok()?;
    let [Operation { keyword: "query", variables, directives, set, .. }] = operations.as_slice() else { return None };
    let [root] = plain_fields(set)?.try_into().ok()?;
    (fragments.is_empty() && variables.is_empty() && directives.is_empty()).then_some(root)
}

/// The fields of a selection, if there is nothing but plain fields in it.
fn plain_fields(set: &SelectionSet) -> Option<Vec<Field>> {
    let plain = |selection: &Selection| match selection {
        Selection::Field(field) if field.alias.is_none() && field.directives.is_empty() => Some(field.clone()),
        _ => None,
    };
    set.items.iter().map(plain).collect()
}

/// The data of a root field; `None` for an unsupported form, even if no user would show it.
fn resolve(steps: &Steps, demo: &Demo, root: &Field) -> Option<Value> {
    let fields = plain_fields(&root.selection_set).filter(|fields| !fields.is_empty())?;
    user(steps, demo, &Value::Null, &fields)?;
    let arguments: Vec<_> = root.arguments.iter().map(|(name, value)| (name.as_str(), value)).collect();
    match (root.name.as_str(), arguments.as_slice()) {
        ("users", []) => demo.users.iter().map(|known| user(steps, demo, known, &fields)).collect(),
        ("user", [("id", id)]) => {
            let id = match id {
                Argument::String(id) => id.clone(),
                Argument::Int(number) => number.as_i64()?.to_string(),
                _ => return None,
            };
            demo.user(&id).map_or(Some(Value::Null), |known| user(steps, demo, known, &fields))
        }
        _ => None,
    }
}

fn user(steps: &Steps, demo: &Demo, source: &Value, fields: &[Field]) -> Option<Value> {
    let mut object = Map::new();
    for field in fields.iter() {
        let inner = plain_fields(&field.selection_set).filter(|_| field.arguments.is_empty())?;
        let value = match field.name.as_str() {
            "posts" => posts(steps, demo, source, &inner)?,
            name if inner.is_empty() => (steps.demo.reduced_field)(source, name)?,
            _ => return None,
        };
        object.insert(field.name.clone(), value);
    }
    Some(Value::Object(object))
}

fn posts(steps: &Steps, demo: &Demo, source: &Value, inner: &[Field]) -> Option<Value> {
    if !inner.iter().all(|field| field.selection_set.items.is_empty() && field.arguments.is_empty()) {
        return None;
    }
    let names: Vec<&str> = inner.iter().map(|field| field.name.as_str()).collect();
    (steps.demo.reduced_post)(&Value::Null, &names)?;
    let posts = (steps.demo.posts_of)(Interface::GraphqlReduced, demo, source);
    posts.iter().map(|post| (steps.demo.reduced_post)(post, &names)).collect()
}
