//! Effects that several demonstration interfaces share, and misreadings of GraphQL queries. Knows no fault and no schema.

use libros_conformance_model::demo_fields::age;
use libros_conformance_model::message::{Reply, Request};
use serde_json::{Value, json};

use crate::impostor::world::Shared;

pub(crate) fn whole_age(sent: Option<&Value>) -> Option<Value> {
    let is_whole = |age: &Value| age.as_f64().is_some_and(|age| age >= 0.0 && age.fract() == 0.0);
    age(sent).filter(is_whole)
}

pub(crate) fn not_found() -> Reply {
    Reply::json(404, &json!({"error": "Not found"}))
}

/// A later user or registration replaces an earlier one with the same id.
pub(crate) fn replace_same_ids(state: &mut Shared, request: &Request) {
    let users = &mut state.demo(request.interface).users;
    if let Some(last) = users.pop() {
        users.retain(|user| user["id"] != last["id"]);
        users.push(last);
    }
    if let Some(last) = state.signups.pop() {
        state.signups.retain(|(id, _)| *id != last.0);
        state.signups.push(last);
    }
}

pub(crate) fn without_aliases(query: &str) -> String {
    let mut plain = String::new();
    let mut depth = 0;
    for c in query.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ':' && depth == 0 {
            plain.truncate(plain.trim_end().rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1));
        } else {
            plain.push(c);
        }
    }
    plain
}

/// Adds the fields to the query's first selection below the root; leaves introspection as it is.
pub(crate) fn ask_for(query: &str, fields: &str) -> String {
    let at = query.match_indices('{').nth(1).map(|(at, _)| at + 1).filter(|_| !query.contains("__schema"));
    at.map_or_else(|| query.to_owned(), |at| format!("{} {fields} {}", &query[..at], &query[at..]))
}

pub(crate) fn first_root(query: &str) -> String {
    let mut depth = 0;
    let end = query.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '{') - i32::from(*c == '}');
        *c == '}' && depth == 1
    });
    end.map_or_else(|| query.to_owned(), |(at, _)| format!("{} }}", &query[..=at]))
}
