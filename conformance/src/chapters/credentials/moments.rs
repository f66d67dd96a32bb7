//! When the credential is looked at: before the store, before id and body, and not at all on the open routes; the two
//! initial API clients.

use crate::chapters::books::answers::ids;
use crate::chapters::permissions::operations::INITIAL_ADMIN;
use crate::chapters::prelude::*;

cases! { "credentials";
    /// Without a credential an unknown book is 401; with one, 404.
    without_a_credential_an_unknown_book_is_denied judges ["credentials/before-store"] by an_unknown_book_is_denied(None);
    /// With a failing credential an unknown book is 401 too.
    with_a_failing_credential_an_unknown_book_is_denied judges ["credentials/before-store"]
        by an_unknown_book_is_denied(Some("ak_nobody"));
    /// Without the permission an unknown book is 401, for each method.
    without_the_permission_an_unknown_book_is_denied judges ["credentials/permission-before-store"] => |cx| {
        let path = books::unknown_path(cx);
        let book = json!({ "titulo": "x", "autor": "y" });
        cx.delete(&path).key(cx.admin_key()).send()?.prepared("deleting an unknown book", 404)?;
        cx.delete(&path).key(cx.test_key()).send()?.check().status(401)?;
        let key = clients::create_key(cx, &["delete:libros"])?;
        cx.delete(&path).key(&key).send()?.prepared("deleting an unknown book with the created key", 404)?;
        each_answers(401, [cx.get(&path).key(&key), cx.put(&path).json(&book).key(&key)])
    };
    /// Without a credential, ids too few or too many are 401, or 400.
    an_id_amiss_without_a_credential judges ["credentials/before-id"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let book = json!({ "titulo": "x", "autor": "y" });
        for request in [cx.put("/libros").json(&book), cx.delete("/libros"), cx.post(&made.path()).json(&book)] {
            is_denied_or_refused(cx, request)?;
        }
        Ok(())
    };
    /// Without a credential, an invalid body is 401, or 400.
    a_body_amiss_without_a_credential judges ["credentials/before-body"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let cut = b"{\"titulo\":";
        is_denied_or_refused(cx, cx.post("/libros").json_text(b"{}"))?;
        is_denied_or_refused(cx, cx.post("/libros").json_text(cut))?;
        is_denied_or_refused(cx, cx.put(&made.path()).json_text(cut))
    };
    /// A denied create stores nothing.
    a_denied_create_changes_nothing judges ["credentials/denied-changes-nothing"] => |cx| {
        let set = books::create_set(cx, &[json!({})])?;
        let book = json!({ "titulo": "x", "autor": "y", "lote": set.marker });
        let post = || cx.post("/libros").json(&book);
        for request in [post(), post().key("ak_nobody"), post().bearer("0123456789abcdef"), post().jwt("a.b.c")] {
            books::adopt(cx, request.send()?).prepared("being denied a create", 401)?;
        }
        let listed = books::list_marked(cx, &set.marker)?;
        let is_unchanged = ids(&listed) == [set.books[0].id];
        cx.check(is_unchanged, "books under the marker", set.books[0].value(), Value::from(listed))
    };
    /// A denied replace or delete leaves the book as it was.
    a_denied_replace_or_delete_changes_nothing judges ["credentials/denied-changes-nothing"] => |cx| {
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
            is_denied_and_unchanged(cx, request, &made, &before)?;
        }
        Ok(())
    };
    /// What a user may not write stays as it was, with session and JWT.
    a_user_denied_a_write_changes_nothing judges ["credentials/denied-changes-nothing"] => |cx| {
        let set = books::create_set(cx, &[json!({})])?;
        let made = &set.books[0];
        let before = books::stored(cx, made.id)?;
        let book = json!({ "titulo": "x", "autor": "y", "lote": set.marker });
        let tokens = users::log_in_initial(cx)?;
        let writes = || [cx.post("/libros").json(&book), cx.put(&made.path()).json(&book), cx.delete(&made.path())];
        let with_session = writes().map(|request| request.bearer(&tokens.session));
        let with_jwt = writes().map(|request| request.jwt(&tokens.jwt));
        for request in with_session.into_iter().chain(with_jwt) {
            let denied = is_denied_and_unchanged(cx, request, made, &before)?;
            let listed = ids(&books::list_marked(cx, &set.marker)?);
            denied.check().that(listed == [made.id], "books under the marker", made.id, format!("{listed:?}"))?;
        }
        Ok(())
    };
    /// Registration and login work without a credential and beside failing ones.
    registration_and_login_ask_for_no_credential judges ["credentials/open-routes"] => |cx| {
        let register = || {
            let email = users::email(cx, "user");
            users::registration(cx, &json!({ "email": email, "password": PASSWORD, "nombre": "Prueba" }))
        };
        each_answers(201, [register(), register().key("ak_nobody"), register().bearer("0123456789abcdef")])?;
        let user = &cx.target().credentials.regular_user;
        let login = || users::login(cx, &user.email, &user.password);
        let requests = [
            login(),
            login().key("ak_nobody"),
            login().bearer("0123456789abcdef"),
            login().jwt("a.b.c"),
            login().header("Authorization", "Basic YTpi"),
            login().key(cx.test_key()),
        ];
        each_answers(200, requests)
    };
    /// Verification takes no credentials: it fails for its session, with 400.
    verification_asks_for_no_credential judges ["credentials/open-routes"] => |cx| {
        let body = json!({ "sessionId": "0".repeat(64), "token": "123456" });
        let verify = || cx.post("/auth/verify-2fa").json(&body);
        each_answers(
            400,
            [verify(), verify().key("ak_nobody"), verify().bearer("0123456789abcdef"), verify().jwt("a.b.c")],
        )
    };
    /// The test key reads and writes, and neither deletes nor sees keys.
    the_test_key_reads_and_writes_only judges ["credentials/initial-test-client"]
        => |cx| has_powers(cx, cx.test_key(), [200, 201, 200, 401, 401]);
    /// The admin key reads, writes and deletes, and does not see keys.
    the_admin_key_does_all_but_manage_keys judges ["credentials/initial-admin-client"]
        => |cx| has_powers(cx, cx.admin_key(), [200, 201, 200, 204, 401]);
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

