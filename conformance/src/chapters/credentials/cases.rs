//! Cases of the chapter credentials that are no entries: near misses of a key, and the two initial API clients.

use crate::chapters::permissions::operations::{INITIAL_ADMIN, are_exactly};
use crate::chapters::prelude::*;

cases! { "credentials";
    /// Near misses of a known key are as unknown as any other.
    near_misses_of_a_key_are_denied judges ["credentials/key-exact"] => |cx| {
        let known = [cx.test_key(), cx.admin_key()];
        for key in known {
            cx.get("/libros?limit=1").key(key).send()?.prepared("using a known key", 200)?;
            let cut = |chars: usize| key.chars().take(chars).collect::<String>();
            let length = key.chars().count();
            let near_misses = [
                cut(8),
                format!("{}...", cut(8)),
                cut(length.saturating_sub(1)),
                format!("{key}0"),
                format!("0{key}"),
                key.chars().skip(1).collect(),
                key.to_uppercase(),
                key.to_lowercase(),
                format!("\"{key}\""),
                format!("{key},{key}"),
                format!("Bearer {key}"),
                "*".repeat(length),
            ];
            let is_unknown = |near: &&String| !near.is_empty() && !known.contains(&near.as_str());
            let near_misses = near_misses.iter().filter(is_unknown).map(|near| cx.get("/libros?limit=1").key(near));
            each_denied("API_KEY_INVALIDA", near_misses)?;
        }
        Ok(())
    };
    /// The list of keys shows the test client with two permissions and rateLimit 1000.
    the_test_client_is_listed judges ["credentials/initial-test-client", "credentials/initial-test-rate-limit"] => |cx| {
        let rules = ["credentials/initial-test-client", "credentials/initial-test-rate-limit"];
        is_listed(cx, "test", cx.test_key(), rules, (&INITIAL_ADMIN[..2], 1_000))
    };
    /// The list of keys shows the admin client with four permissions and rateLimit 5000.
    the_admin_client_is_listed judges ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"] => |cx| {
        let rules = ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"];
        is_listed(cx, "admin", cx.admin_key(), rules, (INITIAL_ADMIN, 5_000))
    };
}

/// The clients of the list whose key begins as this one does: where keys begin alike, one of them is the initial one.
fn clients(cx: &CaseContext<'_>, list: &Reply, key: &str) -> CaseResult<Vec<Value>> {
    let shown: String = key.chars().take(8).collect();
    let body = list.json();
    let is_shown = |entry: &&Value| entry["apiKey"].as_str().is_some_and(|masked| masked.starts_with(&shown));
    let client = |entry: &Value| entry.get(&cx.target().client).cloned();
    let clients: Vec<Value> = body.as_array().into_iter().flatten().filter(is_shown).filter_map(client).collect();
    let step = "finding an initial client in the list of keys";
    CaseError::blocked_unless(!clients.is_empty(), step, format!("no key begins with {shown}"))?;
    Ok(clients)
}

/// An initial client in the list of keys, as a newly registered admin sees it: its name, permissions and rateLimit by these rules.
fn is_listed(cx: &CaseContext<'_>, who: &str, key: &str, rules: [&'static str; 2], want: (&[&str], u64)) -> CaseResult {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let list = cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing keys", 200)?;
    let clients = clients(cx, &list, key)?;
    let (permissions, rate_limit) = want;
    let place = format!("the {who} client in the list of keys");
    let is_right = clients.iter().any(|client| are_exactly(&client["permissions"], permissions));
    list.check_rule(rules[0]).that(is_right, &place, permissions.join(", "), Value::from(clients.clone()))?;
    let is_right = clients.iter().any(|client| same(&client["rateLimit"], &json!(rate_limit)));
    list.check_rule(rules[1]).that(is_right, &place, format!("rateLimit {rate_limit}"), Value::from(clients)).map(drop)
}
