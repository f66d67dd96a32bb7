//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Map, Value, json};

use super::body::fields;
use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::request_context::{RequestContext, SERVICE_KEY};
use crate::accounts::permissions::Operation;
use crate::clock::iso;
use crate::records::Client;

/// POST /auth/api-keys
pub(crate) fn create(cx: &mut RequestContext<'_>) -> Outcome {
    guard(cx, Operation::CreateKey)?;
    let client = client(cx, &fields(cx)?)?;
    let body = json!({
        "apiKey": client.key,
        SERVICE_KEY: {
            "id": client.id,
            "name": client.name,
            "permissions": client.permissions,
            "rateLimit": client.rate_limit,
        },
        "advertencia": "Keep this key: it is shown only once",
    });
    cx.state.clients.push(client);
    Ok(cx.reply(201).body(&body).build())
}

/// The client that was asked for.
fn client(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<Client, Failure> {
    let steps = &cx.steps.auth.api_keys;
    let name = (steps.name)(sent.get("nombre")).ok_or_else(|| Failure::bad("nombre is required"))?;
    let permissions = (steps.permissions)(sent.get("permisos"));
    let permissions = permissions.ok_or_else(|| Failure::bad("permisos must be a list of permissions"))?;
    let rate_limit = (steps.rate_limit)(sent.get("rateLimit"));
    let rate_limit = rate_limit.ok_or_else(|| Failure::bad("rateLimit must be an integer"))?;
    Ok(Client {
        key: (steps.key)(),
        id: (steps.id)(cx.state.clients.len()),
        name,
        permissions,
        rate_limit,
        created_at: iso(cx.now()),
        last_used: None,
    })
}

/// GET /auth/api-keys
pub(crate) fn list(cx: &mut RequestContext<'_>) -> Outcome {
    guard(cx, Operation::ListKeys)?;
    let entry = |client: &Client| {
        json!({
            "apiKey": (cx.steps.auth.api_keys.shown_key)(&client.key),
            SERVICE_KEY: {
                "id": client.id,
                "name": client.name,
                "permissions": client.permissions,
                "rateLimit": client.rate_limit,
                "createdAt": client.created_at,
                "lastUsed": client.last_used,
            },
        })
    };
    let entries: Value = cx.state.clients.iter().map(entry).collect();
    Ok(cx.reply(200).body(&entries).build())
}
