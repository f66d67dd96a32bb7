//! Variations of the chapter books.

mod message;
mod record;
mod state;

use libros_conformance_model::book::is_given;
use libros_conformance_model::clock::{MINUTE_MS, format, iso};
use libros_conformance_model::js;
use libros_conformance_model::list::value::iso_date;
use message::*;
use record::*;
use serde_json::{Value, json};
use state::*;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "id-is-count-plus-1" breaks "books/id-next": "The id of a new book is the number of books plus 1."
        => steps |s| s.books.next_id = |ids| ids.len() as u64 + 1;
    "id-fills-gaps" breaks "books/id-next": "A new book gets the lowest free id."
        => steps |s| s.books.next_id = |ids| (1..).find(|id| !ids.contains(id)).unwrap_or(1);
    "id-is-a-text" breaks "books/id-next": "The id of a new book is a text."
        => created |book, _write| book["id"] = js::text_of(&book["id"]).into();
    "first-id-is-0" breaks "books/id-first": "The first book of an empty collection gets the id 0."
        => steps |s| s.books.next_id = |ids| ids.iter().max().map_or(0, |highest| highest + 1);
    "id-never-reused" breaks "books/id-reused": "The id of a deleted book is never given again."
        => around |held, request, answer| never_reuse_ids(held, request, answer);
    "id-given-by-each-replica" breaks "books/id-next": "The second of two replicas gives the id behind those it knew when it last gave one."
        => replica |held, own, request, answer| number_on_its_own(held, own, request, answer);
    "creates-race" breaks "books/concurrent-creates": "Creates that run at the same time get the same id."
        => race |world, request, answer| let_others_between(world, request, answer, "POST", number_by_old);
    "slow-creates-choose-their-id-early" breaks "books/concurrent-creates": "A create gets the id that was next when its head came."
        => around |held, request, answer| from_head(held, request, answer, "POST", number_by_old);
    "titulo-not-required" breaks "books/titulo-required": "A book may be created without titulo."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_none() || is_given(name, value);
    "titulo-may-be-empty" breaks "books/titulo-non-empty": "titulo may be the empty text."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_some_and(|value| value == "") || is_given(name, value);
    "titulo-may-be-null" breaks "books/titulo-non-empty": "titulo may be null."
        => steps |s| s.books.is_given = |name, value| name == "titulo" && value.is_some_and(Value::is_null) || is_given(name, value);
    "autor-not-required" breaks "books/autor-required": "A book may be created without autor."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_none() || is_given(name, value);
    "autor-may-be-empty" breaks "books/autor-non-empty": "autor may be the empty text."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_some_and(|value| value == "") || is_given(name, value);
    "autor-may-be-null" breaks "books/autor-non-empty": "autor may be null."
        => steps |s| s.books.is_given = |name, value| name == "autor" && value.is_some_and(Value::is_null) || is_given(name, value);
    "refused-create-stored" breaks "books/refused-write-no-trace": "A create that is refused for a missing field is stored all the same."
        => around |held, request, answer| store_refused(held, request, answer);
    "fecha-publicacion-required" breaks "books/fecha-publicacion-optional": "A create without fechaPublicacion answers 400."
        => request |request| if request.method == "POST" && of_books(request) && request.json_body().get("fechaPublicacion").is_none() { spoil_body(request) };
    "new-book-lacks-fecha-publicacion" breaks "books/fecha-publicacion-optional": "fechaPublicacion is dropped on create."
        => created |book, _write| _ = book.shift_remove("fechaPublicacion");
    "create-takes-sent-id" breaks "books/service-fields-win-on-create": "An id sent on create is taken."
        => created |book, write| take_sent(book, write, "id");
    "create-takes-sent-fecha-creacion" breaks "books/service-fields-win-on-create": "A fechaCreacion sent on create is taken."
        => created |book, write| take_sent(book, write, "fechaCreacion");
    "create-respells-sent-fecha-creacion" breaks "books/service-fields-win-on-create": "A fechaCreacion sent on create is taken, and written with +00:00."
        => created |book, write| take_sent_time(book, write, "fechaCreacion");
    "create-takes-sent-creado-por" breaks "books/service-fields-win-on-create": "A creadoPor sent on create is taken."
        => created |book, write| take_sent(book, write, "creadoPor");
    "replace-takes-sent-id" breaks "books/service-fields-win-on-replace": "An id sent on replace is taken."
        => replaced |book, write| take_sent(book, write, "id");
    "replace-takes-sent-fecha-actualizacion" breaks "books/service-fields-win-on-replace": "A fechaActualizacion sent on replace is taken."
        => replaced |book, write| take_sent(book, write, "fechaActualizacion");
    "replace-respells-sent-fecha-actualizacion" breaks "books/service-fields-win-on-replace": "A fechaActualizacion sent on replace is taken, and written with +00:00."
        => replaced |book, write| take_sent_time(book, write, "fechaActualizacion");
    "replace-takes-sent-actualizado-por" breaks "books/service-fields-win-on-replace": "An actualizadoPor sent on replace is taken."
        => replaced |book, write| take_sent(book, write, "actualizadoPor");
    "replace-takes-sent-fecha-creacion" breaks "books/fecha-creacion-preserved" and "books/service-fields-win-on-replace": "A fechaCreacion sent on replace is taken."
        => replaced |book, write| take_sent(book, write, "fechaCreacion");
    "replace-renews-fecha-creacion" breaks "books/fecha-creacion-preserved": "A replace sets fechaCreacion to now."
        => replaced |book, write| set(book, "fechaCreacion", iso(write.now));
    "replace-drops-fecha-creacion" breaks "books/fecha-creacion-preserved": "A replaced book has no fechaCreacion."
        => replaced |book, _write| _ = book.shift_remove("fechaCreacion");
    "create-lacks-fecha-creacion" breaks "books/fecha-creacion-set": "A created book has no fechaCreacion."
        => created |book, _write| _ = book.shift_remove("fechaCreacion");
    "book-times-an-hour-off" breaks "books/fecha-creacion-set" and "books/fecha-actualizacion-set": "Times of books are in local time, marked as UTC."
        => written |book, write| set(book, write.time_field, iso(write.now + 60 * MINUTE_MS));
    "book-times-without-milliseconds" breaks "books/timestamp-form": "Times of books have no milliseconds."
        => written |book, write| set(book, write.time_field, format(write.now, "%Y-%m-%dT%H:%M:%SZ"));
    "book-times-with-offset" breaks "books/timestamp-form": "Times of books are local time with its offset, +01:00."
        => written |book, write| set(book, write.time_field, format(write.now + 60 * MINUTE_MS, "%Y-%m-%dT%H:%M:%S%.3f+01:00"));
    "book-times-as-numbers" breaks "books/timestamp-form": "Times of books are numbers."
        => written |book, write| set(book, write.time_field, write.now);
    "replace-lacks-fecha-actualizacion" breaks "books/fecha-actualizacion-set": "A replaced book has no fechaActualizacion."
        => replaced |book, _write| _ = book.shift_remove("fechaActualizacion");
    "fecha-actualizacion-is-fecha-creacion" breaks "books/fecha-actualizacion-set": "fechaActualizacion repeats fechaCreacion."
        => replaced |book, write| set(book, "fechaActualizacion", write.old["fechaCreacion"].clone());
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
    "create-drops-extra-fields" breaks "books/extra-fields-on-create": "Fields of other names are dropped on create."
        => created |book, write| drop_extra_fields(book, write);
    "replace-drops-extra-fields" breaks "books/extra-fields-on-replace": "Fields of other names are dropped on replace."
        => replaced |book, write| drop_extra_fields(book, write);
    "null-fields-dropped" breaks "books/extra-fields-any-json": "Fields sent as null are dropped."
        => written |book, _write| book.retain(|_, value| !value.is_null());
    "nested-fields-as-text" breaks "books/extra-fields-any-json": "Lists and objects are stored as their texts."
        => written |book, write| change_sent(book, write, nested_as_text);
    "booleans-stored-as-numbers" breaks "books/extra-fields-any-json": "Booleans are stored as 1 and 0."
        => written |book, write| change_sent(book, write, booleans_as_numbers);
    "texts-stored-as-ascii" breaks "books/extra-fields-any-json": "Characters beyond ASCII are stored as question marks."
        => written |book, write| change_sent(book, write, texts_as_ascii);
    "bodies-decoded-in-pieces" breaks "books/extra-fields-any-json": "A letter that the network cuts in two is lost."
        => request |request| decode_in_pieces(request);
    "texts-stored-trimmed" breaks "books/extra-fields-on-create": "Texts are stored without the spaces around them."
        => written |book, write| change_sent(book, write, texts_trimmed);
    "initial-four-books" breaks "books/initial-five": "The initial collection has four books."
        => start |state| state.books.truncate(4);
    "initial-ids-from-0" breaks "books/initial-five": "The initial books have the ids 0 to 4."
        => start |state| number_from_0(&mut state.books);
    "list-is-a-bare-array" breaks "books/list-shape": "A list answers with a bare array."
        => reply |_request, reply| show_list_as(reply, |list| list["datos"].clone());
    "list-has-paginacion-at-top" breaks "books/list-shape": "paginacion is beside datos, without metadata."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "paginacion": list["metadata"]["paginacion"]}));
    "list-has-total-at-top" breaks "books/list-shape": "A total is beside datos and metadata."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "total": list["metadata"]["paginacion"]["total"], "metadata": list["metadata"]}));
    "metadata-has-timestamp" breaks "books/list-shape": "metadata has a timestamp too."
        => reply |_request, reply| show_list_as(reply, |list| json!({"datos": list["datos"], "metadata": {"paginacion": list["metadata"]["paginacion"], "timestamp": "2026-01-01T00:00:00.000Z"}}));
    "single-book-wrapped" breaks "books/read": "A single book comes in an envelope."
        => reply |_request, reply| show_book_as(reply, |book| json!({"datos": book}));
    "read-unknown-is-null" breaks "books/read-unknown": "An unknown id answers 200 with null."
        => reply |request, reply| answer(request, reply, "GET", 404, 200, "null");
    "single-read-selects-fields" breaks "books/read-ignores-query": "fields selects in a single read too."
        => reply |request, reply| select_fields(request, reply);
    "create-is-200" breaks "books/create-status": "A create answers 200."
        => reply |request, reply| restatus(request, reply, "POST", 201, 200);
    "create-answers-what-was-sent" breaks "books/create-body": "A create answers with the body that was sent, without the service's fields."
        => reply |request, reply| answer_what_was_sent(request, reply);
    "create-answers-the-id-only" breaks "books/create-body": "A create answers with the id alone."
        => reply |request, reply| answer_the_id_only(request, reply);
    "create-with-unknown-id-accepted" breaks "books/create-with-id": "POST with an unknown id in the path creates."
        => before |held, request| if request.method == "POST" && names_unknown(held, request) { request.path = "/libros".to_owned() };
    "create-with-id-replaces" breaks "books/create-with-id": "POST with a known id in the path replaces."
        => before |held, request| if request.method == "POST" && names_id(request) && !names_unknown(held, request) { request.method = "PUT".to_owned() };
    "replace-is-201" breaks "books/replace": "A replace answers 201."
        => reply |request, reply| restatus(request, reply, "PUT", 200, 201);
    "replace-not-stored" breaks "books/replace": "A replace answers well and stores nothing."
        => around |held, request, answer| store_no_replace(held, request, answer);
    "replace-answers-the-old-book" breaks "books/replace": "A replace answers with the book as it was."
        => around |held, request, answer| answer_the_old_book(held, request, answer);
    "replace-merges" breaks "books/replace-is-full": "Fields absent from the body of a replace are kept."
        => replaced |book, write| merge_with_old(book, write);
    "replace-keeps-titulo" breaks "books/replace-is-full": "A replace without titulo keeps that of old."
        => replaced |book, write| keep_old(book, write, "titulo");
    "replace-keeps-autor" breaks "books/replace-is-full": "A replace without autor keeps that of old."
        => replaced |book, write| keep_old(book, write, "autor");
    "replace-keeps-fecha-publicacion" breaks "books/replace-is-full": "A replace without fechaPublicacion keeps that of old."
        => replaced |book, write| keep_old(book, write, "fechaPublicacion");
    "replace-requires-titulo" breaks "books/replace-no-required-check": "A replace without titulo or autor answers 400."
        => request |request| if of_books(request) && request.method == "PUT" && lacks_required(request) { spoil_body(request) };
    "replace-unknown-creates" breaks "books/replace-unknown": "PUT of an unknown id creates a book."
        => around |held, request, answer| create_unknown(held, request, answer);
    "delete-is-200" breaks "books/delete-status": "A delete answers 200."
        => reply |request, reply| restatus(request, reply, "DELETE", 204, 200);
    "delete-has-body" breaks "books/delete-status": "The 204 of a delete has a body."
        => reply |request, reply| force_body(request, reply);
    "delete-keeps-the-book" breaks "books/delete-removes": "A deleted book is marked and stays."
        => around |held, request, answer| deleted(held, request, answer, |books, at, mut book, _| { book["eliminado"] = json!(true); books.insert(at, book) });
    "delete-removes-the-next-too" breaks "books/delete-removes": "A delete takes the next book away as well."
        => around |held, request, answer| deleted(held, request, answer, |books, at, _, _| drop(books.drain(at..books.len().min(at + 1))));
    "delete-unknown-is-204" breaks "books/delete-unknown": "DELETE of an unknown id answers 204."
        => reply |request, reply| answer(request, reply, "DELETE", 404, 204, "");
    "id-is-last-segment" breaks "books/path-id-second-segment": "The id is the last segment of the path."
        => request |request| take_last_segment(request);
    "id-behind-libros-alone" breaks "books/path-id-second-segment": "Behind a first segment longer than libros there is no id."
        => request |request| lose_id_behind_other_segments(request);
    "id-is-the-first-number" breaks "books/path-id-second-segment": "The id is the first segment that is a number."
        => request |request| take_first_number(request);
    "create-below-an-id" breaks "books/path-id-second-segment": "POST below an id creates."
        => request |request| if of_books(request) && request.method == "POST" && request.path.split('/').count() > 3 { request.path = "/libros".to_owned() };
    "id-with-zeros-unknown" breaks "books/path-id-second-segment": "An id with zeros before its digits is unknown."
        => request |request| respell_id(request, |id| id.starts_with('0').then(unknown).filter(|_| id.len() > 1));
    "id-not-a-number-unknown" breaks "books/path-id-not-a-number": "A segment that is not a number is an unknown id: 404."
        => request |request| respell_id(request, |id| js::parse_int(id).is_none().then(unknown));
    "id-zero-is-an-id" breaks "books/path-id-zero": "0 is an id, which no book has."
        => request |request| respell_id(request, |id| (js::parse_int(id) == Some(0.0)).then(unknown));
    "read-under-no-id-is-400" breaks "books/no-id-lists": "GET with a segment that counts as no id answers 400."
        => reply |request, reply| refuse_read_under_no_id(request, reply);
    "create-under-no-id-is-400" breaks "books/no-id-creates": "POST with a segment that counts as no id answers 400."
        => request |request| create_under_an_id(request);
    "replace-without-id-is-404" breaks "books/no-id-replace": "PUT without an id answers 404."
        => request |request| miss_an_id(request, "PUT");
    "delete-without-id-is-404" breaks "books/no-id-delete": "DELETE without an id answers 404."
        => request |request| miss_an_id(request, "DELETE");
    "delete-without-id-clears" breaks "books/no-id-delete": "DELETE without an id answers 400 and empties the collection."
        => after |held, request, reply| if refuses_delete(request, reply) { held.books.clear() };
    "huge-id-wraps" breaks "books/path-id-huge": "An id beyond 32 bits wraps round to a small one."
        => request |request| respell_id(request, |id| is_huge(id).then(|| wrapped(id)));
    "unsupported-method-is-404" breaks "books/method-not-allowed": "PATCH on a book path answers 404."
        => reply |request, reply| forget_method(request, reply);
    "unsupported-method-with-id-is-404" breaks "books/method-not-allowed": "PATCH on a book path with an id answers 404."
        => reply |request, reply| forget_method_under_an_id(request, reply);
    "patch-replaces" breaks "books/method-not-allowed": "PATCH replaces the book."
        => request |request| take_patch_for_put(request);
    "credential-before-method" breaks "books/method-before-credential": "PATCH without a credential answers 401."
        => around |held, request, answer| guard_method(held, request, answer, |_| true);
    "invalid-credential-before-method" breaks "books/method-before-credential": "PATCH with an invalid key answers 401."
        => around |held, request, answer| guard_method(held, request, answer, |request| request.header("x-api-key").is_some());
    "negative-id-is-400" breaks "books/path-id-negative": "A negative segment answers 400."
        => reply |request, reply| if id_segment(request).is_some_and(|id| id.starts_with('-')) && reply.status == 404 { reply.status = 400 };
    "replace-keeps-creado-por" breaks "books/creado-por-after-replace": "A replaced book keeps its creadoPor."
        => replaced |book, write| keep_creado_por(book, write);
    "list-leaves-out-nulls" breaks "books/list-shape": "The books of a list lack the fields that are null."
        => reply |_request, reply| show_list_as(reply, without_nulls);
    "replace-stamps-every-book" breaks "books/replace": "A replace sets fechaActualizacion of every book."
        => after |held, request, reply| if of_books(request) && request.method == "PUT" && reply.status == 200 { stamp(&mut held.books, request.now) };
    "id-taken-from-the-query" breaks "books/path-id-missing": "A path without an id takes it from the parameter id."
        => request |request| take_id_of_query(request);
    "delete-without-id-stamps-every-book" breaks "books/no-id-delete": "DELETE without an id answers 400 and marks every book as updated."
        => after |held, request, reply| if refuses_delete(request, reply) { stamp(&mut held.books, request.now) };
    "ids-begin-at-1000" breaks "books/id-next": "No book gets an id below 1000."
        => steps |s| s.books.next_id = |ids| ids.iter().max().map_or(1000, |id| 1000.max(id + 1));
    "body-before-lookup" by "books/replace-lookup-before-body": "The body of a replace is looked at before the book."
        => reply |request, reply| if of_books(request) && request.method == "PUT" && reply.status == 404 && !request.json_body().is_object() { refuse(reply, 400, "the body must be a JSON object") };
    "book-fields-sorted" by silence: "A book shows its fields in the order of their names."
        => start |state| sort_fields(state)
        => after |held, request, reply| show_sorted(held, request, reply);
    "absent-fecha-publicacion-is-null" by "books/fecha-publicacion-absent": "Without fechaPublicacion a book has it as null; a replaced one titulo, autor and creadoPor too."
        => created |book, _write| add_nulls(book, &["fechaPublicacion"])
        => replaced |book, _write| add_nulls(book, &["titulo", "autor", "fechaPublicacion", "creadoPor"]);
    "fecha-publicacion-checked" by "books/fecha-publicacion-form": "fechaPublicacion must be a date."
        => request |request| if of_books(request) && !has_date(request) { request.body = b"{".to_vec() };
    "head-is-get" by "books/head": "HEAD is GET without the body."
        => request |request| if of_books(request) && request.method == "HEAD" { request.method = "GET".to_owned() };
    "id-digits-only" by "books/path-id-trailing-text": "A segment with anything but digits is no id."
        => request |request| respell_id(request, |id| (!id.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())).then(|| "none".to_owned()));
    "id-in-hex" by "books/path-id-trailing-text": "A segment in hexadecimal form is read as such."
        => request |request| respell_id(request, |id| Some(u64::from_str_radix(id.strip_prefix("0x")?, 16).ok()?.to_string()));
    "huge-id-is-no-id" by "books/path-id-width": "An id of many digits counts as no id."
        => request |request| respell_id(request, |id| is_wide(id).then(|| "none".to_owned()));
    "initial-books-bare" by "books/initial-content": "The initial books have a titulo and an autor only."
        => start |state| bare_books(&mut state.books);
    "book-times-end-in-offset-zero" by "books/timestamp-zone": "Times of books end in +00:00 instead of Z."
        => written |book, write| name_utc_by_offset(book, write);
    "listed-newest-first" by "books/collection-order": "A list without sort shows the newest book first."
        => around |held, request, answer| list_newest_first(held, request, answer);
    "new-book-has-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor."
        => created |book, write| add_update_fields(book, write);
    "new-book-has-null-update-fields" by "books/update-fields-of-new-book": "A new book has fechaActualizacion and actualizadoPor as null."
        => created |book, _write| add_nulls(book, &UPDATE_FIELDS);
    "new-book-updated-by-its-creator" by "books/update-fields-of-new-book": "A new book was updated when and by whom it was created."
        => created |book, write| add_update_fields_of_creator(book, write);
    "replace-drops-sent-creado-por" by "books/creado-por-sent-on-replace": "A creadoPor sent with a replace is dropped."
        => replaced |book, _write| _ = book.shift_remove("creadoPor");
    "replace-sets-creado-por-sent" by "books/creado-por-sent-on-replace": "A creadoPor sent with a replace becomes who replaces."
        => replaced |book, write| if write.sent.contains_key("creadoPor") {
            book.insert("creadoPor".to_owned(), book.get("actualizadoPor").cloned().unwrap_or_default());
        };
    "required-converted" by "books/required-other-type": "A titulo or autor that is a number or a boolean is stored as its text."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| spell_out(sent, name))) };
    "fecha-publicacion-converted" by "books/fecha-publicacion-form": "A fechaPublicacion that is a number is stored as its text."
        => request |request| if of_books(request) { request.edit(|sent| spell_out(sent, "fechaPublicacion")) };
    "replaced-moves-to-end" by "books/collection-order": "A replaced book moves to the end."
        => after |held, request, reply| if of_books(request) && request.method == "PUT" && reply.status == 200 { move_to_end(held, request) };
    "required-falsy-accepted" by "books/required-other-type": "titulo and autor may be 0 or false."
        => steps |s| s.books.is_given = |name, value| value.is_some_and(is_of_other_type) || is_given(name, value);
    "required-false-refused" by "books/required-other-type": "titulo and autor may be of another type than string, but not false."
        => steps |s| s.books.is_given =
            |name, value| value.is_some_and(|value| is_of_other_type(value) && *value != false) || is_given(name, value);
    "required-texts-only" by "books/required-other-type": "titulo and autor must be strings."
        => steps |s| s.books.is_given =
            |name, value| !value.is_some_and(is_of_other_type) && is_given(name, value);
    "required-trimmed" by "books/required-blank": "titulo and autor must hold more than spaces."
        => request |request| if of_books(request) && request.method == "POST" { request.edit(|sent| ["titulo", "autor"].iter().for_each(|name| empty_if_blank(sent, name))) };
    "update-fields-null-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are null."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_nulls(book, &UPDATE_FIELDS);
        };
    "update-fields-set-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are those of the creation."
        => created |book, write| {
            drop_sent_update_fields(book, write);
            add_update_fields_of_creator(book, write);
        };
    "update-fields-dropped-on-create" by "books/update-fields-sent-on-create": "fechaActualizacion and actualizadoPor sent on create are dropped."
        => created |book, write| drop_sent_update_fields(book, write);
    // Gson, ToNumberPolicy.DOUBLE, the default: a number whose type is Object is a Double, and written so.
    "whole-numbers-with-decimals" by silence: "Whole numbers among the fields of a book that was written have decimals."
        => reply |request, reply| if of_books(request) && reply.status < 300 { spell_as_doubles(reply) };
    "deleted-without-content-type" by silence: "The 204 of a delete has no Content-Type."
        => reply |request, reply| if of_books(request) && reply.status == 204 { reply.remove("Content-Type") };
};

