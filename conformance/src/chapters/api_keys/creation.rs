//! Creating a key: the answer, the key, the client.

use std::collections::BTreeSet;

use super::keeper::{create, created, keeper, listed};
use crate::chapters::prelude::*;

cases! { "api-keys";
    /// Creating a key, with nombre alone and with everything, is 201 with the key, the four fields of its client,
    /// advertencia, and nothing besides.
    a_new_key_is_answered_in_full judges [
        "api-keys/created", "api-keys/answer-shape", "api-keys/client-shape", "api-keys/key-form", "api-keys/id-form",
        "api-keys/advertencia",
    ];
    /// Clients created at the same moment, under one name, have keys and ids of their own.
    keys_and_ids_are_distinct judges ["api-keys/key-distinct"];
    /// A new key opens at once what its client may do, and no more.
    new_key_works_at_once judges ["api-keys/key-works"];
    /// Requests beyond the rateLimit of a client are served, or answered 429.
    rate_limit_is_enforced_or_not judges ["api-keys/rate-limit-unenforced"];
}

/// Creates keys with `nombre` alone and with everything; what every answer must hold is judged of each.
fn a_new_key_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    for fields in [json!({}), json!({ "permisos": ["read:libros", "delete:libros"], "rateLimit": 50 })] {
        created(cx, &keeper, &fields)?;
    }
    Ok(())
}

fn keys_and_ids_are_distinct(cx: &CaseContext<'_>) -> CaseResult {
    const AT_ONCE: usize = 8;
    let keeper = keeper(cx)?;
    let body = json!({ "nombre": cx.unique("cliente") });
    let replies =
        concurrency::simultaneously(AT_ONCE, |_| create(cx, &keeper, &body)?.prepared("creating an API key", 201))?;
    let id = clients::client_field(cx, "id");
    for (what, pointer) in [("keys", "/apiKey"), ("ids", id.as_str())] {
        let values: Vec<String> = replies.iter().map(|reply| reply.text_at(pointer)).collect();
        let distinct: BTreeSet<&String> = values.iter().collect();
        let alike = values.iter().find(|value| values.iter().filter(|other| other == value).count() > 1);
        cx.check(
            distinct.len() == AT_ONCE,
            format!("{what} of clients created at the same moment"),
            "one of its own for each",
            values.join(", "),
        )
        .seen_in(replies.iter().filter(|reply| Some(&reply.text_at(pointer)) == alike).take(2))?;
    }
    Ok(())
}

fn new_key_works_at_once(cx: &CaseContext<'_>) -> CaseResult {
    let keeper = keeper(cx)?;
    let permissions = json!({ "permisos": ["read:libros", "delete:libros"] });
    let key = created(cx, &keeper, &permissions)?.text_at("/apiKey");
    let book = books::create(cx, &json!({}))?;
    cx.get(&book.path()).key(&key).send()?.check().status(200)?;
    let fields = json!({ "titulo": "Bomarzo", "autor": "Manuel Mujica Lainez" });
    cx.put(&book.path()).key(&key).json(&fields).send()?.check().status(401)?;
    cx.delete(&book.path()).key(&key).send()?.check().status(204)?;
    // Later clients and the masks of the list leave it as it is.
    created(cx, &keeper, &json!({}))?;
    listed(cx, &keeper)?;
    cx.get("/libros?limit=1").key(&key).send()?.check().status(200).map(drop)
}

fn rate_limit_is_enforced_or_not(cx: &CaseContext<'_>) -> CaseResult {
    let key = created(cx, &keeper(cx)?, &json!({ "rateLimit": 2 }))?.text_at("/apiKey");
    let mut replies = Vec::new();
    for _ in 0..6 {
        replies.push(cx.get("/libros?limit=1").key(&key).send()?);
    }
    let statuses: Vec<u16> = replies.iter().map(Reply::status).collect();
    let is_among = |wanted: &[u16]| statuses.iter().all(|status| wanted.contains(status));
    let strange = replies.iter().filter(|reply| !matches!(reply.status(), 200 | 429));
    cx.observe(&[("served", is_among(&[200])), ("429", is_among(&[200, 429]))], format!("{statuses:?}"))
        .seen_in(strange.take(1))
}
