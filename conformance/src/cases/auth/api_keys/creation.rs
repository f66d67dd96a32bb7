//! Creating a key: the answer, the key, the client.

use std::collections::BTreeSet;

use serde_json::json;

use super::keeper::{create, created, keeper, listed};
use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::{books, clients, concurrency};
use crate::http::reply::{Reply, SeenIn as _};

cases! { "api-keys";
    /// Creating a key answers 201, with nombre alone and with everything.
    creating_a_key_is_201 judges ["api-keys/created"] by keys_created();
    /// The answer has apiKey, advertencia and the object of the client, and nothing besides.
    answer_has_three_keys judges ["api-keys/answer-shape"] by keys_created();
    /// The client has id, name, permissions and rateLimit, and nothing besides.
    client_has_four_fields judges ["api-keys/client-shape"] by keys_created();
    /// A key is `ak_` and 32 lowercase hex digits.
    key_is_ak_and_32_hex_digits judges ["api-keys/key-form"] by keys_created();
    /// Clients created at the same moment, under one name, have keys and ids of their own.
    keys_and_ids_are_distinct judges ["api-keys/key-distinct"];
    /// A new key opens at once what its client may do, and no more.
    new_key_works_at_once judges ["api-keys/key-works"];
    /// The id of a new client is `client_` and a number.
    id_is_client_and_a_number judges ["api-keys/id-form"] by keys_created();
    /// Numbers of client ids count up, or are any number.
    id_numbers_count_up_or_are_free judges ["api-keys/id-number"];
    /// advertencia is a text that is not empty.
    advertencia_is_a_text judges ["api-keys/advertencia"] by keys_created();
    /// A client may send more requests than its rateLimit says, or is told 429.
    rate_limit_is_enforced_or_not judges ["api-keys/rate-limit-unenforced"];
}

/// Creates keys with `nombre` alone and with everything; what every answer must hold is judged of each.
fn keys_created(cx: &CaseContext<'_>) -> CaseResult {
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
    cx.get("/libros?limit=1").key(&key).send()?.check().status(200)?;
    Ok(())
}

fn number_of(id: &str) -> Option<u64> {
    let digits = id.strip_prefix("client_")?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

fn id_numbers_count_up_or_are_free(cx: &CaseContext<'_>) -> CaseResult {
    // Others create clients meanwhile, so only the direction and the size can be seen.
    const MORE_THAN_ANY_COUNT: u64 = 1_000_000_000;
    let keeper = keeper(cx)?;
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let id = created(cx, &keeper, &json!({}))?.text_at(&clients::client_field(cx, "id"));
        let Some(number) = number_of(&id) else {
            return Err(CaseError::blocked(
                "creating an API key",
                format!("want `client_` and a number as id, got {id}"),
            ));
        };
        numbers.push(number);
    }
    let counts = 3 <= numbers[0] && numbers[0] < numbers[1] && numbers[1] < MORE_THAN_ANY_COUNT;
    cx.observe(&[("counting", counts), ("other", numbers[0] != numbers[1])], format!("{numbers:?}"))
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
