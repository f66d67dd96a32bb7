//! Variations of the chapter books: which book a path names, and the methods it takes.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "create-with-unknown-id-accepted" breaks "books/create-with-id": "POST with an unknown id in the path creates a book."
        => before |state, request| if request.method == "POST" && names_unknown(state, request) { request.path = "/libros".to_owned() };
    "create-with-id-replaces" breaks "books/create-with-id": "POST with a known id in the path replaces the book."
        => before |state, request| if request.method == "POST" && names_id(request) && !names_unknown(state, request) { request.method = "PUT".to_owned() };
    "id-is-last-segment" breaks "books/path-id-second-segment": "The id of a book is the last segment of the path."
        => request |request| {
            if id_segment(request).is_some() {
                let last = request.path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or_default();
                request.path = format!("/libros/{last}");
            }
        };
    "id-behind-libros-alone" breaks "books/path-id-second-segment": "The second segment is an id only behind a first segment of exactly libros."
        => request |request| {
            if of_books(request) && request.path.split('/').nth(1) != Some("libros") {
                "/libros".clone_into(&mut request.path);
            }
        };
    "id-is-the-first-number" breaks "books/path-id-second-segment": "The id of a book is the first segment that is a number."
        => request |request| take_first_number(request);
    "create-below-an-id" breaks "books/path-id-second-segment": "POST with segments after the id creates a book."
        => request |request| if of_books(request) && request.method == "POST" && request.path.split('/').count() > 3 { request.path = "/libros".to_owned() };
    "id-with-zeros-unknown" breaks "books/path-id-second-segment": "An id with leading zeros is unknown."
        => request |request| respell_id(request, |id| id.starts_with('0').then(unknown_id).filter(|_| id.len() > 1));
    "id-not-a-number-unknown" breaks "books/path-id-not-a-number": "A segment that is not a number counts as an unknown id and answers 404."
        => request |request| respell_id(request, |id| js::parse_int(id).is_none().then(unknown_id));
    "id-zero-is-an-id" breaks "books/path-id-zero": "The segment 0 counts as an unknown id."
        => request |request| respell_id(request, |id| (js::parse_int(id) == Some(0.0)).then(unknown_id));
    "read-under-no-id-is-400" breaks "books/no-id-lists": "GET with a segment that is not an id answers 400."
        => reply |request, reply| {
            if id_segment(request).is_some() && shows_list(reply) {
                refuse(reply, 400, "GET takes a numeric id");
            }
        };
    "create-under-no-id-is-400" breaks "books/no-id-creates": "POST with a segment that is not an id answers 400."
        => request |request| create_under_an_id(request);
    "replace-without-id-is-404" breaks "books/no-id-replace": "PUT without an id answers 404."
        => request |request| miss_an_id(request, "PUT");
    "delete-without-id-is-404" breaks "books/no-id-delete": "DELETE without an id answers 404."
        => request |request| miss_an_id(request, "DELETE");
    "delete-without-id-clears" breaks "books/no-id-delete": "DELETE without an id answers 400 and deletes all books."
        => after |state, request, reply| if refuses_delete(request, reply) { state.books.clear() };
    "huge-id-wraps" breaks "books/path-id-huge": "An id beyond 32 bits wraps around to a small one."
        => request |request| respell_id(request, |id| is_huge(id).then(|| wrapped(id)));
    "unsupported-method-is-404" breaks "books/method-not-allowed": "PATCH on a book path answers 404."
        => reply |request, reply| forget_method(request, reply);
    "unsupported-method-with-id-is-404" breaks "books/method-not-allowed": "PATCH on a book path with an id answers 404."
        => reply |request, reply| if names_id(request) { forget_method(request, reply) };
    "patch-replaces" breaks "books/method-not-allowed": "PATCH on a book path replaces the book."
        => request |request| {
            if of_books(request) && request.method == "PATCH" {
                "PUT".clone_into(&mut request.method);
            }
        };
    "credential-before-method" breaks "books/method-before-credential": "PATCH on a book path answers 401 without a credential."
        => around |state, request, answer| guard_method(state, request, answer, |_| true);
    "invalid-credential-before-method" breaks "books/method-before-credential": "PATCH on a book path answers 401 with an invalid key."
        => around |state, request, answer| guard_method(state, request, answer, |request| request.header("x-api-key").is_some());
    "negative-id-is-400" breaks "books/path-id-negative": "A negative id answers 400."
        => reply |request, reply| if id_segment(request).is_some_and(|id| id.starts_with('-')) && reply.status == 404 { reply.status = 400 };
    "id-taken-from-the-query" breaks "books/path-id-missing": "On a path without an id the parameter id is taken as the id."
        => request |request| take_id_of_query(request);
    "delete-without-id-stamps-every-book" breaks "books/no-id-delete": "DELETE without an id answers 400 and marks every book as updated."
        => after |state, request, reply| if refuses_delete(request, reply) { stamp(&mut state.books, request.now) };
    "id-digits-only" by "books/path-id-trailing-text": "A segment with any character other than a digit is not an id."
        => request |request| respell_id(request, |id| (!id.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit())).then(|| "none".to_owned()));
    "id-in-hex" by "books/path-id-trailing-text": "A segment in hexadecimal form is read as a hexadecimal id."
        => request |request| respell_id(request, |id| Some(u64::from_str_radix(id.strip_prefix("0x")?, 16).ok()?.to_string()));
    "huge-id-is-no-id" by "books/path-id-width": "A segment of many digits is not an id."
        => request |request| respell_id(request, |id| is_wide(id).then(|| "none".to_owned()));
};

