//! The ids that books are given, what reading, replacing and deleting them shows, and what only a collection in its initial state, or an
//! empty one, can show.

use super::answers::{has_no_strange_fields, ids, is_shown};
use crate::chapters::prelude::*;
use crate::fixture::concurrency::Followed;
use crate::fixture::reset;
use crate::fixture::time::let_a_moment_pass;

cases! { "books";
    /// Ids are whole numbers, and each new one is above those that are there.
    ids_are_integers_that_climb judges ["books/id-next"] => |cx| {
        let mut last = 0;
        for _ in 0..4 {
            let reply = post(cx, "ninguno")?.prepared("creating a book", 201)?;
            let check = reply.check().at_where("/id", "a whole number", |id| books::whole(id).is_some())?;
            let id = books::id_of(&reply).unwrap_or_default();
            check.that(id > last, Place::body("/id"), format!("above {last}, which is there"), id)?;
            last = id;
        }
        Ok(())
    };
    /// The next id is one above the highest, gaps below it notwithstanding.
    the_next_id_is_one_above_the_highest judges ["books/id-next"] needs [Need::Exclusive] => |cx| {
        let low = books::create(cx, &json!({}))?;
        let middle = created_under(cx, low.id + 1)?;
        created_under(cx, low.id + 2)?;
        books::delete(cx, &low)?;
        created_under(cx, low.id + 3)?;
        // A replace of an older book is no creation.
        books::replace(cx, &middle, &json!({ "titulo": "Trilce", "autor": "César Vallejo" }))?;
        created_under(cx, low.id + 4).map(drop)
    };
    /// The id of a deleted highest book is given again.
    the_highest_id_is_given_again_once_free judges ["books/id-reused"] needs [Need::Exclusive] => |cx| {
        let first = books::create(cx, &json!({}))?;
        books::delete(cx, &first)?;
        books::delete(cx, &created_under(cx, first.id)?)?;
        created_under(cx, first.id).map(drop)
    };
    /// Twelve creates at once get twelve ids, and all twelve books are there afterwards.
    creates_at_the_same_time_are_all_stored judges ["books/concurrent-creates"] => |cx| {
        const AT_ONCE: usize = 12;
        let marker = cx.unique("lote");
        post(cx, &marker)?.prepared("creating one book alone", 201)?;
        let mut given = BTreeSet::new();
        for reply in concurrency::simultaneously(AT_ONCE, |_| post(cx, &marker))? {
            let check = reply.check().status(201)?;
            let is_new = books::id_of(&reply).is_some_and(|id| given.insert(id));
            let got = reply.at("/id").unwrap_or_default();
            check.that(is_new, Place::body("/id"), "an id no other create was given", got)?;
        }
        let listed: BTreeSet<u64> = ids(&books::list_marked(cx, &marker)?).into_iter().collect();
        let missing: Vec<_> = given.difference(&listed).collect();
        cx.check(missing.is_empty(), "the list afterwards", "every book created", format!("without {missing:?}"))
    };
    /// Without sort a list is in order of creation, a replaced book in its place or at the end.
    a_list_is_in_order_of_creation judges ["books/collection-order"];
    /// The books of a list are bare books, as a read gives them.
    a_list_holds_bare_books judges ["books/list-shape"] => |cx| {
        let set = books::create_set(cx, &[json!({ "paginas": 96, "nota": null }), json!({ "temas": ["a"] })])?;
        let reply = cx.get(&set.path("limit=100")).key(cx.admin_key()).send()?;
        let reply = reply.prepared("listing books", 200)?;
        let Some(Value::Array(listed)) = reply.at("/datos") else {
            return Err(CaseError::blocked("listing books", "there is no list in datos"));
        };
        for book in &set.books {
            let want = books::stored(cx, book.id)?;
            let found = listed.iter().any(|listed| same(listed, &want));
            let (want, got) = (format!("among others {want}"), Value::from(listed.clone()));
            reply.check().that(found, Place::body("/datos"), want, got)?;
        }
        Ok(())
    };
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
    /// A deleted book is gone from the list, and the books around it are as they were.
    a_delete_takes_one_book_from_the_list judges ["books/delete-removes"];
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

fn post(cx: &CaseContext<'_>, marker: &str) -> Result<Reply, CaseError> {
    let book = json!({ "titulo": "Los heraldos negros", "autor": "César Vallejo", "lote": marker });
    books::post(cx, &book)
}

fn created_under(cx: &CaseContext<'_>, id: u64) -> Result<MadeBook, CaseError> {
    let made = books::create(cx, &json!({}))?;
    made.reply.check().at("/id", &json!(id))?;
    Ok(made)
}

fn a_list_is_in_order_of_creation(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({}), json!({}), json!({}), json!({})])?;
    let made: Vec<u64> = set.books.iter().map(|book| book.id).collect();
    let before = ids(&books::list_marked(cx, &set.marker)?);
    let is_kept = before == ids(&books::list_marked(cx, &set.marker)?);
    let sorted = |ids: &[u64]| {
        let mut sorted = ids.to_vec();
        sorted.sort_unstable();
        sorted
    };
    books::replace(cx, &set.books[1], &json!({ "titulo": "Trilce", "autor": "César Vallejo", "lote": set.marker }))?;
    let after = ids(&books::list_marked(cx, &set.marker)?);
    let moved = [made[0], made[2], made[3], made[1]];
    let readings = [
        ("creation", before == made && after == made),
        ("replaced-last", before == made && after == moved),
        ("other", is_kept && sorted(&before) == made && sorted(&after) == made),
    ];
    let got = Value::from(vec![json!(before), json!(after)]);
    cx.observe(&readings, format!("{got} after creating {made:?} and replacing the second"))
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
