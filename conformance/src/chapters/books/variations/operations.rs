//! Variations of the chapter books: what the routes of the books do and answer.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "refused-create-stored" breaks "books/refused-write-no-trace": "A create that is refused for a missing field is stored."
        => around |state, request, answer| store_refused(state, request, answer);
    "list-is-a-bare-array" breaks "books/list-shape": "A list is a bare array."
        => reply |_request, reply| show_list_as(reply, |list| list["datos"].clone());
    "list-has-paginacion-at-top" breaks "books/list-shape": "paginacion of a list is beside datos, without metadata."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "paginacion": list["metadata"]["paginacion"]}));
    "list-has-total-at-top" breaks "books/list-shape": "A list has a total beside datos and metadata."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "total": list["metadata"]["paginacion"]["total"], "metadata": list["metadata"]}));
    "metadata-has-timestamp" breaks "books/list-shape": "metadata of a list has a timestamp too."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "metadata": {"paginacion": list["metadata"]["paginacion"], "timestamp": "2026-01-01T00:00:00.000Z"}}));
    "single-book-wrapped" breaks "books/read": "A single book is wrapped in an object."
        => reply |_request, reply| if shows_book(reply) { reply.edit(|book| *book = json!({"datos": book})) };
    "read-unknown-is-null" breaks "books/read-unknown": "An unknown book answers 200 with null."
        => reply |request, reply| if of_books(request) && request.method == "GET" && reply.status == 404 { answer_as(reply, 200, &Value::Null) };
    "single-read-selects-fields" breaks "books/read-ignores-query": "The parameter fields also selects in the read of a single book."
        => reply |request, reply| select_fields(request, reply);
    "create-is-200" breaks "books/create-status": "A create answers 200."
        => reply |request, reply| restatus(request, reply, "POST", 201, 200);
    "create-answers-what-was-sent" breaks "books/create-body": "A create answers with the body that was sent, without the service's fields."
        => reply |request, reply| if of_books(request) && reply.status == 201 {
            reply.body = js::parse(&request.body).map(|sent| js::stringify(&sent)).unwrap_or_default().into_bytes();
        };
    "create-answers-the-id-only" breaks "books/create-body": "A create answers with the id alone."
        => reply |request, reply| if of_books(request) && reply.status == 201 { reply.edit(|book| *book = json!({"id": book["id"]})) };
    "long-titulo-is-cut" breaks "books/create-body": "A titulo is cut to its first 255 letters."
        => created |book, _write| if let Some(titulo) = book["titulo"].as_str() { book["titulo"] = titulo.chars().take(255).collect::<String>().into() };
    "replace-is-201" breaks "books/replace": "A replace answers 201."
        => reply |request, reply| restatus(request, reply, "PUT", 200, 201);
    "replace-not-stored" breaks "books/replace": "A replace answers as documented and stores nothing."
        => around |state, request, answer| undone(state, request, answer, books, |_, _| is_replace(request));
    "replace-answers-the-old-book" breaks "books/replace": "A replace answers with the book before the change."
        => around |state, request, answer| answer_the_old_book(state, request, answer);
    "replace-by-nothing-not-stored" breaks "books/replace-is-full": "A replace by an empty object answers as documented and stores nothing."
        => around |state, request, answer| undone(state, request, answer, books, |_, _| is_replace(request) && request.body == b"{}");
    "replace-merges" breaks "books/replace-is-full": "A replace keeps the fields that its body lacks."
        => replaced |book, write| {
            let mut merged = write.old.as_object().cloned().unwrap_or_default();
            merged.append(book);
            *book = merged;
        };
    "replace-keeps-titulo" breaks "books/replace-is-full": "A replace without titulo keeps the earlier titulo."
        => replaced |book, write| keep_old(book, write, "titulo");
    "replace-keeps-autor" breaks "books/replace-is-full": "A replace without autor keeps the earlier autor."
        => replaced |book, write| keep_old(book, write, "autor");
    "replace-keeps-fecha-publicacion" breaks "books/replace-is-full": "A replace without fechaPublicacion keeps the earlier fechaPublicacion."
        => replaced |book, write| keep_old(book, write, "fechaPublicacion");
    "replace-requires-titulo" breaks "books/replace-no-required-check": "A replace without titulo or autor answers 400."
        => request |request| if is_replace(request) && lacks_required(request) { spoil_body(request) };
    "replace-unknown-creates" breaks "books/replace-unknown": "PUT of an unknown id creates a book."
        => around |state, request, answer| create_unknown(state, request, answer);
    "delete-is-200" breaks "books/delete-status": "A delete answers 200."
        => reply |request, reply| restatus(request, reply, "DELETE", 204, 200);
    "delete-has-body" breaks "books/delete-status": "The 204 of a delete has a body."
        => reply |request, reply| if of_books(request) && reply.status == 204 {
            reply.body = b"{}".to_vec();
            reply.framing = Framing::Forced;
        };
    "delete-keeps-the-book" breaks "books/delete-removes": "A deleted book is only marked, and stays."
        => around |state, request, answer| deleted(state, request, answer, |books, at, mut book, _| { book["eliminado"] = json!(true); books.insert(at, book) });
    "delete-removes-the-next-too" breaks "books/delete-removes": "A delete removes the next book too."
        => around |state, request, answer| deleted(state, request, answer, |books, at, _, _| drop(books.drain(at..books.len().min(at + 1))));
    "second-delete-is-204" breaks "books/delete-unknown": "DELETE of a book that was deleted before answers 204."
        => after |state, request, reply| if of_books(request) && request.method == "DELETE" {
            let is_again = state.past.has("deleted", &request.path);
            if reply.status == 404 && is_again { (reply.status, reply.body) = (204, Vec::new()) } else if reply.status == 204 { state.past.note("deleted", &request.path) }
        };
    "delete-unknown-is-204" breaks "books/delete-unknown": "DELETE of an unknown id answers 204."
        => reply |request, reply| if of_books(request) && request.method == "DELETE" && reply.status == 404 {
            (reply.status, reply.body) = (204, Vec::new());
        };
    "list-leaves-out-nulls" breaks "books/list-shape": "Books of a list lack the fields that are null."
        => reply |_request, reply| show_list_as(reply, without_nulls);
    "replace-stamps-every-book" breaks "books/replace": "A replace sets fechaActualizacion of every book."
        => after |state, request, reply| if is_replace(request) && reply.status == 200 { stamp(&mut state.books, request.now) };
    "body-before-lookup" by "books/replace-lookup-before-body": "A replace checks its body before it looks up the book."
        => reply |request, reply| if is_replace(request) && reply.status == 404 && !request.json_body().is_object() { refuse(reply, 400, "the body must be a JSON object") };
    "head-is-get" by "books/head": "HEAD on a book path answers as GET, without the body."
        => request |request| if of_books(request) && request.method == "HEAD" { request.method = "GET".to_owned() };
    "listed-newest-first" by "books/collection-order": "A list without sort shows the newest book first."
        => around |state, request, answer| list_newest_first(state, request, answer);
    "replaced-moves-to-end" by "books/collection-order": "A replaced book moves to the end of the list."
        => after |state, request, reply| if is_replace(request) && reply.status == 200 { move_to_end(state, request) };
    "deleted-without-content-type" by silence: "The 204 of a delete has no Content-Type."
        => reply |request, reply| if of_books(request) && reply.status == 204 { reply.remove("Content-Type") };
};

