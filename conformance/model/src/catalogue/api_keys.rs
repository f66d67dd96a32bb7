//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Value, json};

use super::guard::guard;
use super::handler::{Failure, Outcome, RequestContext, SERVICE_KEY};
use crate::accounts::permissions::Operation;
use crate::clock::iso;
use crate::records::Client;

/// POST /auth/api-keys
pub(crate) fn create(cx: &mut RequestContext<'_>) -> Outcome {
    guard(cx, Operation::CreateKey)?;
    let (sent, steps) = (cx.fields()?, &cx.steps.auth.api_keys);
    let name = (steps.name)(sent.get("nombre")).ok_or(Failure::bad("nombre is required"))?;
    let permissions = (steps.permissions)(sent.get("permisos"));
    let permissions = permissions.ok_or(Failure::bad("permisos must be a list of permissions"))?;
    let rate_limit = (steps.rate_limit)(sent.get("rateLimit"));
    let rate_limit = rate_limit.ok_or(Failure::bad("rateLimit must be an integer"))?;
    let client = Client {
        key: (steps.key)(),
        id: (steps.id)(cx.state.clients.len()),
        name,
        permissions,
        rate_limit,
        created_at: iso(cx.now()),
        last_used: None,
    };
    let mut body = shown(&client.key, &client);
    body["advertencia"] = "Keep this key: it is shown only once".into();
    cx.state.clients.push(client);
    Ok(cx.reply(201, &body))
}

fn shown(key: &str, client: &Client) -> Value {
    let Client { id, name, permissions, rate_limit, .. } = client;
    json!({"apiKey": key, SERVICE_KEY: {"id": id, "name": name, "permissions": permissions, "rateLimit": rate_limit}})
}

/// GET /auth/api-keys
pub(crate) fn list(cx: &mut RequestContext<'_>) -> Outcome {
    guard(cx, Operation::ListKeys)?;
    let entry = |client: &Client| {
        let mut entry = shown(&(cx.steps.auth.api_keys.shown_key)(&client.key), client);
        entry[SERVICE_KEY]["createdAt"] = json!(client.created_at);
        entry[SERVICE_KEY]["lastUsed"] = json!(client.last_used);
        entry
    };
    let entries: Value = cx.state.clients.iter().map(entry).collect();
    Ok(cx.reply(200, &entries))
}
