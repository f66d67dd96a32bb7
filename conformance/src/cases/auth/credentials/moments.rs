//! When the credential is looked at: before the store, before id and body, and not at all on the open routes.

use serde_json::{Value, json};

use crate::cases;
use crate::cases::books::ids;
use crate::context::case_context::Trial;
use crate::contract::verdict::Judged;
use crate::fixture::users::PASSWORD;
use crate::http::reply::{holds, reading, same};

cases! { "credentials";
    /// Without a credential an unknown book is 401; with one, 404.
    without_a_credential_an_unknown_book_is_denied judges ["credentials/before-store"];
    /// With a failing credential an unknown book is 401 too.
    with_a_failing_credential_an_unknown_book_is_denied judges ["credentials/before-store"];
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
    /// Verification is no matter of credentials: it fails for its session, with 400.
    verification_asks_for_no_credential judges ["credentials/open-routes"];
}

fn without_a_credential_an_unknown_book_is_denied(t: &Trial<'_>) -> Judged {
    let path = t.unknown_book();
    let book = json!({ "titulo": "x", "autor": "y" });
    let twin = t.get(&path).key(t.admin_key()).send()?;
    twin.prepared("reading an unknown book", 404)?;
    for request in [t.get(&path), t.put(&path).json(&book), t.delete(&path)] {
        request.send()?.judge("credentials/before-store").status(401)?;
    }
    Ok(())
}

fn with_a_failing_credential_an_unknown_book_is_denied(t: &Trial<'_>) -> Judged {
    let path = t.unknown_book();
    let book = json!({ "titulo": "x", "autor": "y" });
    let twin = t.get(&path).key(t.admin_key()).send()?;
    twin.prepared("reading an unknown book", 404)?;
    for request in [t.get(&path), t.put(&path).json(&book), t.delete(&path)] {
        request.key("ak_nobody").send()?.judge("credentials/before-store").status(401)?;
    }
    for request in [t.get(&path).bearer("0123456789abcdef"), t.get(&path).jwt("a.b.c")] {
        request.send()?.judge("credentials/before-store").status(401)?;
    }
    Ok(())
}

fn without_the_permission_an_unknown_book_is_denied(t: &Trial<'_>) -> Judged {
    let path = t.unknown_book();
    let book = json!({ "titulo": "x", "autor": "y" });
    let twin = t.delete(&path).key(t.admin_key()).send()?;
    twin.prepared("deleting an unknown book", 404)?;
    let deleted = t.delete(&path).key(t.test_key()).send()?;
    deleted.judge("credentials/permission-before-store").status(401)?;
    let key = t.create_key(&["delete:libros"])?;
    let known = t.delete(&path).key(&key).send()?;
    known.prepared("deleting an unknown book with the created key", 404)?;
    for request in [t.get(&path), t.put(&path).json(&book)] {
        request.key(&key).send()?.judge("credentials/permission-before-store").status(401)?;
    }
    Ok(())
}

fn an_id_amiss_without_a_credential(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    let book = json!({ "titulo": "x", "autor": "y" });
    for request in [t.put("/libros").json(&book), t.delete("/libros"), t.post(&made.path()).json(&book)] {
        let reply = t.claim(request.send()?);
        let readings = [("401", reply.status() == 401), ("400", reply.status() == 400)];
        let sent = &reply.exchange().sent;
        reading(
            t,
            "credentials/before-id",
            &readings,
            format!("{} for {} {}", reply.status(), sent.method, sent.path),
        )?;
    }
    Ok(())
}

fn a_body_amiss_without_a_credential(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    for (method, path, body) in
        [("POST", "/libros", "{}"), ("POST", "/libros", "{\"titulo\":"), ("PUT", &made.path(), "{\"titulo\":")]
    {
        let request = t.request(method, path).header("Content-Type", "application/json");
        let reply = t.claim(request.body(body.as_bytes()).send()?);
        let readings = [("401", reply.status() == 401), ("400", reply.status() == 400)];
        reading(t, "credentials/before-body", &readings, format!("{} for {method} of {body}", reply.status()))?;
    }
    Ok(())
}

