//! Variations of the chapter api-keys.

use libros_conformance_model::accounts::fields::{permissions, rate_limit, required_text};
use libros_conformance_model::accounts::permissions::of_role;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "created-key-is-200" breaks "api-keys/created": "Creating a key answers 200."
        => reply |request, reply| if request.is("POST", "/auth/api-keys") && reply.status == 201 { reply.status = 200 };
    "created-key-lacks-advertencia" breaks "api-keys/answer-shape": "The answer to a created key lacks advertencia."
        => reply |request, reply| edit_created(request, reply, |body| drop_key(body, "advertencia"));
    "created-client-has-created-at" breaks "api-keys/client-shape": "The client in the answer to a created key has createdAt."
        => reply |request, reply| edit_created(request, reply, |body| body["the service"]["createdAt"] = json!("2025-01-01T00:00:00.000Z"));
    "keys-in-upper-case" breaks "api-keys/key-form": "The digits of a key are in upper case."
        => steps |s| s.auth.api_keys.key = || format!("ak_{}", secrets::random_hex(16).to_uppercase());
    "keys-of-20-bytes" breaks "api-keys/key-form": "A key has 40 digits."
        => steps |s| s.auth.api_keys.key = || format!("ak_{}", secrets::random_hex(20));
    "keys-without-prefix" breaks "api-keys/key-form": "A key lacks its prefix."
        => steps |s| s.auth.api_keys.key = || secrets::random_hex(16);
    "client-ids-repeat" breaks "api-keys/key-distinct": "Every created client has the same id."
        => steps |s| s.auth.api_keys.id = |_| "client_3".to_owned();
    "created-keys-unknown" breaks "api-keys/key-works": "The key of a created client is unknown."
        => steps |s| s.auth.is_key_of = |client, key| client.key == key && matches!(client.id.as_str(), "client_1" | "client_2");
    "client-id-is-bare" breaks "api-keys/id-form": "The id of a created client is a bare number."
        => steps |s| s.auth.api_keys.id = |known| (known + 1).to_string();
    "client-name-in-lower-case" breaks "api-keys/name": "The name of a client is stored in lower case."
        => request |request| if request.is("POST", "/auth/api-keys") { request.edit(|sent| edit_text(&mut sent["nombre"], str::to_lowercase)) };
    "permisos-ignored" breaks "api-keys/permissions": "permisos sent for a new client are ignored."
        => request |request| if request.is("POST", "/auth/api-keys") { request.edit(|sent| drop_key(sent, "permisos")) };
    "permisos-default-write" breaks "api-keys/permissions-default": "A client created without permisos holds write:libros."
        => steps |s| s.auth.api_keys.permissions =
            |sent| if sent.is_none() { Some(vec!["write:libros".to_owned()]) } else { permissions(sent) };
    "rate-limit-ignored" breaks "api-keys/rate-limit": "rateLimit sent for a new client is ignored."
        => request |request| if request.is("POST", "/auth/api-keys") { request.edit(|sent| drop_key(sent, "rateLimit")) };
    "rate-limit-default-is-100" breaks "api-keys/rate-limit-default": "A client created without rateLimit gets 100."
        => steps |s| s.auth.api_keys.rate_limit = |sent| rate_limit(Some(sent.unwrap_or(&json!(100))));
    "advertencia-empty" breaks "api-keys/advertencia": "advertencia of a created key is an empty text."
        => reply |request, reply| edit_created(request, reply, |body| body["advertencia"] = json!(""));
    "key-list-wrapped" breaks "api-keys/list": "The list of keys is wrapped in an object."
        => reply |request, reply| listed(request, reply, |list| *list = json!({"apiKeys": list.take()}));
    "key-list-lacks-initial-clients" breaks "api-keys/list": "The list of keys lacks the initial clients."
        => reply |request, reply| listed(request, reply, |list| {
            let initial = |entry: &Value| matches!(entry["the service"]["id"].as_str(), Some("client_1" | "client_2"));
            if let Value::Array(entries) = list {
                entries.retain(|entry| !initial(entry));
            }
        });
    "key-list-lacks-created-at" breaks "api-keys/list-entry-shape": "A client in the list of keys lacks createdAt."
        => reply |request, reply| listed_clients(request, reply, |client| drop_key(client, "createdAt"));
    "key-list-omits-null-last-used" breaks "api-keys/list-entry-shape" and "api-keys/last-used-null": "A client in the list of keys lacks lastUsed while it is null."
        => reply |request, reply| listed_clients(request, reply, |client| if client["lastUsed"].is_null() { drop_key(client, "lastUsed") });
    "key-list-unmasked" breaks "api-keys/list-mask": "The list of keys shows them in full."
        => steps |s| s.auth.api_keys.shown_key = str::to_owned;
    "key-list-shows-last-4" breaks "api-keys/list-mask": "The list of keys shows the last characters of a key, not the first."
        => steps |s| s.auth.api_keys.shown_key = |key| format!("...{}", key.get(31..).unwrap_or_default());
    "client-created-at-without-milliseconds" breaks "api-keys/list-created-at": "createdAt of a client has no milliseconds."
        => reply |request, reply| listed_clients(request, reply, |client| edit_text(&mut client["createdAt"], |time| format!("{}Z", time.get(..19).unwrap_or_default())));
    "initial-clients-created-on-a-day" breaks "api-keys/list-created-at": "createdAt of the initial clients is a date without a time."
        => start |state| state.clients.iter_mut().for_each(|client| client.created_at = "2025-01-01".to_owned());
    "client-last-used-on-creation" breaks "api-keys/last-used-null": "lastUsed of a client is set at its creation."
        => reply |request, reply| listed_clients(request, reply, |client| if client["lastUsed"].is_null() { client["lastUsed"] = client["createdAt"].clone() });
    "use-of-a-key-marks-its-name" breaks "api-keys/last-used-null": "A use of a key sets lastUsed of every client of the same name."
        => after |state, _request, _reply| {
            let used: Vec<_> = state.clients.iter().filter(|client| client.last_used.is_some()).cloned().collect();
            for client in state.clients.iter_mut().filter(|client| client.last_used.is_none()) {
                client.last_used = used.iter().find(|other| other.name == client.name).and_then(|other| other.last_used.clone());
            }
        };
    "empty-permisos-are-default" by "api-keys/permissions-empty": "An empty list of permisos counts as absent."
        => steps |s| s.auth.api_keys.permissions = |sent| permissions(sent.filter(|sent| **sent != json!([])));
    "empty-permisos-refused" by "api-keys/permissions-empty": "An empty list of permisos is refused."
        => steps |s| s.auth.api_keys.permissions = |sent| permissions(sent).filter(|permissions| !permissions.is_empty());
    "key-list-newest-first" by silence: "Keys are listed newest first."
        => reply |request, reply| listed(request, reply, |list| list.as_array_mut().into_iter().for_each(|list| list.reverse()));
    "key-name-optional" by "api-keys/nombre-missing": "A key is created without nombre."
        => steps |s| s.auth.api_keys.name = |sent| Some(required_text(sent).unwrap_or_default());
    "last-used-never-set" by "api-keys/last-used-set": "lastUsed of a client stays null."
        => reply |request, reply| listed_clients(request, reply, |client| client["lastUsed"] = Value::Null);
    "odd-rate-limit-stored" by "api-keys/rate-limit-invalid": "A rateLimit of any type and value is stored."
        => steps |s| s.auth.api_keys.rate_limit = |sent| Some(sent.cloned().unwrap_or_else(|| json!(1000)));
    "rate-limit-0-is-default" by "api-keys/rate-limit-zero": "A rateLimit of 0 becomes the default of 1000."
        => steps |s| s.auth.api_keys.rate_limit = |sent| rate_limit(sent.filter(|sent| sent.as_f64() != Some(0.0)));
    "rate-limit-0-refused" by "api-keys/rate-limit-zero": "A rateLimit of 0 is refused."
        => steps |s| s.auth.api_keys.rate_limit = |sent| rate_limit(sent).filter(|limit| limit.as_f64() != Some(0.0));
    "unknown-permisos-refused" by "api-keys/permissions-unknown": "Unknown permission names are refused."
        => steps |s| s.auth.api_keys.permissions = |sent| {
            let known = of_role("admin");
            permissions(sent).filter(|names| names.iter().all(|name| known.contains(&name.as_str())))
        };
};

fn edit_created(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["POST", "/auth/api-keys"], change);
}

fn listed(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    edit_success(request, reply, ["GET", "/auth/api-keys"], change);
}

fn listed_clients(request: &Request, reply: &mut Reply, change: fn(&mut Value)) {
    listed(request, reply, |list| each_item(list, |entry| change(&mut entry["the service"])));
}
