//! The reduced GraphQL endpoint: the need of it, queries to it, and the users it has.

use crate::chapters::prelude::*;

/// What every case of the chapter needs.
pub(crate) const ENDPOINT: Need = Need::Interface(Interface::GraphqlReduced);

pub(crate) fn ask(cx: &CaseContext<'_>, query: &str) -> Result<Reply, CaseError> {
    demo::ask(cx, Interface::GraphqlReduced, query)
}

/// The users the endpoint lists, as far as they have an id of their own that is a text.
pub(crate) fn known_users(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let reply = ask(cx, "{ users { id name age } }")?.prepared("reading all users", 200)?;
    let Some(Value::Array(users)) = reply.at("/data") else {
        let got = brief(&reply.received().text());
        return Err(CaseError::blocked("reading all users", format!("want a list under data, got {got}")));
    };
    Ok(demo::with_own_ids(&users))
}

/// The same; notes where there are none.
pub(crate) fn known_users_noted(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let known = known_users(cx)?;
    if known.is_empty() {
        note_no_users(cx)?;
    }
    Ok(known)
}

/// `{ user(id: ...) <selection> }`
pub(crate) fn user_query(id: &str, selection: &str) -> String {
    format!("{{ user(id: {}) {selection} }}", quoted(id))
}

pub(crate) fn id_of(user: &Value) -> &str {
    user["id"].as_str().unwrap_or_default()
}

/// The target has no users to look at: passing says less than it might.
pub(crate) fn note_no_users(cx: &CaseContext<'_>) -> CaseResult {
    cx.tell("the target has no users here: only empty answers were seen")
}