fn a_denied_create_changes_nothing(t: &Trial<'_>) -> Judged {
    let lot = t.create_lot(&[json!({})])?;
    let book = json!({ "titulo": "x", "autor": "y", "lote": lot.marker });
    let post = || t.post("/libros").json(&book);
    for request in [post(), post().key("ak_nobody"), post().bearer("0123456789abcdef"), post().jwt("a.b.c")] {
        t.claim(request.send()?).prepared("being denied a create", 401)?;
    }
    let listed = t.marked_books(&lot.marker)?;
    let is_unchanged = ids(&listed) == [lot.books[0].id];
    let rule = "credentials/denied-changes-nothing";
    holds(t.case(), rule, is_unchanged, "books under the marker", lot.books[0].value(), Value::from(listed))
}

fn a_denied_replace_or_delete_changes_nothing(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    let before = t.read_book(made.id)?;
    let book = json!({ "titulo": "x", "autor": "y" });
    for request in [
        t.put(&made.path()).json(&book),
        t.put(&made.path()).json(&book).key("ak_nobody"),
        t.delete(&made.path()),
        t.delete(&made.path()).key("ak_nobody"),
        t.delete(&made.path()).key(t.test_key()),
    ] {
        let denied = request.send()?.prepared("being denied a write", 401)?;
        let read = t.get(&made.path()).key(t.admin_key()).send()?;
        let judge = denied.judge("credentials/denied-changes-nothing");
        let is_unchanged = read.status() == 200 && same(&read.json(), &before);
        judge.that(is_unchanged, "the book afterwards", &before, read.received().text())?;
    }
    Ok(())
}

fn a_user_denied_a_write_changes_nothing(t: &Trial<'_>) -> Judged {
    let lot = t.create_lot(&[json!({})])?;
    let made = &lot.books[0];
    let before = t.read_book(made.id)?;
    let book = json!({ "titulo": "x", "autor": "y", "lote": lot.marker });
    let user = &t.target().credentials.regular_user;
    let tokens = t.log_in(&user.email, &user.password)?;
    let writes = || [t.post("/libros").json(&book), t.put(&made.path()).json(&book), t.delete(&made.path())];
    let with_session = writes().map(|request| request.bearer(&tokens.session));
    let with_jwt = writes().map(|request| request.jwt(&tokens.jwt));
    for request in with_session.into_iter().chain(with_jwt) {
        let denied = t.claim(request.send()?).prepared("being denied a write", 401)?;
        let read = t.get(&made.path()).key(t.admin_key()).send()?;
        let judge = denied.judge("credentials/denied-changes-nothing");
        let is_unchanged = read.status() == 200 && same(&read.json(), &before);
        judge.that(is_unchanged, "the book afterwards", &before, read.received().text())?;
        let listed = ids(&t.marked_books(&lot.marker)?);
        judge.that(listed == [made.id], "books under the marker", made.id, format!("{listed:?}"))?;
    }
    Ok(())
}

fn registration_and_login_ask_for_no_credential(t: &Trial<'_>) -> Judged {
    let register = || {
        let email = format!("{}@example.test", t.unique("user"));
        let body = json!({ "email": email, "password": PASSWORD, "nombre": "Prueba" });
        t.post("/auth/registro").json(&body)
    };
    for request in [register(), register().key("ak_nobody"), register().bearer("0123456789abcdef")] {
        request.send()?.judge("credentials/open-routes").status(201)?;
    }
    let user = &t.target().credentials.regular_user;
    let body = json!({ "email": user.email, "password": user.password });
    let login = || t.post("/auth/login").json(&body);
    for request in [
        login(),
        login().key("ak_nobody"),
        login().bearer("0123456789abcdef"),
        login().jwt("a.b.c"),
        login().header("Authorization", "Basic YTpi"),
        login().key(t.test_key()),
    ] {
        request.send()?.judge("credentials/open-routes").status(200)?;
    }
    Ok(())
}

fn verification_asks_for_no_credential(t: &Trial<'_>) -> Judged {
    let body = json!({ "sessionId": "0".repeat(64), "token": "123456" });
    let verify = || t.post("/auth/verify-2fa").json(&body);
    for request in [verify(), verify().key("ak_nobody"), verify().bearer("0123456789abcdef"), verify().jwt("a.b.c")] {
        request.send()?.judge("credentials/open-routes").status(400)?;
    }
    Ok(())
}
