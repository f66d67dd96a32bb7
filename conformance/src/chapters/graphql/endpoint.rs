//! The GraphQL endpoint: the need of it, queries to it, and the users it has.

use crate::chapters::prelude::*;

pub(crate) const ENDPOINT: Need = Need::Interface(Interface::Graphql);

pub(crate) fn ask(cx: &CaseContext<'_>, query: &str) -> Result<Reply, CaseError> {
    demo::ask(cx, Interface::Graphql, query)
}

/// For preparations: the answer's data; blocks the case on errors or without data.
pub(crate) fn data(reply: &Reply, step: &str) -> Result<Value, CaseError> {
    let data = reply.at("/data").filter(|data| !data.is_null() && reply.is(200) && reply.at("/errors/0").is_none());
    data.ok_or_else(|| reply.blocked(step, "status 200 and data without errors"))
}

/// The users the endpoint lists, as far as they have an id of their own that is a text, each with posts: a list, empty for null.
pub(crate) fn known_users(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let reply = ask(cx, "{ users { id name age posts { id title } } }")?;
    let users = data(&reply, "reading all users")?["users"].as_array().cloned().unwrap_or_default();
    let mut known = demo::with_own_ids(&users);
    known.iter_mut().filter(|user| user["posts"].is_null()).for_each(|user| user["posts"] = json!([]));
    Ok(known)
}

pub(crate) fn posts_of(user: &Value) -> &[Value] {
    user["posts"].as_array().map_or(&[], Vec::as_slice)
}

/// `user(id: ...) <selection>`
pub(crate) fn user_field(id: &Value, selection: &str) -> String {
    format!("user(id: {}) {selection}", quoted(id.as_str().unwrap_or_default()))
}

/// `{ user(id: ...) <selection> }`
pub(crate) fn ask_for_user(cx: &CaseContext<'_>, id: &Value, selection: &str) -> Result<Reply, CaseError> {
    ask(cx, &demo::user_query(id.as_str().unwrap_or_default(), selection))
}
