//! Variations of the chapter books: the ids and fields that the service gives, and the initial books.

use libros_conformance_model::clock::{format, iso};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "id-is-count-plus-1" breaks "books/id-next": "The id of a new book is the number of books plus 1."
        => steps |s| s.books.next_id = |ids| ids.len() as u64 + 1;
    "id-fills-gaps" breaks "books/id-next": "A new book gets the lowest free id."
        => steps |s| s.books.next_id = |ids| (1..).find(|id| !ids.contains(id)).unwrap_or(1);
    "id-is-a-text" breaks "books/id-next": "The id of a new book is a string."
        => created |book, _write| book["id"] = js::text_of(&book["id"]).into();
    "first-id-is-0" breaks "books/id-first": "The first book of an empty collection gets the id 0."
        => steps |s| s.books.next_id = |ids| ids.iter().max().map_or(0, |highest| highest + 1);
    "id-never-reused" breaks "books/id-reused": "The id of a deleted book is never assigned again."
        => around |state, request, answer| never_reuse_ids(state, request, answer);
    "id-given-by-each-replica" breaks "books/id-next": "The second of two replicas numbers books from a stale copy."
        => replica |state, second, request, answer| number_on_its_own(state, second, request, answer);
    "creates-race" breaks "books/concurrent-creates": "Concurrent creates get the same id."
        => race |world, request, answer| let_others_between(world, request, answer, "POST", number_by_old);
    "slow-creates-choose-their-id-early" breaks "books/concurrent-creates": "A create takes the id that was free when its request head arrived."
        => around |state, request, answer| from_head(state, request, answer, "POST", number_by_old);
    "create-takes-sent-id" breaks "books/service-fields-win-on-create": "A create stores the id in its body."
        => created |book, write| take_sent(book, write, "id");
    "create-takes-sent-fecha-creacion" breaks "books/service-fields-win-on-create": "A create stores the fechaCreacion in its body."
        => created |book, write| take_sent(book, write, "fechaCreacion");
    "create-respells-sent-fecha-creacion" breaks "books/service-fields-win-on-create": "A create stores the fechaCreacion in its body, written with +00:00."
        => created |book, write| take_sent_time(book, write, "fechaCreacion");
    "create-takes-sent-creado-por" breaks "books/service-fields-win-on-create": "A create stores the creadoPor in its body."
        => created |book, write| take_sent(book, write, "creadoPor");
    "replace-takes-sent-id" breaks "books/service-fields-win-on-replace": "A replace stores the id in its body."
        => replaced |book, write| take_sent(book, write, "id");
    "replace-takes-sent-fecha-actualizacion" breaks "books/service-fields-win-on-replace": "A replace stores the fechaActualizacion in its body."
        => replaced |book, write| take_sent(book, write, "fechaActualizacion");
    "replace-respells-sent-fecha-actualizacion" breaks "books/service-fields-win-on-replace": "A replace stores the fechaActualizacion in its body, written with +00:00."
        => replaced |book, write| take_sent_time(book, write, "fechaActualizacion");
    "replace-takes-sent-actualizado-por" breaks "books/service-fields-win-on-replace": "A replace stores the actualizadoPor in its body."
        => replaced |book, write| take_sent(book, write, "actualizadoPor");
    "replace-takes-sent-fecha-creacion" breaks "books/fecha-creacion-preserved" and "books/service-fields-win-on-replace": "A replace stores the fechaCreacion in its body."
        => replaced |book, write| take_sent(book, write, "fechaCreacion");
    "replace-renews-fecha-creacion" breaks "books/fecha-creacion-preserved": "A replace sets fechaCreacion to now."
        => replaced |book, write| set(book, "fechaCreacion", iso(write.now));
    "replace-drops-fecha-creacion" breaks "books/fecha-creacion-preserved": "A replaced book has no fechaCreacion."
        => replaced |book, _write| _ = book.shift_remove("fechaCreacion");
    "create-lacks-fecha-creacion" breaks "books/fecha-creacion-set": "A created book has no fechaCreacion."
        => created |book, _write| _ = book.shift_remove("fechaCreacion");
    "book-times-an-hour-off" breaks "books/fecha-creacion-set" and "books/fecha-actualizacion-set": "Times of books are in local time but marked as UTC."
        => written |book, write| set(book, write.time_field, iso(write.now + 60 * MINUTE_MS));
    "book-times-without-milliseconds" breaks "books/timestamp-form": "Times of books have no milliseconds."
        => written |book, write| set(book, write.time_field, format(write.now, "%Y-%m-%dT%H:%M:%SZ"));
    "book-times-with-offset" breaks "books/timestamp-form": "Times of books are in local time with its offset, +01:00."
        => written |book, write| set(book, write.time_field, format(write.now + 60 * MINUTE_MS, "%Y-%m-%dT%H:%M:%S%.3f+01:00"));
    "book-times-as-numbers" breaks "books/timestamp-form": "Times of books are numbers."
        => written |book, write| set(book, write.time_field, write.now);
    "replace-lacks-fecha-actualizacion" breaks "books/fecha-actualizacion-set": "A replaced book has no fechaActualizacion."
        => replaced |book, _write| _ = book.shift_remove("fechaActualizacion");
    "fecha-actualizacion-is-fecha-creacion" breaks "books/fecha-actualizacion-set": "fechaActualizacion repeats fechaCreacion."
        => replaced |book, write| set(book, "fechaActualizacion", write.old["fechaCreacion"].clone());
    "same-content-keeps-fecha-actualizacion" breaks "books/fecha-actualizacion-set": "A replace that sends what the book holds leaves fechaActualizacion as it was."
        => replaced |book, write| if write.sent.iter().all(|(name, value)| write.old[name] == *value) { keep(book, write, "fechaActualizacion") };
    "creator-keeps-actualizado-por" breaks "books/actualizado-por-user": "A replace by the creator leaves actualizadoPor as it was."
        => replaced |book, write| if book.get("actualizadoPor") == write.old.get("creadoPor") { keep(book, write, "actualizadoPor") };
    "creado-por-null-for-users" breaks "books/creado-por-user": "A book created by a user has creadoPor null."
        => created |book, write| forget_author(book, "creadoPor", write.by_user);
    "jwt-named-by-user-id" breaks "books/creado-por-user": "A book created with a JWT has the user's id as creadoPor."
        => steps |s| s.auth.tokens.named_by = |user| user.id.clone();
    "creado-por-null-for-clients" breaks "books/creado-por-client": "A book created with an API key has creadoPor null."
        => created |book, write| forget_author(book, "creadoPor", !write.by_user);
    "initial-clients-share-a-name" breaks "books/creado-por-client": "A book created with the key of an initial client has creadoPor API."
        => created |book, _write| if ["Test Client", "Admin Client"].iter().any(|name| book["creadoPor"] == *name) { set(book, "creadoPor", "API") };
    "actualizado-por-null-for-users" breaks "books/actualizado-por-user": "A book replaced by a user has actualizadoPor null."
        => replaced |book, write| forget_author(book, "actualizadoPor", write.by_user);
    "actualizado-por-is-creado-por" breaks "books/actualizado-por-user": "actualizadoPor repeats creadoPor of the stored book."
        => replaced |book, write| set(book, "actualizadoPor", write.old["creadoPor"].clone());
    "actualizado-por-null-for-clients" breaks "books/actualizado-por-client": "A book replaced with an API key has actualizadoPor null."
        => replaced |book, write| forget_author(book, "actualizadoPor", !write.by_user);
    "initial-four-books" breaks "books/initial-five": "The initial collection has four books."
        => start |state| state.books.truncate(4);
    "initial-ids-from-0" breaks "books/initial-five": "The initial books have the ids 0 to 4."
        => start |state| for (number, book) in state.books.iter_mut().enumerate() {
            book["id"] = number.into();
        };
    "replace-keeps-creado-por" breaks "books/creado-por-after-replace": "A replaced book keeps its creadoPor."
        => replaced |book, write| _ = book.entry("creadoPor").or_insert(write.old["creadoPor"].clone());
    "ids-begin-at-1000" breaks "books/id-next": "No book gets an id below 1000."
        => steps |s| s.books.next_id = |ids| ids.iter().max().map_or(1000, |id| 1000.max(id + 1));
    "initial-books-bare" by "books/initial-content": "The initial books have only titulo and autor besides their id."
        => start |state| for book in state.books.iter_mut().filter_map(Value::as_object_mut) {
            book.retain(|name, _| matches!(name.as_str(), "id" | "titulo" | "autor"));
        };
    "book-times-end-in-offset-zero" by "books/timestamp-zone": "Times of books end in +00:00 instead of Z."
        => written |book, write| set(book, write.time_field, format(write.now, "%Y-%m-%dT%H:%M:%S%.3f+00:00"));
    "new-book-has-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor."
        => created |book, _write| add_update_fields(book);
    "new-book-has-null-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor of null."
        => created |book, _write| add_nulls(book, &UPDATE_FIELDS);
    "new-book-updated-by-its-creator" by "books/update-fields-of-new-book": "A new book has its creation time as fechaActualizacion and its creator as actualizadoPor."
        => created |book, _write| add_update_fields_of_creator(book);
    "replace-drops-sent-creado-por" by "books/creado-por-sent-on-replace": "A replace drops the creadoPor in its body."
        => replaced |book, _write| _ = book.shift_remove("creadoPor");
    "replace-sets-creado-por-sent" by "books/creado-por-sent-on-replace": "A replace with creadoPor in its body sets it to the author of the replace."
        => replaced |book, write| if write.sent.contains_key("creadoPor") {
            book.insert("creadoPor".to_owned(), book.get("actualizadoPor").cloned().unwrap_or_default());
        };
    "update-fields-null-on-create" by "books/update-fields-sent-on-create": "A create sets the fechaActualizacion and actualizadoPor in its body to null."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_nulls(book, &UPDATE_FIELDS);
        };
    "update-fields-set-on-create" by "books/update-fields-sent-on-create": "A create sets the fechaActualizacion and actualizadoPor in its body to its own time and author."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_update_fields_of_creator(book);
        };
    "update-fields-dropped-on-create" by "books/update-fields-sent-on-create": "A create drops the fechaActualizacion and actualizadoPor in its body."
        => created |book, write| drop_sent_update_fields(book, write);
};

