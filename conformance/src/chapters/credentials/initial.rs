//! The two initial API clients: what they may do, and how the key list shows them.

use std::collections::BTreeSet;

use crate::chapters::prelude::*;

cases! { "credentials";
    /// The test key reads and writes, and neither deletes nor sees keys.
    the_test_key_reads_and_writes_only judges ["credentials/initial-test-client"];
    /// The admin key reads, writes and deletes, and does not see keys.
    the_admin_key_does_all_but_manage_keys judges ["credentials/initial-admin-client"];
    /// The list of keys shows the test client with two permissions and rateLimit 1000.
    the_test_client_is_listed judges ["credentials/initial-test-client", "credentials/initial-test-rate-limit"];
    /// The list of keys shows the admin client with four permissions and rateLimit 5000.
    the_admin_client_is_listed judges ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"];
}

/// What a key is let in to do: read, write, delete, list keys; the last answer beside it.
fn powers(cx: &CaseContext<'_>, key: &str) -> Result<([u16; 5], Reply), CaseError> {
    let victim = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    let read = cx.get(&victim.path()).key(key).send()?;
    let created = books::adopt(cx, cx.post("/libros").key(key).json(&book).send()?);
    let replaced = cx.put(&victim.path()).key(key).json(&book).send()?;
    let deleted = cx.delete(&victim.path()).key(key).send()?;
    let listed = cx.get("/auth/api-keys").key(key).send()?;
    let statuses = [&read, &created, &replaced, &deleted, &listed].map(Reply::status);
    Ok((statuses, listed))
}

const TOLD: &str = "statuses of read, create, replace, delete and the list of keys";

fn the_test_key_reads_and_writes_only(cx: &CaseContext<'_>) -> CaseResult {
    let (statuses, last) = powers(cx, cx.test_key())?;
    let want = [200, 201, 200, 401, 401];
    last.check().that(statuses == want, TOLD, format!("{want:?}"), format!("{statuses:?}")).map(drop)
}

fn the_admin_key_does_all_but_manage_keys(cx: &CaseContext<'_>) -> CaseResult {
    let (statuses, last) = powers(cx, cx.admin_key())?;
    let want = [200, 201, 200, 204, 401];
    last.check().that(statuses == want, TOLD, format!("{want:?}"), format!("{statuses:?}")).map(drop)
}

/// The list of keys, as a newly registered admin sees it.
fn key_list(cx: &CaseContext<'_>) -> Result<Reply, CaseError> {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing keys", 200)
}

/// The clients of the list whose key begins as this one does: where keys begin alike, one of them is the initial one.
fn clients(cx: &CaseContext<'_>, list: &Reply, key: &str) -> Result<Vec<Value>, CaseError> {
    let shown: String = key.chars().take(8).collect();
    let body = list.json();
    let entries = body.as_array().into_iter().flatten();
    let is_shown = |entry: &&Value| {
        let masked = entry.get("apiKey").and_then(Value::as_str).unwrap_or_default();
        masked.starts_with(&shown)
    };
    let client = |entry: &Value| entry.get(&cx.target().client).cloned();
    let clients: Vec<Value> = entries.filter(is_shown).filter_map(client).collect();
    if clients.is_empty() {
        return Err(CaseError::blocked(
            "finding an initial client in the list of keys",
            format!("no key begins with {shown}"),
        ));
    }
    Ok(clients)
}

fn has_permissions(client: &Value, want: &[&str]) -> bool {
    let held = client.get("permissions").and_then(Value::as_array);
    let Some(held) = held else { return false };
    let held: BTreeSet<&str> = held.iter().filter_map(Value::as_str).collect();
    held == want.iter().copied().collect()
}

fn has_rate_limit(client: &Value, want: u64) -> bool {
    client.get("rateLimit").is_some_and(|limit| same(limit, &json!(want)))
}

fn the_test_client_is_listed(cx: &CaseContext<'_>) -> CaseResult {
    let list = key_list(cx)?;
    let clients = clients(cx, &list, cx.test_key())?;
    let got = || Value::from(clients.clone());
    let place = "the test client in the list of keys";
    let want = ["read:libros", "write:libros"];
    let is_right = clients.iter().any(|client| has_permissions(client, &want));
    list.check_rule("credentials/initial-test-client").that(is_right, place, want.join(", "), got())?;
    let is_right = clients.iter().any(|client| has_rate_limit(client, 1_000));
    list.check_rule("credentials/initial-test-rate-limit").that(is_right, place, "rateLimit 1000", got()).map(drop)
}

fn the_admin_client_is_listed(cx: &CaseContext<'_>) -> CaseResult {
    let list = key_list(cx)?;
    let clients = clients(cx, &list, cx.admin_key())?;
    let got = || Value::from(clients.clone());
    let place = "the admin client in the list of keys";
    let want = ["read:libros", "write:libros", "delete:libros", "manage:users"];
    let is_right = clients.iter().any(|client| has_permissions(client, &want));
    list.check_rule("credentials/initial-admin-client").that(is_right, place, want.join(", "), got())?;
    let is_right = clients.iter().any(|client| has_rate_limit(client, 5_000));
    list.check_rule("credentials/initial-admin-rate-limit").that(is_right, place, "rateLimit 5000", got()).map(drop)
}
