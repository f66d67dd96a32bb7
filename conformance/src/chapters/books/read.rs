//! The ids that books are given, and reading them.

use super::answers::ids;
use crate::chapters::prelude::*;

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
    /// A list is an object of datos and metadata, metadata one of paginacion, with books or without.
    a_list_is_datos_and_metadata judges ["books/list-shape"] => |cx| {
        // What every list must hold is judged of each.
        books::create(cx, &json!({}))?;
        let nothing = format!("/libros?lote={}", cx.unique("lote"));
        for path in ["/libros", "/libros?limit=1", "/libros?page=2&limit=1", nothing.as_str()] {
            cx.get(path).key(cx.admin_key()).send()?;
        }
        Ok(())
    };
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
    /// A read answers 200 with the bare book, for each that is there.
    a_read_answers_the_bare_book judges ["books/read"] => |cx| {
        let first = books::create(cx, &json!({ "titulo": "La amortajada", "autor": "María Luisa Bombal" }))?;
        let second = books::create(cx, &json!({ "paginas": 96, "temas": ["a", "b"], "nota": null }))?;
        for _ in 0..2 {
            for book in [&first, &second] {
                cx.get(&book.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&book.value())?;
            }
        }
        Ok(())
    };
    /// An id that no book has is 404.
    reading_an_unknown_id_is_404 judges ["books/read-unknown"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        books::stored(cx, made.id)?;
        cx.get(&books::unknown_path(cx)).key(cx.admin_key()).send()?.check().status(404).map(drop)
    };
    /// List parameters do nothing to the reading of one book.
    list_parameters_do_nothing_to_a_read judges ["books/read-ignores-query"] => |cx| {
        let made = books::create(cx, &json!({ "paginas": 96 }))?;
        let want = books::stored(cx, made.id)?;
        for query in [
            "fields=titulo",
            "fields=ninguno",
            "page=7&limit=1",
            "q=ningunlibrotieneesto",
            "titulo=otro",
            "min_paginas=500",
            "sort=-titulo",
            "",
        ] {
            cx.get(&format!("{}?{query}", made.path())).key(cx.admin_key()).send()?.check().status(200)?.body(&want)?;
        }
        Ok(())
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
