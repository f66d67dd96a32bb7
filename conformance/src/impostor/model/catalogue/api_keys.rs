//! API keys: creating a client with a key, listing all clients with their keys masked.

use serde_json::{Map, Value, json};

use super::super::clock::{ISO, format, iso};
use super::super::secrets;
use super::super::state::Client;
use super::body::{drop_key, fields, text};
use super::failure::Failure;
use super::guard::guard;
use super::{Exchange, Outcome, SERVICE_KEY};

/// Every permission there is.
const PERMISSIONS: [&str; 5] = ["read:libros", "write:libros", "delete:libros", "manage:users", "manage:api_keys"];

/// POST /auth/api-keys
pub(crate) fn create(exchange: &Exchange<'_>) -> Outcome {
    let needed = exchange.pick("create-key-takes-manage-users", "manage:users", "manage:api_keys");
    guard(exchange, Some(needed))?;
    let client = client(exchange, &fields(exchange)?)?;
    let mut who = json!({
        "id": client.id,
        "name": client.name,
        "permissions": client.permissions,
        "rateLimit": client.rate_limit,
    });
    if exchange.on("created-client-has-created-at") {
        who["createdAt"] = json!(client.created_at);
    }
    let warning = "Keep this key: it is shown only once";
    let mut body = json!({
        "apiKey": client.key,
        SERVICE_KEY: who,
        "advertencia": exchange.pick("advertencia-empty", "", warning),
    });
    if exchange.on("created-key-lacks-advertencia") {
        drop_key(&mut body, "advertencia");
    }
    let status = exchange.pick("created-key-is-200", 200, 201);
    Ok(exchange.dress(status).body(&body).done())
}

/// Creates and stores the client that was asked for.
fn client(exchange: &Exchange<'_>, sent: &Map<String, Value>) -> Result<Client, Failure> {
    let name = match text(sent, "nombre") {
        Some(name) => name,
        None if exchange.reads("key-name-optional") => "",
        None => return Err(Failure::bad("nombre is required")),
    };
    let default = exchange.pick("permisos-default-write", "write:libros", "read:libros");
    let permissions: Vec<String> = match sent.get("permisos") {
        None => vec![default.to_owned()],
        Some(Value::Array(none)) if none.is_empty() && exchange.reads("empty-permisos-are-default") => {
            vec![default.to_owned()]
        }
        Some(_) if exchange.on("permisos-ignored") => vec![default.to_owned()],
        Some(list) => {
            serde_json::from_value(list.clone()).map_err(|_| Failure::bad("permisos must be a list of texts"))?
        }
    };
    let known = |name: &String| PERMISSIONS.contains(&name.as_str());
    if exchange.reads("unknown-permisos-refused") && !permissions.iter().all(known) {
        return Err(Failure::bad("there is no such permission"));
    }
    let rate_limit = match sent.get("rateLimit") {
        None => json!(exchange.pick("rate-limit-default-is-100", 100, 1000)),
        Some(_) if exchange.on("rate-limit-ignored") => json!(1000),
        Some(limit) if limit.as_f64() == Some(0.0) && exchange.reads("rate-limit-0-is-default") => {
            json!(1000)
        }
        Some(limit) if limit.as_f64().is_some_and(|limit| limit.fract() == 0.0) => limit.clone(),
        Some(limit) if exchange.reads("odd-rate-limit-stored") => limit.clone(),
        Some(_) => return Err(Failure::bad("rateLimit must be an integer")),
    };
    let mut state = exchange.lock();
    let number = exchange.pick("client-ids-repeat", 3, state.clients.len() + 1);
    let number = if exchange.reads("numbers-of-ids-jump") { 1000 + number * 7 } else { number };
    let now = exchange.now();
    let created_at = exchange.pick("client-created-at-without-milliseconds", "%Y-%m-%dT%H:%M:%SZ", ISO);
    let last_used = exchange.on("client-last-used-on-creation").then(|| iso(now));
    let client = Client {
        key: new_key(exchange),
        id: exchange.pick("client-id-is-bare", number.to_string(), format!("client_{number}")),
        name: exchange.pick("client-name-in-lower-case", name.to_lowercase(), name.to_owned()),
        permissions,
        rate_limit,
        created_at: format(now, created_at),
        last_used,
    };
    state.clients.push(client.clone());
    Ok(client)
}

fn new_key(exchange: &Exchange<'_>) -> String {
    let hex = secrets::random_hex(exchange.pick("keys-of-20-bytes", 20, 16));
    let hex = if exchange.on("keys-in-upper-case") { hex.to_uppercase() } else { hex };
    if exchange.on("keys-without-prefix") { hex } else { format!("ak_{hex}") }
}

/// GET /auth/api-keys
pub(crate) fn list(exchange: &Exchange<'_>) -> Outcome {
    let needed = exchange.pick("list-keys-takes-manage-users", "manage:users", "manage:api_keys");
    guard(exchange, Some(needed))?;
    let state = exchange.lock();
    let hidden = exchange.pick("key-list-lacks-initial-clients", 2, 0);
    let mut entries: Vec<Value> = state.clients.iter().skip(hidden).map(|client| entry(exchange, client)).collect();
    drop(state);
    if exchange.reads("key-list-newest-first") {
        entries.reverse();
    }
    let entries = Value::Array(entries);
    let body = if exchange.on("key-list-wrapped") { json!({"apiKeys": entries}) } else { entries };
    Ok(exchange.dress(200).body(&body).done())
}

fn entry(exchange: &Exchange<'_>, client: &Client) -> Value {
    let shown = match () {
        () if exchange.on("key-list-unmasked") => client.key.clone(),
        () if exchange.on("key-list-shows-last-4") => {
            format!("...{}", client.key.get(31..).unwrap_or_default())
        }
        () => format!("{}...", client.key.get(..8).unwrap_or(&client.key)),
    };
    let mut who = json!({
        "id": client.id,
        "name": client.name,
        "permissions": client.permissions,
        "rateLimit": client.rate_limit,
        "createdAt": client.created_at,
        "lastUsed": client.last_used,
    });
    if exchange.on("key-list-omits-null-last-used") && client.last_used.is_none() {
        drop_key(&mut who, "lastUsed");
    }
    if exchange.on("key-list-lacks-created-at") {
        drop_key(&mut who, "createdAt");
    }
    json!({"apiKey": shown, SERVICE_KEY: who})
}