fn add_update_fields(book: &mut Record) {
    book.entry("actualizadoPor").or_insert(Value::Null);
    let created = book.get("fechaCreacion").cloned().unwrap_or_default();
    book.entry("fechaActualizacion").or_insert(created);
}

/// The fields that a replace sets.
const UPDATE_FIELDS: [&str; 2] = ["fechaActualizacion", "actualizadoPor"];

fn add_update_fields_of_creator(book: &mut Record) {
    let creator = book.get("creadoPor").cloned().unwrap_or_default();
    book.entry("actualizadoPor").or_insert(creator);
    add_update_fields(book);
}

fn drop_sent_update_fields(book: &mut Record, write: &Write<'_>) {
    book.retain(|name, _| !(UPDATE_FIELDS.contains(&name.as_str()) && write.sent.contains_key(name)));
}

fn take_sent(book: &mut Record, write: &Write<'_>, name: &str) {
    if let Some(sent) = write.sent.get(name) {
        set(book, name, sent.clone());
    }
}

fn keep(book: &mut Record, write: &Write<'_>, name: &str) {
    if let Some(old) = write.old.get(name) {
        set(book, name, old.clone());
    }
}

/// Reformats a time that the client sent, as a service that parses it does.
fn take_sent_time(book: &mut Record, write: &Write<'_>, name: &str) {
    if let Some(Value::String(time)) = write.sent.get(name) {
        set(book, name, time.replace('Z', "+00:00"));
    }
}

fn forget_author(book: &mut Record, name: &str, forget: bool) {
    if forget {
        set(book, name, Value::Null);
    }
}

fn never_reuse_ids(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let mut reply = answer(state, request);
    if of_books(request) && reply.status == 201 {
        // Five books are there at the start.
        let highest = state.past.highest_id.max(5);
        let Some(book) = state.model.books.last_mut() else { return reply };
        let id = book["id"].as_u64().unwrap_or_default().max(highest + 1);
        book["id"] = json!(id);
        state.past.highest_id = id;
        reply.edit(|shown| shown["id"] = json!(id));
    }
    reply
}

/// The second address numbers new books from a stale copy.
fn number_on_its_own(state: &mut Shared, second: &mut State, request: &Request, answer: &Answer<'_>) -> Reply {
    if !of_books(request) || request.method != "POST" {
        return answer(state, request);
    }
    let reply = number_by_old(state, second.books.clone(), request, answer);
    second.books.clone_from(&state.books);
    reply
}
