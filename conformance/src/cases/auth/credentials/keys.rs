//! API keys: known, unknown, near misses, empty ones.

use serde_json::json;

use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::http::reply::reading;

cases! { "credentials";
    /// The initial keys are let in, whatever the letter case of the header's name.
    known_keys_are_let_in judges ["credentials/key-known"];
    /// A key the service has made is let in.
    a_created_key_is_let_in judges ["credentials/key-known"];
    /// A key nobody has is 401 API_KEY_INVALIDA, on every protected route.
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

fn known_keys_are_let_in(t: &Trial<'_>) -> Judged {
    for key in [t.test_key(), t.admin_key()] {
        for name in ["X-API-Key", "x-api-key", "X-API-KEY"] {
            let reply = t.get("/libros?limit=1").header(name, key).send()?;
            reply.judge("credentials/key-known").status(200)?;
        }
    }
    t.create_book(&json!({}))?;
    let book = json!({ "titulo": "La casa verde", "autor": "Mario Vargas Llosa" });
    let reply = t.claim(t.post("/libros").key(t.test_key()).json(&book).send()?);
    reply.judge("credentials/key-known").status(201)?;
    Ok(())
}

fn a_created_key_is_let_in(t: &Trial<'_>) -> Judged {
    let key = t.create_key(&["read:libros"])?;
    for path in ["/libros", "/libros?limit=1"] {
        let reply = t.get(path).key(&key).send()?;
        reply.judge("credentials/key-known").status(200)?;
    }
    Ok(())
}

fn unknown_keys_are_denied(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    for key in ["ak_0123456789abcdef0123456789abcdef", "nadie", "ak_", "null", "undefined"] {
        let requests = [
            t.get("/libros"),
            t.get(&made.path()),
            t.post("/libros").json(&book),
            t.put(&made.path()).json(&book),
            t.delete(&made.path()),
            t.get("/auth/api-keys"),
            t.get("/2fa/status"),
        ];
        for request in requests {
            let reply = t.claim(request.key(key).send()?);
            reply.judge("credentials/key-unknown").denied("API_KEY_INVALIDA")?;
        }
    }
    Ok(())
}

fn id_and_name_of_a_client_are_no_keys(t: &Trial<'_>) -> Judged {
    let client = t.create_client(&["read:libros"])?;
    t.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200)?;
    for told in [&client.id, &client.name].into_iter().filter(|told| !told.is_empty()) {
        let reply = t.get("/libros?limit=1").key(told).send()?;
        reply.judge("credentials/key-exact").denied("API_KEY_INVALIDA")?;
    }
    Ok(())
}

fn near_misses_of_a_key_are_denied(t: &Trial<'_>) -> Judged {
    let known = [t.test_key(), t.admin_key()];
    for key in known {
        t.get("/libros?limit=1").key(key).send()?.prepared("using a known key", 200)?;
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
            let reply = t.get("/libros?limit=1").key(&near).send()?;
            reply.judge("credentials/key-exact").denied("API_KEY_INVALIDA")?;
        }
    }
    Ok(())
}

fn a_key_in_the_query_is_no_credential(t: &Trial<'_>) -> Judged {
    for name in ["X-API-Key", "x-api-key", "api_key", "apiKey", "key"] {
        let reply = t.get(&format!("/libros?{name}={}", t.test_key())).send()?;
        reply.judge("credentials/none").denied("NO_AUTENTICADO")?;
    }
    Ok(())
}

fn an_empty_key(t: &Trial<'_>) -> Judged {
    let user = &t.target().credentials.regular_user;
    let session = t.log_in(&user.email, &user.password)?.session;
    let twin = t.get("/libros?limit=1").bearer(&session).send()?;
    twin.prepared("using the session token", 200)?;
    let alone = t.get("/libros?limit=1").key("").send()?;
    let beside = t.get("/libros?limit=1").key("").bearer(&session).send()?;
    let code = |reply: &crate::http::reply::Reply| reply.text_at("/error/codigo");
    let readings = [
        ("as if it were not sent", alone.status() == 401 && code(&alone) == "NO_AUTENTICADO" && beside.status() == 200),
        (
            "401 API_KEY_INVALIDA",
            [&alone, &beside].iter().all(|reply| reply.status() == 401 && code(reply) == "API_KEY_INVALIDA"),
        ),
    ];
    let got =
        format!("alone {} {}; beside a session {} {}", alone.status(), code(&alone), beside.status(), code(&beside),);
    reading(t, "credentials/key-empty", &readings, got)
}
