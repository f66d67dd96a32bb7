//! What a create answers, and what it refuses.

use super::answers::{ask, has_no_strange_fields, ids};
use crate::chapters::prelude::*;

cases! { "books";
    /// A create answers 201, with the required fields alone and with more.
    create_answers_201 judges ["books/create-status"] => |cx| {
        let plain = json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" });
        let more = json!({
            "titulo": "Rayuela", "autor": "Julio Cortázar", "fechaPublicacion": "1963-06-28", "paginas": 635,
        });
        [plain, more].iter().try_for_each(|book| books::post(cx, book)?.check().status(201).map(drop))
    };
    /// The answer to a create is the book as stored: what was sent, and all that a read of it gives.
    create_answers_the_stored_book judges ["books/create-body"] => |cx| {
        let sent = json!({
            "titulo": "El Aleph", "autor": "Jorge Luis Borges", "fechaPublicacion": "1949-06-26", "paginas": 146,
            "temas": ["infinito", "espejos"],
        });
        let made = books::create(cx, &sent)?;
        let check = made.reply.check();
        for field in ["titulo", "autor", "fechaPublicacion", "paginas", "temas"] {
            check.at(&format!("/{field}"), &sent[field])?;
        }
        let stored = books::stored(cx, made.id)?;
        check.body(&stored)?;
        has_no_strange_fields(&made.reply, &sent)
    };
    /// The answer to a create has all that the list shows of the new book, its id first of all.
    create_answers_what_the_list_shows judges ["books/create-body"] => |cx| {
        // The one case of creation that does not need the answer to tell the new book's id.
        let marker = cx.unique("lote");
        let sent = json!({ "titulo": "El Aleph", "autor": "Jorge Luis Borges", "lote": marker });
        let reply = books::post(cx, &sent)?.prepared("creating a book", 201)?;
        let listed = books::list_marked(cx, &marker)?;
        ids(&listed).into_iter().for_each(|id| cx.note_book(id));
        let [stored] = listed.as_slice() else {
            return Err(CaseError::blocked("listing the book created", format!("want one, got {}", listed.len())));
        };
        reply.check().body(stored).map(drop)
    };
    /// Without titulo a create is 400; with it, it is not.
    create_without_titulo_is_refused judges ["books/titulo-required"] by each_is_refused(&[
            json!({ "autor": "Juan Rulfo" }),
            json!({ "autor": "Juan Rulfo", "title": "Pedro Páramo" }),
        ]);
    /// An empty or null titulo is as good as none.
    create_with_empty_titulo_is_refused judges ["books/titulo-non-empty"] by each_is_refused(&[
            json!({ "titulo": "", "autor": "Juan Rulfo" }),
            json!({ "titulo": null, "autor": "Juan Rulfo" }),
        ]);
    /// Without autor a create is 400; with it, it is not.
    create_without_autor_is_refused judges ["books/autor-required"] by each_is_refused(&[
            json!({ "titulo": "Pedro Páramo" }),
            json!({ "titulo": "Pedro Páramo", "author": "Juan Rulfo" }),
        ]);
    /// An empty or null autor is as good as none.
    create_with_empty_autor_is_refused judges ["books/autor-non-empty"] by each_is_refused(&[
            json!({ "titulo": "Pedro Páramo", "autor": "" }),
            json!({ "titulo": "Pedro Páramo", "autor": null }),
        ]);
    /// titulo and autor that are no text: by truthiness, refused, converted, or each value by itself.
    titulo_and_autor_of_another_type judges ["books/required-other-type"] => |cx| {
        books::create(cx, &json!({}))?;
        let truthy = [json!(5), json!(true), json!(["a", "b"]), json!({ "nombre": "x" })];
        let falsy = [json!(0), json!(false)];
        for field in ["titulo", "autor"] {
            let mut seen = Vec::new();
            let (mut is_text, mut is_each) = (true, true);
            let mut replies = Vec::new();
            for value in truthy.iter().chain(&falsy) {
                let mut book = json!({ "titulo": "Altazor", "autor": "Vicente Huidobro" });
                book[field] = value.clone();
                let reply = books::post(cx, &book)?;
                let got = reply.at(&format!("/{field}"));
                let is_kept = got.as_ref().is_some_and(|got| same(got, value));
                is_each &= match reply.status() {
                    201 => is_kept || got.as_ref().is_some_and(Value::is_string),
                    status => status == 400,
                };
                is_text &= reply.status() != 201 || got.is_some_and(|got| got.is_string());
                seen.push((reply.status(), is_kept));
                replies.push(reply);
            }
            let taken = |among: &[(u16, bool)]| among.iter().all(|seen| *seen == (201, true));
            let refused = |among: &[(u16, bool)]| among.iter().all(|(status, _)| *status == 400);
            let (of_truthy, of_falsy) = seen.split_at(truthy.len());
            let readings = [
                ("truthiness", taken(of_truthy) && refused(of_falsy)),
                ("strings-only", refused(&seen)),
                ("not-empty", taken(&seen)),
                ("converted", is_text && seen.iter().all(|(status, _)| matches!(status, 201 | 400))),
                ("each", is_each),
            ];
            let got = format!("for {field}, as (status, kept as sent): {seen:?}");
            let strange = replies.iter().filter(|reply| !matches!(reply.status(), 201 | 400));
            cx.observe(&readings, got).seen_in(strange.take(1))?;
        }
        Ok(())
    };
    /// titulo and autor of nothing but spaces: taken as sent, or refused.
    titulo_and_autor_of_spaces judges ["books/required-blank"] => |cx| {
        books::create(cx, &json!({}))?;
        for field in ["titulo", "autor"] {
            let mut book = json!({ "titulo": "Altazor", "autor": "Vicente Huidobro" });
            book[field] = json!("   ");
            let reply = books::post(cx, &book)?;
            let is_kept = reply.at(&format!("/{field}")) == Some(json!("   "));
            cx.observe(&[("stored", reply.is(201) && is_kept), ("400", reply.is(400))], reply.summary())?;
        }
        Ok(())
    };
    /// A refused create stores nothing.
    refused_create_leaves_no_trace judges ["books/refused-write-no-trace"] => |cx| {
        let set = books::create_set(cx, &[json!({ "titulo": "La vorágine" })])?;
        let marker = set.marker.as_str();
        let refused = [
            json!({ "lote": marker, "titulo": "La vorágine" }),
            json!({ "lote": marker, "autor": "José Eustasio Rivera" }),
            json!({ "lote": marker, "titulo": "", "autor": "José Eustasio Rivera" }),
            json!({ "lote": marker }),
        ];
        for body in refused {
            books::post(cx, &body)?.prepared("having a create refused", 400)?;
        }
        let path = set.books[0].path();
        let body = json!({ "lote": marker, "titulo": "La vorágine", "autor": "José Eustasio Rivera" });
        let reply = books::adopt(cx, cx.post(&path).key(cx.admin_key()).json(&body).send()?);
        reply.prepared("having a create with an id refused", 400)?;
        let listed = ids(&books::list_marked(cx, marker)?);
        let want = [set.books[0].id];
        // A book that was there already and is not shown is a fault of the list.
        let is_there = listed.contains(&want[0]);
        cx.check(is_there && listed == want, "ids under the marker", format!("{want:?}"), format!("{listed:?}"))
    };
    /// POST with an id is 400 where that book exists, and the book stays as it was.
    create_at_an_existing_id_is_refused judges ["books/create-with-id"] => |cx| {
        let made = books::create(cx, &json!({ "titulo": "Martín Fierro" }))?;
        let before = books::stored(cx, made.id)?;
        let reply = ask(cx, "POST", &made.path())?;
        let check = reply.check().status(400)?;
        let after = books::stored(cx, made.id)?;
        check.that(same(&after, &before), "the book", &before, &after).map(drop)
    };
    /// POST with an id is 400 also where no such book exists.
    create_at_an_unknown_id_is_refused judges ["books/create-with-id"] => |cx| {
        books::create(cx, &json!({}))?;
        ask(cx, "POST", &books::unknown_path(cx))?.check().status(400).map(drop)
    };
    /// POST with an id is 400 whatever the body.
    create_at_an_id_is_refused_whatever_the_body judges ["books/create-with-id"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        for path in [made.path(), books::unknown_path(cx)] {
            for body in ["{}", "{\"titulo\":\"x\"}", "{\"titulo\":"] {
                let request = cx.post(&path).key(cx.admin_key());
                books::adopt(cx, request.json_text(body.as_bytes()).send()?).check().status(400)?;
            }
        }
        Ok(())
    };
}

/// Each body must be refused, and the whole book, which differs from it in one field, must not be.
fn each_is_refused(cx: &CaseContext<'_>, bodies: &[Value]) -> CaseResult {
    books::create(cx, &json!({ "titulo": "Pedro Páramo", "autor": "Juan Rulfo" }))?;
    bodies.iter().try_for_each(|body| books::post(cx, body)?.check().status(400).map(drop))
}
