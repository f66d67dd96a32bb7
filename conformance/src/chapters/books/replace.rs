//! What a replace and a delete answer, keep and drop.

use super::answers::{ask, has_no_strange_fields, ids, is_shown};
use crate::chapters::prelude::*;
use crate::fixture::concurrency::Followed;
use crate::fixture::time::let_a_moment_pass;

cases! { "books";
    /// A replace answers 200 with the stored book under its id, and a read gives the same.
    a_replace_answers_the_stored_book judges ["books/replace"] => |cx| {
        let made = books::create(cx, &json!({ "titulo": "Antes", "autor": "Uno" }))?;
        for titulo in ["Después", "Aún después"] {
            let body = json!({ "titulo": titulo, "autor": "Otro", "paginas": 12 });
            let reply = books::put(cx, &made, &body)?;
            let check = reply.check().status(200)?;
            check.at("/titulo", &json!(titulo))?.at("/autor", &json!("Otro"))?.at("/paginas", &json!(12))?;
            check.at("/id", &json!(made.id))?;
            books::read(cx, made.id)?.check().body(&reply.json())?;
            has_no_strange_fields(&reply, &body)?;
        }
        Ok(())
    };
    /// The other books stay as they are.
    a_replace_touches_no_other_book judges ["books/replace"];
    /// A field the body does not carry is gone, from the answer and from a read.
    a_replace_drops_what_it_does_not_carry judges ["books/replace-is-full"] => |cx| {
        let mut all =
            json!({ "titulo": "Antes", "autor": "Uno", "fechaPublicacion": "1967-05-30", "paginas": 471, "nota": "" });
        all["objeto"] = json!({ "a": 1, "b": 2 });
        let made = books::create(cx, &all)?;
        let body = json!({ "titulo": "Después", "objeto": { "b": 3 } });
        for reply in [books::replace(cx, &made, &body)?, books::read(cx, made.id)?] {
            ["autor", "fechaPublicacion", "paginas"].into_iter().try_for_each(|gone| is_gone(&reply, gone))?;
            reply.check().at("/objeto", &json!({ "b": 3 }))?;
        }
        // Each field for itself, whatever else is sent.
        for left_out in ["titulo", "autor", "fechaPublicacion", "paginas", "nota"] {
            books::put(cx, &made, &all)?.prepared("replacing a book with every field", 200)?;
            let mut body = all.clone();
            body.as_object_mut().and_then(|body| body.remove(left_out));
            for reply in [books::replace(cx, &made, &body)?, books::read(cx, made.id)?] {
                is_gone(&reply, left_out)?;
            }
        }
        Ok(())
    };
    /// A replace without titulo, without autor, with empty ones or with nothing at all is accepted.
    a_replace_needs_no_field judges ["books/replace-no-required-check"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::replace(cx, &made, &json!({ "titulo": "Pedro Páramo", "autor": "Juan Rulfo" }))?;
        for body in [
            json!({ "autor": "Juan Rulfo" }),
            json!({ "titulo": "Pedro Páramo" }),
            json!({ "paginas": 124 }),
            json!({ "titulo": "", "autor": "" }),
            json!({}),
        ] {
            books::put(cx, &made, &body)?.check().status(200)?;
        }
        Ok(())
    };
    /// PUT of an id that no book has is 404.
    replacing_an_unknown_id_is_404 judges ["books/replace-unknown"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        ask(cx, "PUT", &made.path())?.prepared("replacing a known book", 200)?;
        ask(cx, "PUT", &books::unknown_path(cx))?.check().status(404).map(drop)
    };
    /// PUT of an id that no book has creates none.
    replacing_an_unknown_id_creates_nothing judges ["books/replace-unknown"] => |cx| {
        let set = books::create_set(cx, &[json!({})])?;
        let path = books::unknown_path(cx);
        let body = json!({ "titulo": "Pedro Páramo", "autor": "Juan Rulfo", "lote": set.marker });
        _ = books::adopt(cx, cx.put(&path).key(cx.admin_key()).json(&body).send()?);
        books::adopt(cx, cx.get(&path).key(cx.admin_key()).send()?).check().status(404)?;
        let listed = books::list_marked(cx, &set.marker)?;
        cx.check(listed.len() == 1, "books under the marker", 1, Value::from(listed))
    };
    /// A replace refused for its body leaves the book as it was.
    refused_replace_leaves_no_trace judges ["books/refused-write-no-trace"] => |cx| {
        let made = books::create(cx, &json!({ "titulo": "Antes", "autor": "Uno", "paginas": 12 }))?;
        let before = books::stored(cx, made.id)?;
        let request = cx.put(&made.path()).key(cx.admin_key());
        let reply = request.json_text("{\"titulo\":\"Después\",\"autor\":".as_bytes()).send()?;
        reply.prepared("having a replace refused", 400)?;
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// An unknown id with an invalid body: the id is looked up first, or the body read first.
    replacing_an_unknown_id_with_an_invalid_body judges ["books/replace-lookup-before-body"] => |cx| {
        let request = cx.put(&books::unknown_path(cx)).key(cx.admin_key());
        let reply = books::adopt(cx, request.json_text(b"{\"titulo\":").send()?);
        cx.observe(&[("404", reply.is(404)), ("400", reply.is(400))], reply.summary())
    };
    /// A delete answers 204.
    a_delete_answers_204 judges ["books/delete-status"] => |cx| {
        for _ in 0..2 {
            let made = books::create(cx, &json!({}))?;
            cx.delete(&made.path()).key(cx.admin_key()).send()?.check().status(204)?;
        }
        Ok(())
    };
    /// After the head of a 204 nothing follows: the connection carries the next answer.
    a_delete_answers_without_a_body judges ["books/delete-status"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let Followed { first, spoilt } = concurrency::send_two(cx, "DELETE", &made.path(), Some(cx.admin_key()))?;
        cx.check(first.status == 204, Place::STATUS, 204, format!("{} {}", first.status, first.text()))?;
        let length = first.header("Content-Length");
        let is_empty = length.as_deref().is_none_or(|length| length.trim() == "0");
        cx.check(is_empty, Place::header("Content-Length"), "absent or 0", length.unwrap_or_default())?;
        let got = spoilt.unwrap_or_default();
        cx.check(got.is_empty(), "the connection after it", "the next answer", got)
    };
    /// A deleted book is gone from reads.
    a_deleted_book_cannot_be_read judges ["books/delete-removes"] => |cx| {
        let gone = books::create(cx, &json!({}))?;
        // While this one exists, the id of the first is not given again.
        let later = books::create(cx, &json!({}))?;
        books::read(cx, gone.id)?;
        let before = books::stored(cx, later.id)?;
        books::delete(cx, &gone)?;
        cx.get(&gone.path()).key(cx.admin_key()).send()?.check().status(404)?;
        cx.get(&later.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// A deleted book is gone from the list, and the books around it are as they were.
    a_delete_takes_one_book_from_the_list judges ["books/delete-removes"];
    /// The books created before and after a deleted one stay.
    a_delete_takes_no_neighbour_along judges ["books/delete-removes"] needs [Need::Exclusive] => |cx| {
        let books = books::create_set(cx, &[json!({}), json!({}), json!({}), json!({})])?.books;
        let gone = &books[1];
        books::delete(cx, gone)?;
        let left: Vec<String> = books.iter().filter(|book| book.id != gone.id).map(MadeBook::path).collect();
        left.iter().chain(&left).try_for_each(|path| ask(cx, "GET", path)?.check().status(200).map(drop))
    };
    /// A deleted book cannot be replaced.
    a_deleted_book_cannot_be_replaced judges ["books/delete-removes"] => |cx| {
        let gone = books::create(cx, &json!({}))?;
        books::create(cx, &json!({}))?;
        books::delete(cx, &gone)?;
        ask(cx, "PUT", &gone.path())?.check().status(404).map(drop)
    };
    /// DELETE of an id that no book has is 404.
    deleting_an_unknown_id_is_404 judges ["books/delete-unknown"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::delete(cx, &made)?;
        cx.delete(&books::unknown_path(cx)).key(cx.admin_key()).send()?.check().status(404).map(drop)
    };
    /// A second DELETE is 404.
    deleting_twice_is_404 judges ["books/delete-unknown"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::create(cx, &json!({}))?;
        books::delete(cx, &made)?;
        cx.delete(&made.path()).key(cx.admin_key()).send()?.check().of("the second DELETE").status(404).map(drop)
    };
}

fn a_replace_touches_no_other_book(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": "uno" }), json!({ "n": "dos" }), json!({ "n": "tres" })])?;
    let others = [set.books[0].id, set.books[2].id];
    let before = [books::stored(cx, others[0])?, books::stored(cx, others[1])?];
    let body = json!({ "titulo": "Otro", "autor": "Otra", "n": "cuatro", "lote": set.marker });
    // A time that a replace sets on all books is another than that of a replace just before it.
    let_a_moment_pass();
    let reply = books::replace(cx, &set.books[1], &body)?;
    for (id, before) in others.into_iter().zip(before) {
        let after = books::stored(cx, id)?;
        reply.check().that(same(&after, &before), format!("the book {id}, which was not replaced"), &before, &after)?;
    }
    let listed = books::list_marked(cx, &set.marker)?.len();
    cx.check(listed == 3, "books under the marker", 3, listed)
}

/// A typed book shows the fields of the table as null where it has none.
fn is_gone(reply: &Reply, field: &str) -> CaseResult {
    let check = reply.check();
    let shown = reply.at(&format!("/{field}"));
    let is_there = reply.json().is_object() && !is_shown(&reply.json(), field);
    check.that(is_there, Place::body(format_args!("/{field}")), Want::Absent, shown).map(drop)
}

fn a_delete_takes_one_book_from_the_list(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &["a", "b", "c", "d"].map(|n| json!({ "n": n })))?;
    let before = books::list_marked(cx, &set.marker)?;
    let gone = &set.books[1];
    if before.len() != set.books.len() {
        let why = format!("want {}, got {}", set.books.len(), before.len());
        return Err(CaseError::blocked("listing the books created", why));
    }
    books::delete(cx, gone)?;
    let after = books::list_marked(cx, &set.marker)?;
    let want: Vec<Value> = before.into_iter().filter(|book| ids(std::slice::from_ref(book)) != [gone.id]).collect();
    let in_any_order = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same(a, b)));
    cx.check(in_any_order(&after, &want), "the books under the marker", json!(want), json!(after))
}
