//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Map, Value, json};

use super::super::clock::{format, iso};
use super::super::records::Client;
use super::body::fields;
use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::request_context::{RequestContext, SERVICE_KEY};

/// Every permission there is.
const PERMISSIONS: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

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
    let permissions = permissions(cx, sent.get("permisos"))?;
    let rate_limit = rate_limit(cx, sent.get("rateLimit"))?;
    let now = cx.now();
    let mut state = cx.lock();
    let number = (policy.number)(state.clients.len(), now);
    let client = Client {
        key: (policy.key)(),
        id: format!("{}{number}", policy.id_prefix),
        name,
        permissions,
        rate_limit,
        created_at: format(now, policy.created_at),
        last_used: policy.creation_is_a_use.then(|| iso(now)),
    };
    state.clients.push(client.clone());
    Ok(client)
}

/// The permissions as sent; `read:libros` when none are.
fn permissions(cx: &RequestContext<'_>, sent: Option<&Value>) -> Result<Vec<String>, Failure> {
    let policy = &cx.policy().auth.api_keys;
    let default = || vec![policy.default_permission.to_owned()];
    let Some(sent) = sent else {
        return Ok(default());
    };
    let refused = || Failure::bad("permisos must be a list of permissions");
    let sent: Vec<String> = serde_json::from_value(sent.clone()).map_err(|_| refused())?;
    let odd = match sent.as_slice() {
        [] => policy.empty_permissions,
        names if names.iter().any(|name| !PERMISSIONS.contains(&name.as_str())) => policy.unknown_permissions,
        _ => return Ok(sent),
    };
    odd.settle(sent, default).ok_or_else(refused)
}

/// The limit as sent; 1000 when none is.
fn rate_limit(cx: &RequestContext<'_>, sent: Option<&Value>) -> Result<Value, Failure> {
    let policy = &cx.policy().auth.api_keys;
    let default = || json!(policy.default_rate_limit);
    let Some(sent) = sent.cloned() else {
        return Ok(default());
    };
    let odd = match sent.as_f64() {
        Some(0.0) => policy.zero_rate_limit,
        Some(number) if number.fract() == 0.0 => return Ok(sent),
        _ => policy.odd_rate_limit,
    };
    odd.settle(sent, default).ok_or_else(|| Failure::bad("rateLimit must be an integer"))
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