/// With that key, or none, an unknown book is 401 to each method; with one that may, it is 404.
fn an_unknown_book_is_denied(cx: &CaseContext<'_>, key: Option<&str>) -> CaseResult {
    let (path, book) = (books::unknown_path(cx), json!({ "titulo": "x", "autor": "y" }));
    cx.get(&path).key(cx.admin_key()).send()?.prepared("reading an unknown book", 404)?;
    let mut requests = vec![cx.get(&path), cx.put(&path).json(&book), cx.delete(&path)];
    if let Some(key) = key {
        requests = requests.into_iter().map(|request| request.key(key)).collect();
        requests.extend([cx.get(&path).bearer("0123456789abcdef"), cx.get(&path).jwt("a.b.c")]);
    }
    each_answers(401, requests)
}

/// 401 or 400: both are accepted readings.
fn is_denied_or_refused(cx: &CaseContext<'_>, request: Request<'_>) -> CaseResult {
    let reply = books::adopt(cx, request.send()?);
    let sent = &reply.exchange().sent;
    let body = sent.body.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let got = format!("{} for {} {} {body}", reply.status(), sent.method, sent.path);
    cx.observe(&[("401", reply.is(401)), ("400", reply.is(400))], got)
}

/// A write is denied and leaves the book as it was: the denial.
fn is_denied_and_unchanged(
    cx: &CaseContext<'_>,
    request: Request<'_>,
    made: &MadeBook,
    before: &Value,
) -> CaseResult<Reply> {
    let denied = books::adopt(cx, request.send()?).prepared("being denied a write", 401)?;
    let read = cx.get(&made.path()).key(cx.admin_key()).send()?;
    let is_unchanged = read.is(200) && same(&read.json(), before);
    denied.check().that(is_unchanged, "the book afterwards", before, read.received().text())?;
    Ok(denied)
}

/// What a key is let in to do: read, create, replace, delete, list keys.
fn has_powers(cx: &CaseContext<'_>, key: &str, want: [u16; 5]) -> CaseResult {
    let victim = books::create(cx, &json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    let read = cx.get(&victim.path()).key(key).send()?;
    let created = books::adopt(cx, cx.post("/libros").key(key).json(&book).send()?);
    let replaced = cx.put(&victim.path()).key(key).json(&book).send()?;
    let deleted = cx.delete(&victim.path()).key(key).send()?;
    let listed = cx.get("/auth/api-keys").key(key).send()?;
    let statuses = [&read, &created, &replaced, &deleted, &listed].map(Reply::status);
    let place = "statuses of read, create, replace, delete and the list of keys";
    listed.check().that(statuses == want, place, format!("{want:?}"), format!("{statuses:?}")).map(drop)
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

fn has_permissions(client: &Value, want: &[&str]) -> bool {
    let held = client["permissions"].as_array();
    held.is_some_and(|held| {
        held.iter().filter_map(Value::as_str).collect::<BTreeSet<_>>() == want.iter().copied().collect()
    })
}

/// An initial client in the list of keys, as a newly registered admin sees it: its name, permissions and rateLimit by these rules.
fn is_listed(cx: &CaseContext<'_>, who: &str, key: &str, rules: [&'static str; 2], want: (&[&str], u64)) -> CaseResult {
    let (_, admin) = users::register_and_log_in(cx, "admin")?;
    let list = cx.get("/auth/api-keys").bearer(&admin.session).send()?.prepared("listing keys", 200)?;
    let clients = clients(cx, &list, key)?;
    let (permissions, rate_limit) = want;
    let place = format!("the {who} client in the list of keys");
    let is_right = clients.iter().any(|client| has_permissions(client, permissions));
    list.check_rule(rules[0]).that(is_right, &place, permissions.join(", "), Value::from(clients.clone()))?;
    let is_right = clients.iter().any(|client| same(&client["rateLimit"], &json!(rate_limit)));
    list.check_rule(rules[1]).that(is_right, &place, format!("rateLimit {rate_limit}"), Value::from(clients)).map(drop)
}