/// Whether the digits do not fit into 32 bits.
fn is_wide(id: &str) -> bool {
    id.bytes().all(|byte| byte.is_ascii_digit()) && id.parse::<i32>().is_err()
}

fn unknown_id() -> String {
    "-1".to_owned()
}

fn is_huge(id: &str) -> bool {
    id.len() > 9 && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number wrapped to 32 bits.
fn wrapped(id: &str) -> String {
    let digits = id.bytes().map(|byte| u32::from(byte - b'0'));
    digits.fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(digit)).to_string()
}

fn take_first_number(request: &mut Request) {
    if let Some(id) = request.path.split('/').skip(2).find(|segment| js::parse_int(segment).is_some())
        && of_books(request)
    {
        request.path = format!("/libros/{id}");
    }
}

/// A segment that counts as no id is taken for one on create.
fn create_under_an_id(request: &mut Request) {
    if request.method == "POST" && !names_id(request) {
        respell_id(request, |_| Some(unknown_id()));
    }
}

/// Without an id, the operation looks for one that no book has.
fn miss_an_id(request: &mut Request, method: &str) {
    if of_books(request) && request.method == method && !names_id(request) {
        request.path = format!("/libros/{}", unknown_id());
    }
}

fn forget_method(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 405 {
        reply.status = 404;
    }
}

/// Reads the parameter id of the query for the second segment of a path that has none.
fn take_id_of_query(request: &mut Request) {
    let id = request.query.split('&').find_map(|pair| pair.strip_prefix("id=")).map(str::to_owned);
    if let Some(id) = id.filter(|_| request.path == "/libros") {
        request.path = format!("/libros/{id}");
    }
}

/// Whether the reply refuses a delete without an id.
fn refuses_delete(request: &Request, reply: &Reply) -> bool {
    of_books(request) && request.method == "DELETE" && reply.status == 400
}

/// Asks for a credential before an unsupported method is refused.
fn guard_method(state: &mut Shared, request: &Request, answer: &Answer<'_>, is_asked: fn(&Request) -> bool) -> Reply {
    let reply = answer(state, request);
    if !of_books(request) || reply.status != 405 || !is_asked(request) {
        return reply;
    }
    refusal(state, request, answer).unwrap_or(reply)
}
