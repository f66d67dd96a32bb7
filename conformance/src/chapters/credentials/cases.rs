//! Cases of the chapter credentials that are no entries: near misses of a key, and the two initial API clients.

use crate::chapters::prelude::*;
use crate::invariants::form::same_in_any_order;

cases! { "credentials";
    /// Texts that differ slightly from a known key are refused as unknown keys.
    near_misses_of_a_key_are_denied judges ["credentials/key-exact"] => |cx| {
        let known = [cx.test_key(), cx.admin_key()];
        for key in known {
            cx.get("/libros?limit=1").key(key).send()?.prepared("using a known key", 200)?;
            let cut = |chars: usize| key.chars().take(chars).collect::<String>();
            let length = key.chars().count();
            let near_misses = [
                cut(8),
                clients::masked(key),
                cut(length.saturating_sub(1)),
                format!("{key}0"),
                format!("0{key}"),
                key.chars().skip(1).collect(),
                key.trim_start_matches("ak_").to_owned(),
                key.to_uppercase(),
                key.to_lowercase(),
                format!("\"{key}\""),
                format!("{key},{key}"),
                format!("Bearer {key}"),
                "*".repeat(length),
            ];
            let is_unknown = |near: &&String| !near.is_empty() && !known.contains(&near.as_str());
            for near in near_misses.iter().filter(is_unknown) {
                cx.get("/libros?limit=1").key(near).send()?.check().denied("API_KEY_INVALIDA")?;
            }
        }
        Ok(())
    };
    /// The list of keys shows the test client with two permissions and rateLimit 1000, whatever the credential.
    the_test_client_is_listed judges ["credentials/initial-test-client", "credentials/initial-test-rate-limit", "api-keys/list"]
        => |cx| {
        let rules = ["credentials/initial-test-client", "credentials/initial-test-rate-limit"];
        is_listed(cx, "test", cx.test_key(), rules, (&INITIAL_ADMIN[..2], 1_000))
    };
    /// The list of keys shows the admin client with four permissions and rateLimit 5000, whatever the credential.
    the_admin_client_is_listed judges ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit", "api-keys/list"]
        => |cx| {
        let rules = ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"];
        is_listed(cx, "admin", cx.admin_key(), rules, (INITIAL_ADMIN, 5_000))
    };
}

/// The permissions of the initial admin client; the first two are those of the initial test client.
pub(crate) const INITIAL_ADMIN: &[&str] = &["read:libros", "write:libros", "delete:libros", "manage:users"];

/// The listed entries whose key begins as this one, without the last use: one of them is the entry of the initial client.
fn entries(cx: &CaseContext<'_>, list: &Reply, key: &str) -> Vec<Value> {
    let shown: String = key.chars().take(8).collect();
    let is_shown = |entry: &&Value| entry["apiKey"].as_str().is_some_and(|masked| masked.starts_with(&shown));
    let without_use = |entry: &Value| {
        let mut entry = entry.clone();
        entry.get_mut(&cx.target().client).and_then(Value::as_object_mut).map(|client| client.shift_remove("lastUsed"));
        entry
    };
    list.json().as_array().into_iter().flatten().filter(is_shown).map(without_use).collect()
}

/// An initial client as a new admin lists it: permissions and rateLimit by these rules, and the same entry by session, JWT and key.
fn is_listed(cx: &CaseContext<'_>, who: &str, key: &str, rules: [&'static str; 2], want: (&[&str], u64)) -> CaseResult {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let get = || cx.get("/auth/api-keys");
    let list = get().bearer(&admin.session).send()?.prepared("listing keys", 200)?;
    let entries_by_session = entries(cx, &list, key);
    let clients: Vec<_> =
        entries_by_session.iter().filter_map(|entry| entry.get(&cx.target().client).cloned()).collect();
    let step = "finding an initial client in the list of keys";
    CaseError::blocked_unless(!clients.is_empty(), step, "no key begins like its own")?;
    let (permissions, rate_limit) = want;
    let place = format!("the {who} client in the list of keys");
    let is_right = clients.iter().any(|client| same_in_any_order(&client["permissions"], &json!(permissions)));
    list.check_rule(rules[0]).that(is_right, &place, permissions.join(", "), Value::from(clients.clone()))?;
    let is_right = clients.iter().any(|client| same(&client["rateLimit"], &json!(rate_limit)));
    list.check_rule(rules[1]).that(is_right, &place, format!("rateLimit {rate_limit}"), Value::from(clients))?;
    let keeper = clients::create_as(cx, &admin, &["manage:api_keys"])?;
    for request in [get().jwt(&admin.jwt), get().key(&keeper.key)] {
        let list = request.send()?.prepared("listing keys", 200)?;
        // Others may make keys meanwhile, which begin alike.
        let shown = entries(cx, &list, key);
        let is_same = entries_by_session.iter().all(|entry| shown.iter().any(|other| same(entry, other)));
        let want = Value::from(entries_by_session.clone());
        list.check_rule("api-keys/list").that(is_same, &place, want, Value::from(shown))?;
    }
    Ok(())
}
