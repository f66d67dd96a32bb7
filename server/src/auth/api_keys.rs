//! `POST /auth/api-keys` and `GET /auth/api-keys`: making API clients, and listing them with their keys masked.

use serde_json::{Value, json};

use crate::accounts::api_client::{ApiClient, DEFAULT_RATE_LIMIT};
use crate::accounts::permission::{Permission, Permissions};
use crate::accounts::tables::number;
use crate::auth::identity::{Identity, PRINCIPAL_KEY};
use crate::json_body::{filled_text, object};
use crate::message::Request;
use crate::response::{content::Response, failure::Failure};
use libros_server_query::json;
use libros_server_system::clock::Timestamp;

/// Makes a client and shows its key, this once.
pub(crate) async fn create(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    // rule: permissions/create-key
    identity.guard(&request.headers, Some(Permission::ManageApiKeys)).await?;
    let mut fields = object(&request.body)?;
    // rule: api-keys/name, api-keys/nombre-missing
    let name = filled_text(&mut fields, "nombre")?;
    let permissions = permissions_asked_for(fields.remove("permisos"))?;
    let rate_limit = rate_limit_asked_for(fields.remove("rateLimit").as_ref())?;
    // rule: api-keys/key-form, api-keys/key-distinct
    let key = format!("ak_{}", identity.context.entropy.hex::<16>());
    let now = identity.context.clock.now();
    let decided = identity.transact(|tables, changes| {
        tables.last_client += 1;
        let (name, permissions) = (name.clone(), permissions.clone());
        let client = ApiClient::new(tables.last_client, &key, name, permissions, rate_limit, now);
        // rule: api-keys/answer-shape, api-keys/advertencia
        let body = json!({
            "apiKey": key,
            (PRINCIPAL_KEY): description(&client),
            "advertencia": "Keep this key safe: it is shown this once only",
        });
        // rule: api-keys/key-works
        tables.clients.put(client.key, client, changes);
        // rule: api-keys/created
        Ok(Response::created(json::write(&body)))
    });
    decided.await
}

pub(crate) async fn list(identity: &Identity, request: &Request) -> Result<Response, Failure> {
    // rule: permissions/list-keys
    identity.guard(&request.headers, Some(Permission::ManageApiKeys)).await?;
    let entries = identity.read(|tables| {
        let mut clients: Vec<&ApiClient> = tables.clients.records().collect();
        clients.sort_by_key(|client| number(&client.id));
        clients.into_iter().map(entry).collect()
    });
    // rule: api-keys/list
    Ok(Response::ok(json::write(&Value::Array(entries))))
}

fn description(client: &ApiClient) -> Value {
    // rule: api-keys/client-shape
    json!({
        "id": client.id,
        "name": client.name,
        "permissions": client.permissions.names,
        "rateLimit": client.rate_limit,
    })
}

fn entry(client: &ApiClient) -> Value {
    // rule: api-keys/list-entry-shape
    let mut shown = description(client);
    // rule: api-keys/list-created-at
    shown["createdAt"] = json!(client.created_at.iso());
    shown["lastUsed"] = json!(client.last_used.get().map(Timestamp::iso));
    // rule: api-keys/list-mask
    json!({ "apiKey": format!("{}...", client.shown), (PRINCIPAL_KEY): shown })
}

fn permissions_asked_for(sent: Option<Value>) -> Result<Permissions, Failure> {
    let Some(sent) = sent else {
        // rule: api-keys/permissions-default
        return Ok(Permissions::up_to(Permission::ReadBooks));
    };
    // rule: api-keys/permissions, api-keys/permissions-empty, api-keys/permissions-unknown, api-keys/permissions-invalid
    serde_json::from_value(sent).map_err(|_| Failure::FieldInvalid("The field permisos must be a list of texts"))
}

fn rate_limit_asked_for(sent: Option<&Value>) -> Result<f64, Failure> {
    // rule: api-keys/rate-limit-default
    let limit = sent.map_or(Some(DEFAULT_RATE_LIMIT), Value::as_f64);
    // rule: api-keys/rate-limit, api-keys/rate-limit-zero, api-keys/rate-limit-invalid
    limit
        .filter(|limit| limit.is_finite() && limit.fract() == 0.0)
        .ok_or(Failure::FieldInvalid("The field rateLimit must be a whole number"))
}
