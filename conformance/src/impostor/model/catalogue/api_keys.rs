//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Map, Value, json};

use super::super::clock::iso;
use super::super::records::Client;
use super::body::fields;
use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::request_context::{RequestContext, SERVICE_KEY};

/// POST /auth/api-keys
pub(crate) fn create(cx: &RequestContext<'_>) -> Outcome {
    guard(cx, Some(cx.policy().auth.api_keys.create_takes))?;
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
    Ok(cx.reply(201).body(&body).build())
}

/// Creates and stores the client that was asked for.
fn client(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<Client, Failure> {
    let policy = &cx.policy().auth.api_keys;
    let name = (policy.name)(sent.get("nombre")).ok_or_else(|| Failure::bad("nombre is required"))?;
    let permissions = (policy.permissions)(sent.get("permisos"));
    let permissions = permissions.ok_or_else(|| Failure::bad("permisos must be a list of permissions"))?;
    let rate_limit = (policy.rate_limit)(sent.get("rateLimit"));
    let rate_limit = rate_limit.ok_or_else(|| Failure::bad("rateLimit must be an integer"))?;
    let mut state = cx.lock();
    let client = Client {
        key: (policy.key)(),
        id: (policy.id)(state.clients.len()),
        name,
        permissions,
        rate_limit,
        created_at: iso(cx.now()),
        last_used: None,
    };
    state.clients.push(client.clone());
    Ok(client)
}

/// GET /auth/api-keys
pub(crate) fn list(cx: &RequestContext<'_>) -> Outcome {
    let policy = &cx.policy().auth.api_keys;
    guard(cx, Some(policy.list_takes))?;
    let entry = |client: &Client| {
        json!({
            "apiKey": (policy.shown_key)(&client.key),
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
    let entries: Value = cx.lock().clients.iter().map(entry).collect();
    Ok(cx.reply(200).body(&entries).build())
}
