//! Cases of the chapter exchanges: whole requests and answers of the book interface, held against their reviewed texts.
//!
//! Each transcript stays where every permitted reading agrees, or says which keys and headers are free.

use crate::chapters::prelude::*;
use crate::snapshot::{Kind, Mask, StepSpec, Transcript, headers};

cases! { "exchanges";
    /// A book is created, read, found unchanged, replaced, deleted, and gone: every answer whole.
    life_of_a_book judges ["books/create-status", "books/create-body", "books/read", "conditional/book-match",
        "conditional/304-no-body", "books/replace", "books/replace-is-full", "books/delete-status", "books/delete-removes",
        "errors/404-book"] and [headers::RULES];
    /// Pages of a list: the first, the last, one with chosen fields, one unchanged, one that nothing fits.
    pages_of_a_list judges ["books/list-shape", "paging/page-slice", "list/fields-select", "list/sort-ascending",
        "conditional/list-match", "conditional/304-no-body", "paging/object-pages-empty"] and [headers::RULES];
    /// Requests the book interface refuses: bad bodies, bad paths, bad methods.
    refusals judges ["books/titulo-required", "books/autor-required", "books/create-with-id", "books/no-id-replace",
        "books/no-id-delete", "books/replace-unknown", "books/delete-unknown", "books/method-not-allowed",
        "errors/malformed-create", "errors/400-books", "errors/404-book", "errors/405-books"] and [headers::RULES];
    /// Requests without a way in: no credential, an unknown key, a key whose client lacks the permission.
    denials judges ["credentials/none", "credentials/key-unknown", "permissions/delete", "errors/401-body"]
        and [headers::RULES];
    /// An unknown path, and the answer to OPTIONS.
    outside_of_books judges ["routing/unknown-path", "errors/404-path", "routing/options-status", "routing/options-no-body"]
        and [headers::RULES];
}

/// The client whose key creates books.
const CLIENT: &str = "the client's name";

/// Its name, as another book of its tells it: what an initial client is called is free.
fn client_of(book: &MadeBook) -> Option<Value> {
    book.reply.at("/creadoPor").filter(|name| name.as_str().is_some_and(|name| !name.is_empty()))
}

fn is_null_or_text(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

fn life_of_a_book(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "life_of_a_book");
    let key = cx.admin_key();
    let sent = json!({ "titulo": "Tirant lo Blanch", "autor": "Joanot Martorell", "fechaPublicacion": "1490-11-20",
        "paginas": 768, "generos": ["caballerías", "novela"], "prestado": false, "nota": null });
    let created = books::created(cx, cx.post("/libros").key(key).json(&sent).send()?)?;
    // Outlives the book of the transcript, so that its id is not given again while the transcript expects it to be unknown.
    let other = books::create(cx, &json!({}))?;
    transcript.know(CLIENT, client_of(&other));
    let path = created.path();
    transcript.call(path.clone(), "path of A");
    let spec = StepSpec::new("create", Kind::Plain, "books/create-status", "books/create-body")
        .mask("/id", Mask::Id("id A"))
        .mask("/fechaCreacion", Mask::Now("fechaCreacion"))
        .mask("/creadoPor", Mask::Same(CLIENT))
        .free_key("/fechaActualizacion", is_null_or_text)
        .free_key("/actualizadoPor", is_null_or_text);
    transcript.add(&created.reply, spec)?;

    let spec = StepSpec::of_rule("read", Kind::Book, "books/read")
        .mask("/id", Mask::Same("id A"))
        .mask("/fechaCreacion", Mask::Same("fechaCreacion"))
        .mask("/creadoPor", Mask::Same(CLIENT))
        .free_key("/fechaActualizacion", is_null_or_text)
        .free_key("/actualizadoPor", is_null_or_text);
    let read = transcript.send(cx.get(&path).key(key), spec)?;
    rest_of_its_life(cx, transcript, &path, &read)
}

/// Found unchanged, replaced, deleted, gone.
fn rest_of_its_life(cx: &CaseContext<'_>, mut transcript: Transcript<'_, '_>, path: &str, read: &Reply) -> CaseResult {
    let key = cx.admin_key();
    let tag = read.header("ETag").unwrap_or_default();
    transcript.call(tag.clone(), "tag of A");
    let spec =
        StepSpec::new("read unchanged", Kind::BookUnchanged, "conditional/book-match", "conditional/304-no-body");
    transcript.send(cx.get(path).key(key).header("If-None-Match", &tag), spec)?;

    let body = json!({ "titulo": "Tirante el Blanco", "autor": "Joanot Martorell", "idioma": "es" });
    let spec = StepSpec::new("replace", Kind::Plain, "books/replace", "books/replace-is-full")
        .mask("/id", Mask::Same("id A"))
        .mask("/fechaCreacion", Mask::Same("fechaCreacion"))
        .mask("/fechaActualizacion", Mask::NotBefore("fechaCreacion"))
        .mask("/actualizadoPor", Mask::Same(CLIENT))
        .free_key("/creadoPor", is_null_or_text)
        .free_key("/fechaPublicacion", Value::is_null);
    transcript.send(cx.put(path).key(key).json(&body), spec)?;

    transcript.send(cx.delete(path).key(key), StepSpec::of_rule("delete", Kind::Empty, "books/delete-status"))?;
    let spec = StepSpec::new("read again", Kind::Plain, "books/delete-removes", "errors/404-book");
    transcript.send(cx.get(path).key(key), spec.refusal())?;
    transcript.compare()
}

