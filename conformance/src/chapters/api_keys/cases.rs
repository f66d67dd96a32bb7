//! Cases in Rust: distinct keys, and which clients the list shows.

use crate::chapters::credentials::cases::INITIAL_ADMIN;
use crate::chapters::prelude::*;
use crate::invariants::form::same_in_any_order;

cases! { "api-keys";
    /// Clients created at the same moment under one name have distinct keys and ids.
    keys_and_ids_are_distinct judges ["api-keys/key-distinct"] => |cx| {
        const AT_ONCE: usize = 8;
        let keeper = keeper(cx)?;
        let nombre = cx.unique("cliente");
        let replies = concurrency::simultaneously(AT_ONCE, |_| created(cx, &keeper, &nombre))?;
        let id = clients::client_field(cx, "id");
        for (what, pointer) in [("keys", "/apiKey"), ("ids", id.as_str())] {
            let shown = |reply: &Reply| reply.at(pointer).map(|value| value.to_string());
            let values: Vec<String> = replies.iter().filter_map(shown).collect();
            let shared = values.iter().find(|value| values.iter().filter(|other| other == value).count() > 1);
            let place = format!("{what} of clients created at the same moment");
            let sharing = replies.iter().filter(|reply| shown(reply).as_ref() == shared).take(2);
            cx.check(shared.is_none(), place, "a distinct one for each", values.join(", ")).seen_in(sharing)?;
        }
        Ok(())
    };
    /// The list of API keys is an array of the initial clients and all created ones, by this user and by others.
    list_has_every_client judges ["api-keys/list"] => |cx| {
        let (keeper, other) = (keeper(cx)?, keeper(cx)?);
        let create = |creator: &str| {
            Ok::<_, CaseError>(created(cx, creator, &cx.unique("cliente"))?.text_at(&clients::client_field(cx, "name")))
        };
        let names = [create(&keeper)?, create(&other)?, create(&keeper)?];
        let list = cx.get("/auth/api-keys").bearer(&keeper).send()?;
        list.check().status(200)?.at_where("", "an array", Value::is_array)?;
        let entries = list.json();
        let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default();
        let shown =
            |entry: &Value, field: &str| entry.pointer(&clients::client_field(cx, field)).cloned().unwrap_or_default();
        let body = brief(&list.received().text());
        for name in &names {
            let there = entries.iter().filter(|entry| shown(entry, "name") == *name);
            cx.check(there.count() == 1, Place::BODY, format!("one entry of the client {name}"), &body)?;
        }
        // The initial clients go by any name: the beginning of the key, or permissions and limit, tell them.
        let initial = [
            (cx.test_key(), &INITIAL_ADMIN[..2], 1_000, "the initial test client"),
            (cx.admin_key(), INITIAL_ADMIN, 5_000, "the initial admin client"),
        ];
        for (key, permissions, limit, who) in initial {
            let start = |chars: usize| key.chars().take(chars).collect::<String>();
            let is_it = |entry: &Value| {
                let mask = entry["apiKey"].as_str().unwrap_or_default();
                let has_limit = same(&shown(entry, "rateLimit"), &json!(limit));
                let is_like = has_limit && same_in_any_order(&shown(entry, "permissions"), &json!(permissions));
                mask.starts_with(&start(8)) || (is_like && mask.starts_with(&start(4)))
            };
            cx.check(entries.iter().any(is_it), Place::BODY, format!("an entry of {who}"), &body)?;
        }
        Ok(())
    };
}

/// The session of a new admin, who may manage keys.
fn keeper(cx: &CaseContext<'_>) -> CaseResult<String> {
    Ok(users::register_and_log_in(cx, "admin")?.1.session)
}

/// Asks for a key; it must be given.
fn created(cx: &CaseContext<'_>, keeper: &str, nombre: &str) -> CaseResult<Reply> {
    let request = cx.post("/auth/api-keys").bearer(keeper).json(&json!({ "nombre": nombre }));
    request.send()?.prepared("creating an API key", 201)
}