fn add_nulls(book: &mut Record, names: &[&str]) {
    for name in names {
        book.entry(*name).or_insert(Value::Null);
    }
}

/// Whether what is sent as fechaPublicacion, if it is, is a day.
fn has_date(request: &Request) -> bool {
    let is_day = |value: &Value| value.as_str().is_some_and(|text| text.len() == 10 && iso_date(text).is_some());
    request.json_body().get("fechaPublicacion").is_none_or(is_day)
}

/// Whether these are more digits than 32 bits hold.
fn is_wide(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit()) && id.parse::<i32>().is_err()
}

fn bare_books(books: &mut [Value]) {
    for book in books.iter_mut().filter_map(Value::as_object_mut) {
        book.retain(|name, _| matches!(name.as_str(), "id" | "titulo" | "autor"));
    }
}

fn name_utc_by_offset(book: &mut Record, write: &Write<'_>) {
    let time = format(write.now, "%Y-%m-%dT%H:%M:%S%.3f+00:00");
    book.insert(write.time_field.to_owned(), time.into());
}

fn list_newest_first(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let is_list = of_books(request) && request.method == "GET" && !names_id(request);
    if !is_list {
        return answer(held, request);
    }
    held.books.reverse();
    let reply = answer(held, request);
    held.books.reverse();
    reply
}

