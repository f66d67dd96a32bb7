//! The ids that books are given, and what listing, replacing and deleting them shows.

use super::answers::{has_no_strange_fields, ids};
use crate::chapters::prelude::*;

cases! { "books";
    /// Ids of books are whole numbers, and each new one is above all existing ones.
    ids_are_integers_that_climb judges ["books/id-next"] => |cx| {
        let mut last = 0;
        for _ in 0..4 {
            let reply = post(cx, "ninguno")?.prepared("creating a book", 201)?;
            let check = reply.check().at_where("/id", "a whole number", |id| books::as_integer(id).is_some())?;
            let id = books::id_of(&reply).unwrap_or_default();
            check.that(id > last, Place::body("/id"), format!("above {last}, which is there"), id)?;
            last = id;
        }
        Ok(())
    };
    /// Twelve concurrent creates get twelve ids, and all twelve books are stored.
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
    /// A list without sort is in order of creation, with a replaced book in its place or at the end.
    a_list_is_in_order_of_creation judges ["books/collection-order"] => |cx| {
        let set = books::create_set(cx, &[json!({}), json!({}), json!({}), json!({})])?;
        let made: Vec<u64> = set.books.iter().map(|book| book.id).collect();
        let before = ids(&books::list_marked(cx, &set.marker)?);
        // The order of one answer is not the collection's.
        cx.get(&set.path("sort=-id")).key(cx.test_key()).send()?;
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
    };
    /// A replace answers 200 with the stored book under its id, as a read shows it.
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
    /// HEAD on a book path is 405 without a credential, or served as GET; never with a body.
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
}

fn post(cx: &CaseContext<'_>, marker: &str) -> Result<Reply, CaseError> {
    let book = json!({ "titulo": "Los heraldos negros", "autor": "César Vallejo", "lote": marker });
    books::post(cx, &book)
}
