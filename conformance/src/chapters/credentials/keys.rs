//! API keys: known, unknown, near misses, empty ones.

use crate::chapters::prelude::*;

cases! { "credentials";
    /// The initial keys are let in, whatever the letter case of the header's name.
    known_keys_are_let_in judges ["credentials/key-known"];
    /// A key the service has made is let in.
    a_created_key_is_let_in judges ["credentials/key-known"];
    /// An unknown key is 401 API_KEY_INVALIDA, on every protected route.
    unknown_keys_are_denied judges ["credentials/key-unknown"];
    /// Near misses of a known key are as unknown as any other.
    near_misses_of_a_key_are_denied judges ["credentials/key-exact"];
    /// What a client shows of itself, id and name, is no key.
    id_and_name_of_a_client_are_no_keys judges ["credentials/key-exact"];
    /// A key counts in its header alone, not in the query.
    a_key_in_the_query_is_no_credential judges ["credentials/none"];
    /// An empty X-API-Key: as if it were not sent, or a key that fails.
    an_empty_key judges ["credentials/key-empty"];
}

fn known_keys_are_let_in(cx: &CaseContext<'_>) -> CaseResult {
    for key in [cx.test_key(), cx.admin_key()] {
        for name in ["X-API-Key", "x-api-key", "X-API-KEY"] {
            cx.get("/libros?limit=1").header(name, key).send()?.check().status(200)?;
        }
    }
    books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "La casa verde", "autor": "Mario Vargas Llosa" });
    books::adopt(cx, cx.post("/libros").key(cx.test_key()).json(&book).send()?).check().status(201).map(drop)
}

fn a_created_key_is_let_in(cx: &CaseContext<'_>) -> CaseResult {
    let key = clients::create_key(cx, &["read:libros"])?;
    for path in ["/libros", "/libros?limit=1"] {
        cx.get(path).key(&key).send()?.check().status(200)?;
    }
    Ok(())
}

fn unknown_keys_are_denied(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    // The first is random: digits in a row may well be somebody's key for tests.
    for key in ["ak_8d41f7c2069be35a7cf09d1e5b62a834", "nadie", "ak_", "null", "undefined"] {
        let requests = [
            cx.get("/libros"),
            cx.get(&made.path()),
            cx.post("/libros").json(&book),
            cx.put(&made.path()).json(&book),
            cx.delete(&made.path()),
            cx.get("/auth/api-keys"),
            cx.get("/2fa/status"),
        ];
        for request in requests {
            books::adopt(cx, request.key(key).send()?).check().denied("API_KEY_INVALIDA")?;
        }
    }
    Ok(())
}

fn id_and_name_of_a_client_are_no_keys(cx: &CaseContext<'_>) -> CaseResult {
    let client = clients::create(cx, &["read:libros"])?;
    cx.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200)?;
    for told in [&client.id, &client.name].into_iter().filter(|told| !told.is_empty()) {
        cx.get("/libros?limit=1").key(told).send()?.check().denied("API_KEY_INVALIDA")?;
    }
    Ok(())
}

fn near_misses_of_a_key_are_denied(cx: &CaseContext<'_>) -> CaseResult {
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
        for near in near_misses {
            if near.is_empty() || known.contains(&near.as_str()) {
                continue;
            }
            cx.get("/libros?limit=1").key(&near).send()?.check().denied("API_KEY_INVALIDA")?;
        }
    }
    Ok(())
}

fn a_key_in_the_query_is_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    for name in ["X-API-Key", "x-api-key", "api_key", "apiKey", "key"] {
        cx.get(&format!("/libros?{name}={}", cx.test_key())).send()?.check().denied("NO_AUTENTICADO")?;
    }
    Ok(())
}

fn an_empty_key(cx: &CaseContext<'_>) -> CaseResult {
    let user = &cx.target().credentials.regular_user;
    let session = users::log_in(cx, &user.email, &user.password)?.session;
    cx.get("/libros?limit=1").bearer(&session).send()?.prepared("using the session token", 200)?;
    let alone = cx.get("/libros?limit=1").key("").send()?;
    let beside = cx.get("/libros?limit=1").key("").bearer(&session).send()?;
    let code = |reply: &Reply| reply.text_at("/error/codigo");
    let readings = [
        ("absent", alone.status() == 401 && code(&alone) == "NO_AUTENTICADO" && beside.status() == 200),
        ("failing", [&alone, &beside].iter().all(|reply| reply.status() == 401 && code(reply) == "API_KEY_INVALIDA")),
    ];
    let got =
        format!("alone {} {}; beside a session {} {}", alone.status(), code(&alone), beside.status(), code(&beside),);
    cx.observe(&readings, got).seen_in([&alone, &beside])
}