fn add_update_fields(book: &mut Record, _: &Write<'_>) {
    book.entry("actualizadoPor").or_insert(Value::Null);
    let created = book.get("fechaCreacion").cloned().unwrap_or_default();
    book.entry("fechaActualizacion").or_insert(created);
}

/// The fields that a replace sets.
const UPDATE_FIELDS: [&str; 2] = ["fechaActualizacion", "actualizadoPor"];

fn add_update_fields_of_creator(book: &mut Record, write: &Write<'_>) {
    let creator = book.get("creadoPor").cloned().unwrap_or_default();
    book.entry("actualizadoPor").or_insert(creator);
    add_update_fields(book, write);
}

/// Puts its text in the place of a number, a boolean, a list or an object.
fn spell_out(sent: &mut Value, name: &str) {
    if let Some(value) = sent.get_mut(name).filter(|value| !value.is_string() && !value.is_null()) {
        *value = json!(value.to_string());
    }
}

fn move_to_end(held: &mut Held, request: &Request) {
    if let Some(at) = id_of(request).and_then(|id| held.place(id)) {
        let book = held.books.remove(at);
        held.books.push(book);
    }
}

/// Whether a value is neither null nor a string.
fn is_of_other_type(value: &Value) -> bool {
    !value.is_null() && !value.is_string()
}

fn empty_if_blank(sent: &mut Value, name: &str) {
    if sent[name].as_str().is_some_and(|text| text.trim().is_empty()) {
        sent[name] = json!("");
    }
}

fn drop_sent_update_fields(book: &mut Record, write: &Write<'_>) {
    book.retain(|name, _| !(UPDATE_FIELDS.contains(&name.as_str()) && write.sent.contains_key(name)));
}

/// What shows an ETag is left alone: it was made of the text.
fn spell_as_doubles(reply: &mut Reply) {
    if reply.has("ETag") || reply.body.is_empty() {
        return;
    }
    let mut book = reply.json_body();
    for (_, field) in book.as_object_mut().into_iter().flatten().filter(|(name, _)| *name != "id") {
        if let Some(whole) = field.as_i64() {
            *field = Value::from(whole as f64);
        }
    }
    if book.is_object() {
        reply.body = book.to_string().into_bytes();
    }
}
