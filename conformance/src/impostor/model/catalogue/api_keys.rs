//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Map, Value, json};

use super::super::clock::{format, iso};
use super::super::records::Client;
use super::body::fields;
use super::failure::Failure;
use super::guard::guard;
use super::{Exchange, Outcome, SERVICE_KEY};

/// Every permission there is.
const PERMISSIONS: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// POST /auth/api-keys
pub(crate) fn create(exchange: &Exchange<'_>) -> Outcome {
    guard(exchange, Some(exchange.policy().auth.api_keys.create_takes))?;
    let client = client(exchange, &fields(exchange)?)?;
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
    Ok(exchange.dress(201).body(&body).done())
}

/// Creates and stores the client that was asked for.
fn client(exchange: &Exchange<'_>, sent: &Map<String, Value>) -> Result<Client, Failure> {
    let policy = &exchange.policy().auth.api_keys;
    let name = (policy.name)(sent.get("nombre")).ok_or_else(|| Failure::bad("nombre is required"))?;
    let permissions = permissions(exchange, sent.get("permisos"))?;
    let rate_limit = rate_limit(exchange, sent.get("rateLimit"))?;
    let now = exchange.now();
    let mut state = exchange.lock();
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
fn permissions(exchange: &Exchange<'_>, sent: Option<&Value>) -> Result<Vec<String>, Failure> {
    let policy = &exchange.policy().auth.api_keys;
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
fn rate_limit(exchange: &Exchange<'_>, sent: Option<&Value>) -> Result<Value, Failure> {
    let policy = &exchange.policy().auth.api_keys;
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
pub(crate) fn list(exchange: &Exchange<'_>) -> Outcome {
    let policy = &exchange.policy().auth.api_keys;
    guard(exchange, Some(policy.list_takes))?;
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
    let entries: Value = exchange.lock().clients.iter().map(entry).collect();
    Ok(exchange.dress(200).body(&entries).done())
}
