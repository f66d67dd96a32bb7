//! When the credential is looked at: before the store, before id and body, and not at all on the open routes; the two
//! initial API clients.

use crate::chapters::books::answers::ids;
use crate::chapters::prelude::*;

cases! { "credentials";
    /// Without a credential an unknown book is 401; with one, 404.
    without_a_credential_an_unknown_book_is_denied judges ["credentials/before-store"] by an_unknown_book_is_denied(None);
    /// With a failing credential an unknown book is 401 too.
    with_a_failing_credential_an_unknown_book_is_denied judges ["credentials/before-store"]
        by an_unknown_book_is_denied(Some("ak_nobody"));
    /// Without the permission an unknown book is 401, for each method.
    without_the_permission_an_unknown_book_is_denied judges ["credentials/permission-before-store"];
    /// Without a credential, ids too few or too many are 401, or 400.
    an_id_amiss_without_a_credential judges ["credentials/before-id"];
    /// Without a credential, an invalid body is 401, or 400.
    a_body_amiss_without_a_credential judges ["credentials/before-body"];
    /// A denied create stores nothing.
    a_denied_create_changes_nothing judges ["credentials/denied-changes-nothing"];
    /// A denied replace or delete leaves the book as it was.
    a_denied_replace_or_delete_changes_nothing judges ["credentials/denied-changes-nothing"];
    /// What a user may not write stays as it was, with session and JWT.
    a_user_denied_a_write_changes_nothing judges ["credentials/denied-changes-nothing"];
    /// Registration and login work without a credential and beside failing ones.
    registration_and_login_ask_for_no_credential judges ["credentials/open-routes"];
    /// Verification takes no credentials: it fails for its session, with 400.
    verification_asks_for_no_credential judges ["credentials/open-routes"];
    /// The test key reads and writes, and neither deletes nor sees keys.
    the_test_key_reads_and_writes_only judges ["credentials/initial-test-client"];
    /// The admin key reads, writes and deletes, and does not see keys.
    the_admin_key_does_all_but_manage_keys judges ["credentials/initial-admin-client"];
    /// The list of keys shows the test client with two permissions and rateLimit 1000.
    the_test_client_is_listed judges ["credentials/initial-test-client", "credentials/initial-test-rate-limit"];
    /// The list of keys shows the admin client with four permissions and rateLimit 5000.
    the_admin_client_is_listed judges ["credentials/initial-admin-client", "credentials/initial-admin-rate-limit"];
}

/// With that key, or none, an unknown book is 401 to each method; with one that may, it is 404.
fn an_unknown_book_is_denied(cx: &CaseContext<'_>, key: Option<&str>) -> CaseResult {
    let (path, book) = (books::unknown_path(cx), json!({ "titulo": "x", "autor": "y" }));
    cx.get(&path).key(cx.admin_key()).send()?.prepared("reading an unknown book", 404)?;
    let mut requests = vec![cx.get(&path), cx.put(&path).json(&book), cx.delete(&path)];
    if let Some(key) = key {
        requests = requests.into_iter().map(|request| request.key(key)).collect();
        requests.extend([cx.get(&path).bearer("0123456789abcdef"), cx.get(&path).jwt("a.b.c")]);
    }
    requests.into_iter().try_for_each(|request| request.send()?.check().status(401).map(drop))
}

fn without_the_permission_an_unknown_book_is_denied(cx: &CaseContext<'_>) -> CaseResult {
    let path = books::unknown_path(cx);
    let book = json!({ "titulo": "x", "autor": "y" });
    cx.delete(&path).key(cx.admin_key()).send()?.prepared("deleting an unknown book", 404)?;
    cx.delete(&path).key(cx.test_key()).send()?.check().status(401)?;
    let key = clients::create_key(cx, &["delete:libros"])?;
    cx.delete(&path).key(&key).send()?.prepared("deleting an unknown book with the created key", 404)?;
    for request in [cx.get(&path), cx.put(&path).json(&book)] {
        request.key(&key).send()?.check().status(401)?;
    }
    Ok(())
}

fn an_id_amiss_without_a_credential(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    for request in [cx.put("/libros").json(&book), cx.delete("/libros"), cx.post(&made.path()).json(&book)] {
        let reply = books::adopt(cx, request.send()?);
        let readings = [("401", reply.is(401)), ("400", reply.is(400))];
        let sent = &reply.exchange().sent;
        cx.observe(&readings, format!("{} for {} {}", reply.status(), sent.method, sent.path))?;
    }
    Ok(())
}

