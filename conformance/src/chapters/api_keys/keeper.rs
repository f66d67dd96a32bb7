//! An admin who keeps API keys: creating them, listing them, finding one by its name.

use crate::chapters::prelude::*;

/// An admin of the case's own, who may manage keys; its session.
pub(crate) fn keeper(cx: &CaseContext<'_>) -> Result<String, CaseError> {
    Ok(users::register_and_log_in(cx, "admin")?.1.session)
}

/// Asks for a key with exactly that body.
pub(crate) fn create(cx: &CaseContext<'_>, keeper: &str, body: &Value) -> Result<Reply, CaseError> {
    cx.post("/auth/api-keys").bearer(keeper).json(body).send()
}

/// Asks for a key with a nombre of the case's own and these fields; it must be given.
pub(crate) fn created(cx: &CaseContext<'_>, keeper: &str, fields: &Value) -> Result<Reply, CaseError> {
    let mut body = json!({ "nombre": cx.unique("cliente") });
    if let (Some(body), Some(fields)) = (body.as_object_mut(), fields.as_object()) {
        body.extend(fields.clone());
    }
    create(cx, keeper, &body)?.prepared("creating an API key", 201)
}

/// The list of keys.
pub(crate) fn listed(cx: &CaseContext<'_>, keeper: &str) -> Result<Reply, CaseError> {
    cx.get("/auth/api-keys").bearer(keeper).send()?.prepared("listing API keys", 200)
}

/// The JSON pointer to the client of the entry that carries that name in a list.
pub(crate) fn entry_named(cx: &CaseContext<'_>, list: &Reply, name: &str) -> Result<usize, CaseError> {
    let pointer = clients::client_field(cx, "name");
    let entries = list.json();
    let is_it = |entry: &Value| entry.pointer(&pointer).is_some_and(|found| found == name);
    let found = entries.as_array().and_then(|entries| entries.iter().position(is_it));
    found.ok_or_else(|| {
        CaseError::blocked("finding a client in the list", format!("no entry has a client named {name}"))
    })
}
