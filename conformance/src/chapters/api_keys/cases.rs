//! Cases in Rust: distinct keys, empty `permisos`, which clients the list shows and what it hides.

use crate::chapters::permissions::operations::{INITIAL_ADMIN, USER, are_exactly};
use crate::chapters::prelude::*;

cases! { "api-keys";
    /// Clients created at the same moment under one name have distinct keys and ids.
    keys_and_ids_are_distinct judges ["api-keys/key-distinct"] => |cx| {
        const AT_ONCE: usize = 8;
        let keeper = keeper(cx)?;
        let body = json!({ "nombre": cx.unique("cliente") });
        let create = |_| create(cx, &keeper, &body)?.prepared("creating an API key", 201);
        let replies = concurrency::simultaneously(AT_ONCE, create)?;
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
    /// A client created with an empty list of permisos has no permission, or the default, or is refused.
    empty_permisos judges ["api-keys/permissions-empty"] => |cx| {
        let reply = create(cx, &keeper(cx)?, &json!({ "nombre": cx.unique("cliente"), "permisos": [] }))?;
        let held = reply.at(&clients::client_field(cx, "permissions")).unwrap_or_default();
        let key = reply.text_at("/apiKey");
        let may_read = reply.is(201) && cx.get("/libros?limit=1").key(&key).send()?.is(200);
        let holds = |permissions: &[&str]| reply.is(201) && are_exactly(&held, permissions);
        let readings =
            [("none", holds(&[]) && !may_read), ("default", holds(USER) && may_read), ("400", reply.is(400))];
        let reading = if may_read { "allowed" } else { "denied" };
        cx.observe(&readings, format!("{}, and reading {reading}", reply.summary()))
    };
    /// The list of API keys is an array of the initial clients and all created ones, by this user and by others.
    list_has_every_client judges ["api-keys/list"] => |cx| {
        let (keeper, other) = (keeper(cx)?, keeper(cx)?);
        let create = |creator: &str| {
            Ok::<_, CaseError>(created(cx, creator)?.text_at(&clients::client_field(cx, "name")))
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
                let is_like = has_limit && are_exactly(&shown(entry, "permissions"), permissions);
                mask.starts_with(&start(8)) || (is_like && mask.starts_with(&start(4)))
            };
            cx.check(entries.iter().any(is_it), Place::BODY, format!("an entry of {who}"), &body)?;
        }
        Ok(())
    };
    /// The list of API keys shows the first 8 characters of a key and three dots, and no key in full.
    keys_are_masked judges ["api-keys/list-mask"] => |cx| {
        let keeper = keeper(cx)?;
        let creation = created(cx, &keeper)?;
        let key = creation.text_at("/apiKey");
        let list = cx.get("/auth/api-keys").bearer(&keeper).send()?.prepared("listing API keys", 200)?;
        let entry = entry_created(cx, &list, &creation)?;
        list.check().at(&format!("/{entry}/apiKey"), &json!(clients::masked(&key)))?;
        let text = list.received().text();
        let entries = list.json();
        for initial in [cx.test_key(), cx.admin_key()] {
            let want = json!(clients::masked(initial));
            let is_listed = entries.as_array().is_some_and(|list| list.iter().any(|entry| entry["apiKey"] == want));
            list.check().that(is_listed, Place::BODY, format!("an entry with apiKey {want}"), brief(&text))?;
        }
        for key in [&key, cx.test_key(), cx.admin_key()] {
            let is_hidden = key.get(8..).is_none_or(str::is_empty) || !text.contains(key);
            let got = format!("the key that begins with {}", clients::masked(key));
            list.check().that(is_hidden, Place::BODY, "no key in full", got)?;
        }
        Ok(())
    };
}

/// The session of a new admin, who may manage keys.
fn keeper(cx: &CaseContext<'_>) -> CaseResult<String> {
    Ok(users::register_and_log_in(cx, "admin")?.1.session)
}

fn create(cx: &CaseContext<'_>, keeper: &str, body: &Value) -> CaseResult<Reply> {
    cx.post("/auth/api-keys").bearer(keeper).json(body).send()
}

/// Asks for a key with a nombre of the case's own; it must be given.
fn created(cx: &CaseContext<'_>, keeper: &str) -> CaseResult<Reply> {
    create(cx, keeper, &json!({ "nombre": cx.unique("cliente") }))?.prepared("creating an API key", 201)
}

/// The place in a list of the client that was created with that answer.
fn entry_created(cx: &CaseContext<'_>, list: &Reply, creation: &Reply) -> CaseResult<usize> {
    let pointer = clients::client_field(cx, "name");
    let (name, entries) = (creation.text_at(&pointer), list.json());
    let is_it = |entry: &Value| entry.pointer(&pointer).is_some_and(|shown| *shown == *name);
    let found = entries.as_array().and_then(|entries| entries.iter().position(is_it));
    found.ok_or_else(|| CaseError::blocked("finding a client in the list", format!("no entry has the name {name}")))
}