fn a_body_amiss_without_a_credential(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for (method, path, body) in
        [("POST", "/libros", "{}"), ("POST", "/libros", "{\"titulo\":"), ("PUT", &made.path(), "{\"titulo\":")]
    {
        let request = cx.request(method, path);
        let reply = books::adopt(cx, request.json_text(body.as_bytes()).send()?);
        let readings = [("401", reply.is(401)), ("400", reply.is(400))];
        cx.observe(&readings, format!("{} for {method} of {body}", reply.status()))?;
    }
    Ok(())
}

fn a_denied_create_changes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({})])?;
    let book = json!({ "titulo": "x", "autor": "y", "lote": set.marker });
    let post = || cx.post("/libros").json(&book);
    for request in [post(), post().key("ak_nobody"), post().bearer("0123456789abcdef"), post().jwt("a.b.c")] {
        books::adopt(cx, request.send()?).prepared("being denied a create", 401)?;
    }
    let listed = books::list_marked(cx, &set.marker)?;
    let is_unchanged = ids(&listed) == [set.books[0].id];
    cx.check(is_unchanged, "books under the marker", set.books[0].value(), Value::from(listed))
}

fn a_denied_replace_or_delete_changes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let before = books::stored(cx, made.id)?;
    let book = json!({ "titulo": "x", "autor": "y" });
    for request in [
        cx.put(&made.path()).json(&book),
        cx.put(&made.path()).json(&book).key("ak_nobody"),
        cx.delete(&made.path()),
        cx.delete(&made.path()).key("ak_nobody"),
        cx.delete(&made.path()).key(cx.test_key()),
    ] {
        let denied = request.send()?.prepared("being denied a write", 401)?;
        let read = cx.get(&made.path()).key(cx.admin_key()).send()?;
        let check = denied.check();
        let is_unchanged = read.is(200) && same(&read.json(), &before);
        check.that(is_unchanged, "the book afterwards", &before, read.received().text())?;
    }
    Ok(())
}

fn a_user_denied_a_write_changes_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({})])?;
    let made = &set.books[0];
    let before = books::stored(cx, made.id)?;
    let book = json!({ "titulo": "x", "autor": "y", "lote": set.marker });
    let user = &cx.target().credentials.regular_user;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let writes = || [cx.post("/libros").json(&book), cx.put(&made.path()).json(&book), cx.delete(&made.path())];
    let with_session = writes().map(|request| request.bearer(&tokens.session));
    let with_jwt = writes().map(|request| request.jwt(&tokens.jwt));
    for request in with_session.into_iter().chain(with_jwt) {
        let denied = books::adopt(cx, request.send()?).prepared("being denied a write", 401)?;
        let read = cx.get(&made.path()).key(cx.admin_key()).send()?;
        let check = denied.check();
        let is_unchanged = read.is(200) && same(&read.json(), &before);
        check.that(is_unchanged, "the book afterwards", &before, read.received().text())?;
        let listed = ids(&books::list_marked(cx, &set.marker)?);
        check.that(listed == [made.id], "books under the marker", made.id, format!("{listed:?}"))?;
    }
    Ok(())
}

fn registration_and_login_ask_for_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    let register = || {
        let email = users::email(cx, "user");
        cx.post("/auth/registro").json(&json!({ "email": email, "password": PASSWORD, "nombre": "Prueba" }))
    };
    for request in [register(), register().key("ak_nobody"), register().bearer("0123456789abcdef")] {
        request.send()?.check().status(201)?;
    }
    let user = &cx.target().credentials.regular_user;
    let body = json!({ "email": user.email, "password": user.password });
    let login = || cx.post("/auth/login").json(&body);
    for request in [
        login(),
        login().key("ak_nobody"),
        login().bearer("0123456789abcdef"),
        login().jwt("a.b.c"),
        login().header("Authorization", "Basic YTpi"),
        login().key(cx.test_key()),
    ] {
        request.send()?.check().status(200)?;
    }
    Ok(())
}

fn verification_asks_for_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    let body = json!({ "sessionId": "0".repeat(64), "token": "123456" });
    let verify = || cx.post("/auth/verify-2fa").json(&body);
    for request in [verify(), verify().key("ak_nobody"), verify().bearer("0123456789abcdef"), verify().jwt("a.b.c")] {
        request.send()?.check().status(400)?;
    }
    Ok(())
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
