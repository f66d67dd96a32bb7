//! What a create answers and refuses, and what a book keeps of what was sent.

use super::answers::{has_no_strange_fields, ids};
use crate::chapters::prelude::*;

cases! { "books";
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
    /// An id sent with a create gives way to the service's.
    an_id_sent_with_a_create_is_overwritten judges ["books/service-fields-win-on-create"] => |cx| {
        for sent in [json!(987_654_321), json!("987654322")] {
            let made = books::create(cx, &json!({ "id": sent }))?;
            made.reply.check().at_where("/id", format!("the service's own, not {sent}"), |id| !same(id, &sent))?;
        }
        Ok(())
    };
    /// A fechaCreacion sent with a create gives way to the service's.
    a_fecha_creacion_sent_with_a_create_is_overwritten judges ["books/service-fields-win-on-create"] => |cx| {
        let made = books::create(cx, &json!({ "fechaCreacion": LONG_AGO }))?;
        made.reply.check().at_where("/fechaCreacion", "the service's own", |got| !is_long_ago(got)).map(drop)
    };
    /// A creadoPor sent with a create gives way to the service's.
    a_creado_por_sent_with_a_create_is_overwritten judges ["books/service-fields-win-on-create"] => |cx| {
        let sent = json!(users::NOBODY);
        let made = books::create(cx, &json!({ "creadoPor": sent }))?;
        made.reply.check().at_where("/creadoPor", "the service's own", |got| *got != sent).map(drop)
    };
    /// fechaCreacion, fechaActualizacion and actualizadoPor sent with a replace give way to the service's.
    service_fields_sent_with_a_replace_are_overwritten judges ["books/service-fields-win-on-replace"];
    /// A new book has no fechaActualizacion and no actualizadoPor of note.
    a_new_book_was_never_updated judges ["books/update-fields-of-new-book"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let (date, by) = (made.reply.at("/fechaActualizacion"), made.reply.at("/actualizadoPor"));
        let time = |value: Option<Value>| clock::parse_any_iso(value?.as_str()?);
        // Equal, but for a clock that is read twice.
        let times = time(date.clone()).zip(time(made.reply.at("/fechaCreacion")));
        let is_created = times.is_some_and(|(updated, created)| (0..=50).contains(&(updated - created)));
        let by_nobody = by.as_ref().is_none_or(Value::is_null);
        let by_creator = by.is_some() && by == made.reply.at("/creadoPor");
        let readings = [
            ("absent", date.is_none() && by.is_none()),
            ("null", by_nobody && date.as_ref().is_none_or(Value::is_null)),
            ("as-created", (by_nobody || by_creator) && is_created),
        ];
        cx.observe(&readings, made.reply.summary())
    };
    /// fechaActualizacion and actualizadoPor sent with a create: kept, dropped, null or the service's.
    update_fields_sent_with_a_create judges ["books/update-fields-sent-on-create"] => |cx| {
        books::create(cx, &json!({}))?;
        let (date, by) = (json!(LONG_AGO), json!(users::NOBODY));
        let body = json!({
            "titulo": "Ficciones", "autor": "Jorge Luis Borges", "fechaActualizacion": date, "actualizadoPor": by,
        });
        let reply = books::post(cx, &body)?;
        let got = [reply.at("/fechaActualizacion"), reply.at("/actualizadoPor")];
        let made = reply.is(201);
        let is_text = |got: &Option<Value>| got.as_ref().is_none_or(|got| got.is_null() || got.is_string());
        let readings = [
            ("stored", made && got == [Some(date), Some(by)]),
            ("dropped", made && got == [None, None]),
            ("null", made && got == [Some(Value::Null), Some(Value::Null)]),
            ("own", made && got.iter().all(is_text)),
        ];
        cx.observe(&readings, reply.summary())
    };
    /// Fields of any other name are stored by a create and shown by answer, read and list.
    a_create_keeps_fields_of_any_name judges ["books/extra-fields-on-create"] by create_keeps(&fields_of_any_name());
    /// Fields of any other name are stored by a replace and shown by answer and read.
    a_replace_keeps_fields_of_any_name judges ["books/extra-fields-on-replace"] by replace_keeps(&fields_of_any_name());
    /// Any JSON value survives a create unchanged.
    any_json_value_survives_a_create judges ["books/extra-fields-any-json"] by create_keeps(&values_of_any_kind());
    /// Any JSON value survives a replace unchanged.
    any_json_value_survives_a_replace judges ["books/extra-fields-any-json"] by replace_keeps(&values_of_any_kind());
    /// A letter cut in two by the network comes back whole, from a create and from a replace.
    a_letter_cut_by_the_network_stays_whole judges ["books/extra-fields-any-json"] => |cx| {
        // Two bytes, three and four: the cut is within the first.
        for letter in ["ñ", "本", "📚"] {
            let sent = json!({ "titulo": format!("{letter} y más"), "autor": "Íñigo" });
            let request = cx.post("/libros").key(cx.admin_key()).json(&sent);
            let (reply, ()) = concurrency::send_slowly(request, || Ok(()))?;
            let made = books::created(cx, reply)?;
            has_every_field(&made.reply, &sent)?;
            let request = cx.put(&made.path()).key(cx.admin_key()).json(&sent);
            let (reply, ()) = concurrency::send_slowly(request, || Ok(()))?;
            has_every_field(&reply.prepared("replacing a book", 200)?, &sent)?;
            has_every_field(&books::read(cx, made.id)?, &sent)?;
        }
        Ok(())
    };
    /// Numbers beyond double precision: rounded to it, or kept exactly.
    numbers_beyond_double_precision judges ["books/number-precision"] => |cx| {
        const SENT: u64 = 9_007_199_254_740_993;
        let made = books::create(cx, &json!({ "enorme": SENT }))?;
        let got = made.reply.at("/enorme");
        let is_exact = got.as_ref().and_then(Value::as_u64) == Some(SENT);
        let is_rounded = !is_exact && got.as_ref().and_then(Value::as_f64) == Some(9_007_199_254_740_992.0);
        cx.observe(&[("double", is_rounded), ("exact", is_exact)], made.reply.summary())
    };
}

