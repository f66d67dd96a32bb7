//! Reading one book, and the shape of a list.

use crate::chapters::prelude::*;

cases! { "books";
    /// A list is an object of datos and metadata, metadata one of paginacion, with books or without.
    a_list_is_datos_and_metadata judges ["books/list-shape"];
    /// The books of a list are bare books, as a read gives them.
    a_list_holds_bare_books judges ["books/list-shape"];
    /// A read answers 200 with the bare book, for each that is there.
    a_read_answers_the_bare_book judges ["books/read"];
    /// An id that no book has is 404.
    reading_an_unknown_id_is_404 judges ["books/read-unknown"];
    /// List parameters do nothing to the reading of one book.
    list_parameters_do_nothing_to_a_read judges ["books/read-ignores-query"];
}

/// What every list must hold is judged of each.
fn a_list_is_datos_and_metadata(cx: &CaseContext<'_>) -> CaseResult {
    books::create(cx, &json!({}))?;
    let nothing = format!("/libros?lote={}", cx.unique("lote"));
    for path in ["/libros", "/libros?limit=1", "/libros?page=2&limit=1", nothing.as_str()] {
        cx.get(path).key(cx.admin_key()).send()?;
    }
    Ok(())
}

fn a_list_holds_bare_books(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "paginas": 96, "nota": null }), json!({ "temas": ["a"] })])?;
    let reply = cx.get(&set.path("limit=100")).key(cx.admin_key()).send()?;
    let reply = reply.prepared("listing books", 200)?;
    let Some(Value::Array(listed)) = reply.at("/datos") else {
        return Err(CaseError::blocked("listing books", "there is no list in datos"));
    };
    for book in &set.books {
        let want = books::stored(cx, book.id)?;
        let found = listed.iter().any(|listed| same(listed, &want));
        reply.check().that(
            found,
            Place::body("/datos"),
            format!("among others {want}"),
            Value::from(listed.clone()),
        )?;
    }
    Ok(())
}

fn a_read_answers_the_bare_book(cx: &CaseContext<'_>) -> CaseResult {
    let first = books::create(cx, &json!({ "titulo": "La amortajada", "autor": "María Luisa Bombal" }))?;
    let second = books::create(cx, &json!({ "paginas": 96, "temas": ["a", "b"], "nota": null }))?;
    for _ in 0..2 {
        for book in [&first, &second] {
            cx.get(&book.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&book.value())?;
        }
    }
    Ok(())
}

fn reading_an_unknown_id_is_404(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    books::stored(cx, made.id)?;
    cx.get(&books::unknown_path(cx)).key(cx.admin_key()).send()?.check().status(404).map(drop)
}

fn list_parameters_do_nothing_to_a_read(cx: &CaseContext<'_>) -> CaseResult {
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
}