fn books(state: &mut State) -> &mut Vec<Value> {
    &mut state.books
}

fn is_replace(request: &Request) -> bool {
    of_books(request) && request.method == "PUT"
}

fn list_newest_first(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let is_list = of_books(request) && request.method == "GET" && !names_id(request);
    if !is_list {
        return answer(state, request);
    }
    state.books.reverse();
    let reply = answer(state, request);
    state.books.reverse();
    reply
}

fn move_to_end(state: &mut Shared, request: &Request) {
    if let Some(at) = id_of(request).and_then(|id| state.place(id)) {
        let book = state.books.remove(at);
        state.books.push(book);
    }
}

fn restatus(request: &Request, reply: &mut Reply, method: &str, from: u16, to: u16) {
    if of_books(request) && request.method == method && reply.status == from {
        reply.status = to;
    }
}

fn show_list_as(reply: &mut Reply, form: fn(&Value) -> Value) {
    if shows_list(reply) {
        reply.edit(|list| *list = form(list));
    }
}

/// Selects the fields of a single book by its query.
fn select_fields(request: &Request, reply: &mut Reply) {
    let names = request.query.split('&').find_map(|pair| pair.strip_prefix("fields="));
    if let Some(names) = names.filter(|_| shows_book(reply)) {
        let selected = |(name, _): &(String, Value)| names.split(',').any(|selected| selected == name);
        reply.edit(|book| {
            let fields = book.as_object().cloned().unwrap_or_default();
            *book = fields.into_iter().filter(selected).collect::<Map<_, _>>().into();
        });
    }
}

/// A list whose books lack the fields that are null.
fn without_nulls(list: &Value) -> Value {
    let mut list = list.clone();
    for book in list["datos"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        book.retain(|_, value| !value.is_null());
    }
    list
}

fn keep_old(book: &mut Record, write: &Write<'_>, name: &str) {
    if let (None, Some(old)) = (write.sent.get(name), write.old.get(name)) {
        set(book, name, old.clone());
    }
}

fn lacks_required(request: &Request) -> bool {
    let sent = request.json_body();
    ["titulo", "autor"].iter().any(|name| !js::truthy(&sent[*name]))
}

/// Stores a book that was refused, with what it lacks.
fn store_refused(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    if of_books(request) && request.method == "POST" && reply.status == 400 {
        let mut whole = request.clone();
        whole.edit(|sent| {
            for name in ["titulo", "autor"] {
                if !js::truthy(&sent[name]) {
                    sent[name] = json!("?");
                }
            }
        });
        answer(state, &whole);
    }
    reply
}

fn answer_the_old_book(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let old = id_of(request).and_then(|id| state.place(id)).map(|at| state.books[at].clone());
    let mut reply = answer(state, request);
    if let Some(old) = old.filter(|_| request.method == "PUT" && reply.status == 200) {
        reply.edit(|book| *book = old);
    }
    reply
}

fn create_unknown(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    if request.method != "PUT" || reply.status != 404 || !names_unknown(state, request) {
        return reply;
    }
    answer(state, &Request { method: "POST".to_owned(), path: "/libros".to_owned(), ..request.clone() })
}