fn pages_of_a_list(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "pages_of_a_list");
    let key = cx.test_key();
    let three = [
        json!({ "titulo": "Canto general", "autor": "Pablo Neruda", "paginas": 550 }),
        json!({ "titulo": "Altazor", "autor": "Vicente Huidobro", "paginas": 112 }),
        json!({ "titulo": "Desolación", "autor": "Gabriela Mistral", "paginas": 228 }),
    ];
    let set = books::create_set(cx, &three)?;
    transcript.call(set.marker.clone(), "lote");
    transcript.know(CLIENT, client_of(&books::create(cx, &json!({}))?));
    let spec = StepSpec::of_rule("first page", Kind::List, "books/list-shape");
    transcript.send(cx.get(&set.path("sort=titulo&limit=2")).key(key), book(book(spec, 0), 1))?;

    let spec = StepSpec::of_rule("last page", Kind::List, "paging/page-slice");
    transcript.send(cx.get(&set.path("sort=titulo&limit=2&page=2")).key(key), book(spec, 0))?;

    let path = set.path("sort=-paginas&fields=titulo,paginas");
    let spec = StepSpec::of_rule("chosen fields", Kind::List, "list/fields-select");
    let fields = transcript.send(cx.get(&path).key(key), spec)?;

    let tag = fields.header("ETag").unwrap_or_default();
    transcript.call(tag.clone(), "tag of the list");
    let spec = StepSpec::new("unchanged", Kind::ListUnchanged, "conditional/list-match", "conditional/304-no-body");
    transcript.send(cx.get(&path).key(key).header("If-None-Match", &tag), spec)?;

    let spec = StepSpec::of_rule("nothing fits", Kind::List, "paging/object-pages-empty");
    transcript.send(cx.get(&set.path("titulo=Trilce")).key(key), spec)?;
    transcript.compare()
}

/// Masks what differs from run to run in the item at that index.
fn book(spec: StepSpec, index: usize) -> StepSpec {
    const MASKS: [[&str; 3]; 2] = [
        ["/datos/0/id", "/datos/0/fechaCreacion", "/datos/0/creadoPor"],
        ["/datos/1/id", "/datos/1/fechaCreacion", "/datos/1/creadoPor"],
    ];
    const FREE: [[&str; 3]; 2] = [
        ["/datos/0/fechaActualizacion", "/datos/0/actualizadoPor", "/datos/0/fechaPublicacion"],
        ["/datos/1/fechaActualizacion", "/datos/1/actualizadoPor", "/datos/1/fechaPublicacion"],
    ];
    spec.mask(MASKS[index][0], Mask::Id("an id"))
        .mask(MASKS[index][1], Mask::Now("a time"))
        .mask(MASKS[index][2], Mask::Same(CLIENT))
        .free_key(FREE[index][0], is_null_or_text)
        .free_key(FREE[index][1], is_null_or_text)
        .free_key(FREE[index][2], Value::is_null)
}

fn refusals(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "refusals");
    let key = cx.admin_key();
    let (whole, untitled) = (json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" }), json!({ "autor": "X" }));
    let authorless = json!({ "titulo": "Ficciones" });
    let unknown = "/libros/999999999";
    let malformed = cx.post("/libros").key(key).json_text(b"{\"titulo\":");
    let steps = [
        ("no titulo", cx.post("/libros").key(key).json(&untitled), "books/titulo-required", "errors/400-books"),
        ("no autor", cx.post("/libros").key(key).json(&authorless), "books/autor-required", "errors/400-books"),
        ("create at an id", cx.post(unknown).key(key).json(&whole), "books/create-with-id", "errors/400-books"),
        ("malformed", malformed, "errors/malformed-create", "errors/400-books"),
        ("replace without id", cx.put("/libros").key(key).json(&whole), "books/no-id-replace", "errors/400-books"),
        ("delete without id", cx.delete("/libros").key(key), "books/no-id-delete", "errors/400-books"),
        ("replace unknown", cx.put(unknown).key(key).json(&whole), "books/replace-unknown", "errors/404-book"),
        ("delete unknown", cx.delete(unknown).key(key), "books/delete-unknown", "errors/404-book"),
        ("patch", cx.request("PATCH", "/libros"), "books/method-not-allowed", "errors/405-books"),
    ];
    for (step, request, status_rule, body_rule) in steps {
        transcript.send(request, StepSpec::new(step, Kind::Plain, status_rule, body_rule).refusal())?;
    }
    transcript.compare()
}

fn denials(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "denials");
    let steps = [
        ("no credential", cx.get("/libros"), "credentials/none"),
        ("unknown key", cx.get("/libros").key("ak_no_such_key"), "credentials/key-unknown"),
        ("key without the permission", cx.delete("/libros/999999999").key(cx.test_key()), "permissions/delete"),
    ];
    for (step, request, rule) in steps {
        let spec = StepSpec::new(step, Kind::Denied, rule, "errors/401-body")
            .mask("/error/mensaje", Mask::Text)
            .mask("/error/timestamp", Mask::Now("the time"));
        transcript.send(request, spec)?;
    }
    transcript.compare()
}

fn outside_of_books(cx: &CaseContext<'_>) -> CaseResult {
    let mut transcript = Transcript::new(cx, "outside_of_books");
    let spec = StepSpec::new("unknown path", Kind::Plain, "routing/unknown-path", "errors/404-path");
    transcript.send(cx.get("/revistas"), spec.refusal())?;
    let spec = StepSpec::new("preflight", Kind::Preflight, "routing/options-status", "routing/options-no-body");
    transcript.send(cx.request("OPTIONS", "/libros/1").header("Origin", "http://example.test"), spec)?;
    transcript.compare()
}