/// A book with fields of other names, some of which other parts of the interface give a meaning.
fn fields_of_any_name() -> Value {
    json!({
        "titulo": "Cien años de soledad", "autor": "Gabriel García Márquez",
        "editorial": "Sudamericana", "Editorial": "otra", "ISBN": "978-0307474728", "page": "uno", "limit": "dos",
        "sort": "tres", "fields": "cuatro", "q": "cinco", "min_paginas": "seis", "año de edición": "1967",
        "precio.neto": "12,50", "error": "ninguno", "datos": "siete", "metadata": "ocho", "createdAt": "nueve", "nota": "  con espacios  ",
        "_id": "diez", "constructor": "once", "length": "doce",
    })
}

/// A book with a value of every kind JSON has.
fn values_of_any_kind() -> Value {
    json!({
        "titulo": "Cien años de soledad", "autor": "Gabriel García Márquez",
        "nulo": null, "cierto": true, "falso": false, "cero": 0, "entero": 471, "negativo": -3, "decimal": 12.5,
        "grande": 9_007_199_254_740_991_i64, "diminuto": 1e-7, "vacio": "", "lista": [1, "dos", null, [3.5], {}],
        "lista vacia": [], "objeto": { "ciudad": "Macondo", "hondo": { "nulo": null, "lista": [[], [{}]] } },
        "objeto vacio": {}, "texto": "  ñandú Ünïcödé 漢字 Привет 📚 \"comillas\" \\barra / \t\n fin  ",
        "descompuesto": "cafe\u{301}", "separador": "a\u{2028}b\u{0001}c", "parece numero": "007", "parece fecha": "2024-02-30",
        "parece cierto": "true", "marcas": "<b>&amp;</b>", "largo": "ancho ".repeat(500),
    })
}

/// The answer has every field that was sent.
fn has_every_field(reply: &Reply, sent: &Value) -> CaseResult {
    let book = reply.json();
    for (name, want) in sent.as_object().into_iter().flatten() {
        let got = book.get(name);
        let holds = got.is_some_and(|got| same(got, want));
        reply.check().that(holds, Place::body(format_args!("/{name}")), want, got.cloned())?;
    }
    Ok(())
}

fn replace(cx: &CaseContext<'_>, book: &MadeBook, body: &Value) -> Result<Reply, CaseError> {
    books::adopt(cx, books::put(cx, book, body)?).prepared("replacing a book", 200)
}

/// A time that no clock of a service shows.
const LONG_AGO: &str = "2001-01-01T00:00:00.000Z";

/// Whether it is that time, however it is spelled.
fn is_long_ago(value: &Value) -> bool {
    clock::parse_any_iso(value.as_str().unwrap_or_default()) == clock::parse_any_iso(LONG_AGO)
}

fn service_fields_sent_with_a_replace_are_overwritten(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let body = json!({
        "titulo": "Ficciones", "fechaCreacion": LONG_AGO, "fechaActualizacion": LONG_AGO, "actualizadoPor": LONG_AGO,
    });
    for reply in [replace(cx, &made, &body)?, books::read(cx, made.id)?] {
        for pointer in ["/fechaCreacion", "/fechaActualizacion", "/actualizadoPor"] {
            // A missing field is covered by another rule.
            let is_own = reply.at(pointer).is_none_or(|got| !is_long_ago(&got));
            reply.check().that(is_own, Place::body(pointer), "the service's own", LONG_AGO)?;
        }
    }
    Ok(())
}

fn create_keeps(cx: &CaseContext<'_>, sent: &Value) -> CaseResult {
    let made = books::create(cx, sent)?;
    has_every_field(&made.reply, sent)?;
    has_every_field(&books::read(cx, made.id)?, sent)
}

fn replace_keeps(cx: &CaseContext<'_>, sent: &Value) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    has_every_field(&replace(cx, &made, sent)?, sent)?;
    has_every_field(&books::read(cx, made.id)?, sent)
}
