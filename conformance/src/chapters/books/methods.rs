//! Methods that book paths refuse; and what only a collection in its initial state, or an empty one, can show.

use super::answers::ids;
use crate::chapters::prelude::*;
use crate::fixture::reset;

cases! { "books";
    /// PATCH is 405 on book paths, with an id or without, of a known book or none.
    other_methods_are_405 judges ["books/method-not-allowed"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        let paths = [made.path(), books::unknown_path(cx), "/libros".into(), "/libros/abc".into()];
        for path in paths {
            let patch = cx.request("PATCH", &path).key(cx.admin_key()).json(&json!({ "titulo": "Otro" }));
            patch.send()?.check().status(405)?;
        }
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// The 405 needs no credential and minds no failing one.
    other_methods_are_405_before_the_credential judges ["books/method-before-credential"];
    /// PATCH with malformed JSON as its body is 405, or 400.
    other_methods_are_405_before_the_body_is_read judges ["books/method-before-body"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        for path in ["/libros".to_owned(), made.path()] {
            let reply = cx.request("PATCH", &path).key(cx.admin_key()).json_text(b"{\"titulo\":").send()?;
            cx.observe(&[("405", reply.is(405)), ("400", reply.is(400))], reply.summary())?;
        }
        Ok(())
    };
    /// HEAD is 405 without a credential, or served as GET; never with a body.
    head_is_refused_or_served_as_get judges ["books/head"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        for path in ["/libros".to_owned(), made.path()] {
            let stranger = concurrency::send_two(cx, "HEAD", &path, None)?;
            let known = concurrency::send_two(cx, "HEAD", &path, Some(cx.admin_key()))?;
            let statuses = (stranger.first.status, known.first.status);
            let has_body = stranger.spoilt.is_some() || known.spoilt.is_some();
            let readings = [("405", !has_body && statuses == (405, 405)), ("get", !has_body && statuses == (401, 200))];
            let body = if has_body { ", and a body after one of them" } else { "" };
            cx.observe(&readings, format!("without and with a credential {statuses:?}{body}"))?;
        }
        Ok(())
    };
    /// A fresh collection holds five books, with the ids 1 to 5.
    a_fresh_collection_holds_five_books judges ["books/initial-five"] needs [Need::Reset] => |cx| {
        on_a_fresh_collection(cx, || {
            let mut listed = ids(&all_books(cx)?);
            listed.sort_unstable();
            cx.check(listed == [1, 2, 3, 4, 5], "ids of a fresh collection", "1 to 5", format!("{listed:?}"))
        })
    };
    /// Each initial book can be read under its id, and no sixth.
    the_five_initial_books_can_be_read judges ["books/initial-five"] needs [Need::Reset];
    /// The initial books have titulo and autor, and perhaps more.
    initial_books_have_titulo_and_autor judges ["books/initial-content"] needs [Need::Reset] => |cx| {
        on_a_fresh_collection(cx, || {
            let books = all_books(cx)?;
            let text = |book: &Value, field: &str| book[field].as_str().is_some_and(|text| !text.is_empty());
            let both = books.iter().all(|book| text(book, "titulo") && text(book, "autor"));
            let dated = |book: &Value| text(book, "fechaPublicacion") && text(book, "fechaCreacion");
            let by_nobody = |book: &Value| book.get("creadoPor").is_some_and(Value::is_null);
            let is_full = both && books.iter().all(|book| dated(book) && by_nobody(book));
            cx.observe(&[("full", is_full), ("titulo-autor", both)], json!(books))
        })
    };
    /// The first book created beside the initial five gets the id 6.
    the_first_book_after_the_initial_five_is_6 judges ["books/id-next"] needs [Need::Reset] => |cx| {
        on_a_fresh_collection(cx, || books::create(cx, &json!({}))?.reply.check().at("/id", &json!(6)).map(drop))
    };
    /// The first book created in an empty collection gets the id 1, the next one 2.
    the_first_book_of_an_empty_collection_is_1 judges ["books/id-first"] needs [Need::Reset] => |cx| {
        on_a_fresh_collection(cx, || {
            for id in ids(&all_books(cx)?) {
                let delete = cx.delete(&format!("/libros/{id}")).key(cx.admin_key());
                delete.send()?.prepared("deleting an initial book", 204)?;
            }
            let left = all_books(cx)?;
            if !left.is_empty() {
                return Err(CaseError::blocked("emptying the collection", format!("{} books are left", left.len())));
            }
            let body = json!({ "titulo": "Popol Vuh", "autor": "anónimo" });
            let reply = cx.post("/libros").key(cx.admin_key()).json(&body).send()?;
            reply.prepared("creating a book in an empty collection", 201)?.check().at("/id", &json!(1))?;
            books::create(cx, &json!({}))?.reply.check().at("/id", &json!(2)).map(drop)
        })
    };
}

fn other_methods_are_405_before_the_credential(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for path in ["/libros".to_owned(), made.path()] {
        cx.get(&path).key("ak_nobody").send()?.prepared("having an unknown key refused", 401)?;
        let patch = || cx.request("PATCH", &path).json(&json!({ "titulo": "Otro" }));
        for request in [patch(), patch().key("ak_nobody"), patch().bearer("0123456789abcdef"), patch().jwt("a.b.c")] {
            request.send()?.check().status(405)?;
        }
    }
    Ok(())
}

/// Acts on a fresh collection, and leaves a fresh one behind however it ends.
fn on_a_fresh_collection(cx: &CaseContext<'_>, act: impl FnOnce() -> CaseResult) -> CaseResult {
    reset::verified(cx)?;
    let judged = act();
    let left = reset::verified(cx);
    judged.and(left)
}

fn all_books(cx: &CaseContext<'_>) -> Result<Vec<Value>, CaseError> {
    let reply = cx.get("/libros?limit=100").key(cx.admin_key()).send()?.prepared("listing all books", 200)?;
    let datos = reply.at("/datos");
    let books = datos.as_ref().and_then(Value::as_array).cloned();
    books.ok_or_else(|| CaseError::blocked("listing all books", reply.summary()))
}

fn the_five_initial_books_can_be_read(cx: &CaseContext<'_>) -> CaseResult {
    on_a_fresh_collection(cx, || {
        for id in 1..=5 {
            cx.get(&format!("/libros/{id}")).key(cx.admin_key()).send()?.check().status(200)?.at("/id", &json!(id))?;
        }
        cx.get("/libros/6").key(cx.admin_key()).send()?.check().status(404).map(drop)
    })
}
