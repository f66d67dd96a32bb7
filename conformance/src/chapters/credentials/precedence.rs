//! API keys, and which credential counts where several are sent.

use crate::chapters::prelude::*;

cases! { "credentials";
    /// The initial keys are let in, whatever the letter case of the header's name.
    known_keys_are_let_in judges ["credentials/key-known"] => |cx| {
        for key in [cx.test_key(), cx.admin_key()] {
            for name in ["X-API-Key", "x-api-key", "X-API-KEY"] {
                cx.get("/libros?limit=1").header(name, key).send()?.check().status(200)?;
            }
        }
        books::create(cx, &json!({}))?;
        let book = json!({ "titulo": "La casa verde", "autor": "Mario Vargas Llosa" });
        books::adopt(cx, cx.post("/libros").key(cx.test_key()).json(&book).send()?).check().status(201).map(drop)
    };
    /// A key the service has made is let in.
    a_created_key_is_let_in judges ["credentials/key-known"] => |cx| {
        let key = clients::create_key(cx, &["read:libros"])?;
        each_answers(200, ["/libros", "/libros?limit=1"].map(|path| cx.get(path).key(&key)))
    };
    /// An unknown key is 401 API_KEY_INVALIDA, on every protected route.
    unknown_keys_are_denied judges ["credentials/key-unknown"] => |cx| {
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
    };
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
    /// What a client shows of itself, id and name, is no key.
    id_and_name_of_a_client_are_no_keys judges ["credentials/key-exact"] => |cx| {
        let client = clients::create(cx, &["read:libros"])?;
        cx.get("/libros?limit=1").key(&client.key).send()?.prepared("using a created key", 200)?;
        let shown = [&client.id, &client.name].into_iter().filter(|shown| !shown.is_empty());
        each_denied("API_KEY_INVALIDA", shown.map(|shown| cx.get("/libros?limit=1").key(shown)))
    };
    /// A key counts in its header alone, not in the query.
    a_key_in_the_query_is_no_credential judges ["credentials/none"] => |cx| {
        let names = ["X-API-Key", "x-api-key", "api_key", "apiKey", "key"];
        each_denied("NO_AUTENTICADO", names.map(|name| cx.get(&format!("/libros?{name}={}", cx.test_key()))))
    };
    /// An empty X-API-Key: as if it were not sent, or a key that fails.
    an_empty_key judges ["credentials/key-empty"] => |cx| {
        let session = users::log_in_initial(cx)?.session;
        cx.get("/libros?limit=1").bearer(&session).send()?.prepared("using the session token", 200)?;
        let alone = cx.get("/libros?limit=1").key("").send()?;
        let beside = cx.get("/libros?limit=1").key("").bearer(&session).send()?;
        let code = |reply: &Reply| reply.text_at("/error/codigo");
        let readings = [
            ("absent", alone.is(401) && code(&alone) == "NO_AUTENTICADO" && beside.is(200)),
            ("failing", [&alone, &beside].iter().all(|reply| reply.is(401) && code(reply) == "API_KEY_INVALIDA")),
        ];
        let shown = |reply: &Reply| format!("{} {}", reply.status(), code(reply));
        let got = format!("alone {}; beside a session {}", shown(&alone), shown(&beside));
        cx.observe(&readings, got).seen_in([&alone, &beside])
    };
    /// A valid key is let in beside a token or scheme that would fail.
    a_valid_key_is_let_in_beside_a_failing_token judges ["credentials/key-first"] => |cx| {
        let values = ["Bearer 0123456789abcdef", "JWT a.b.c", "JWT x", "Basic YTpi", "Bearer"];
        let get = || cx.get("/libros?limit=1").key(cx.test_key());
        each_answers(200, values.map(|value| get().header("Authorization", value)))
    };
    /// With a valid key and a valid token it is the client of the key who creates and replaces.
    the_client_of_the_key_acts_not_the_user judges ["credentials/key-first"] => |cx| {
        let book = json!({ "titulo": "Hijo de hombre", "autor": "Augusto Roa Bastos" });
        let post = || cx.post("/libros").json(&book);
        let creator = |reply| -> CaseResult<Option<Value>> { Ok(books::created(cx, reply)?.reply.at("/creadoPor")) };
        let tokens = admin(cx)?;
        let client = creator(post().key(cx.test_key()).send()?)?;
        let user = creator(post().bearer(&tokens.session).send()?)?;
        let differ = client.is_some() && client != user;
        let step = "telling client and user apart by creadoPor";
        CaseError::blocked_unless(differ, step, format!("both are {client:?}"))?;
        let want = client.unwrap_or_default();
        for request in [post().bearer(&tokens.session), post().jwt(&tokens.jwt)] {
            let reply = books::adopt(cx, request.key(cx.test_key()).send()?);
            reply.check().status(201)?.at("/creadoPor", &want)?;
        }
        Ok(())
    };
    /// The order of the two headers is nothing.
    the_order_of_the_headers_is_nothing judges ["credentials/key-first"]
        => |cx| each_answers(200, [cx.get("/libros?limit=1").bearer("0123456789abcdef").key(cx.test_key())]);
    /// On /auth/api-keys and /2fa a valid key counts before a token, whether that is valid or fails.
    a_key_counts_first_on_every_protected_route judges ["credentials/key-first"] => |cx| {
        let (_, keeper) = users::register_and_log_in(cx, "admin")?;
        let key = clients::create_as(cx, &keeper, &["manage:api_keys"])?.key;
        let list = || cx.get("/auth/api-keys").key(&key);
        list().send()?.prepared("listing keys with the key alone", 200)?;
        each_answers(200, [list().bearer("0123456789abcdef"), list().jwt("a.b.c")])?;
        if cx.holds_second_factor() {
            let status = || cx.get("/2fa/status");
            status().bearer(&keeper.session).send()?.prepared("asking for the status with the session alone", 200)?;
            // A key names no user.
            let requests = [status().bearer(&keeper.session), status().jwt(&keeper.jwt)];
            each_answers(400, requests.map(|request| request.key(cx.test_key())))?;
        }
        Ok(())
    };
    /// On /auth/api-keys and /2fa an unknown key is denied as such beside a valid session or JWT.
    an_unknown_key_is_denied_on_every_protected_route judges ["credentials/key-no-fall-through"] => |cx| {
        let (_, keeper) = users::register_and_log_in(cx, "admin")?;
        let unknown = |path| cx.get(path).key("ak_nobody");
        let keys = "/auth/api-keys";
        cx.get(keys).bearer(&keeper.session).send()?.prepared("listing keys with the session alone", 200)?;
        each_denied("API_KEY_INVALIDA", [unknown(keys).bearer(&keeper.session), unknown(keys).jwt(&keeper.jwt)])?;
        if cx.holds_second_factor() {
            cx.get("/2fa/status").bearer(&keeper.session).send()?.prepared("asking for the status", 200)?;
            let (status, devices) = (unknown("/2fa/status"), unknown("/2fa/trusted-devices"));
            each_denied("API_KEY_INVALIDA", [status.bearer(&keeper.session), devices.jwt(&keeper.jwt)])?;
        }
        Ok(())
    };
    /// An unknown key is denied as such beside a valid session or JWT.
    an_unknown_key_is_denied_beside_a_valid_token judges ["credentials/key-no-fall-through"] => |cx| {
        let tokens = admin(cx)?;
        let get = || cx.get("/libros?limit=1");
        get().bearer(&tokens.session).send()?.prepared("using the session token alone", 200)?;
        get().jwt(&tokens.jwt).send()?.prepared("using the JWT alone", 200)?;
        let unknown = || get().key("ak_nobody");
        let session_first = get().bearer(&tokens.session).key("ak_nobody");
        let requests = [unknown().bearer(&tokens.session), unknown().jwt(&tokens.jwt), session_first];
        each_denied("API_KEY_INVALIDA", requests)
    };
    /// A key that lacks the permission is denied as such beside a session or JWT that holds it.
    a_key_lacking_the_permission_is_denied_beside_a_valid_token judges ["credentials/key-no-fall-through"] => |cx| {
        let tokens = admin(cx)?;
        let twin = books::create(cx, &json!({}))?;
        books::create(cx, &json!({}))?;
        let deleted = cx.delete(&twin.path()).bearer(&tokens.session).send()?;
        deleted.prepared("deleting a book with the session token alone", 204)?;
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        let delete = || cx.delete(&made.path()).key(cx.test_key());
        each_denied("API_KEY_INVALIDA", [delete().bearer(&tokens.session), delete().jwt(&tokens.jwt)])?;
        let after = cx.get(&made.path()).key(cx.admin_key()).send()?;
        after.check().that(same(&after.json(), &before), "the book afterwards", &before, after.json()).map(drop)
    };
}

/// Tokens of the initial admin, who may read, write and delete.
fn admin(cx: &CaseContext<'_>) -> CaseResult<Tokens> {
    let admin = &cx.target().credentials.admin_user;
    users::log_in(cx, &admin.email, &admin.password)
}
