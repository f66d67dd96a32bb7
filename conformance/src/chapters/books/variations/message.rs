//! How a fault misreads a request on a book path, and what it makes of the reply. Declares no fault.

use libros_conformance_model::js;
use serde_json::{Map, Value, json};

use crate::impostor::effect::prelude::*;

/// An id that no book has.
pub(crate) fn unknown() -> String {
    "-1".to_owned()
}

pub(crate) fn is_huge(id: &str) -> bool {
    id.len() > 9 && id.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits read into 32 bits.
pub(crate) fn wrapped(id: &str) -> String {
    let digits = id.bytes().map(|byte| u32::from(byte - b'0'));
    digits.fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(digit)).to_string()
}

pub(crate) fn take_last_segment(request: &mut Request) {
    if id_segment(request).is_some() {
        let last = request.path.rsplit('/').find(|segment| !segment.is_empty()).unwrap_or_default();
        request.path = format!("/libros/{last}");
    }
}

pub(crate) fn take_first_number(request: &mut Request) {
    if let Some(id) = request.path.split('/').skip(2).find(|segment| js::parse_int(segment).is_some())
        && of_books(request)
    {
        request.path = format!("/libros/{id}");
    }
}

pub(crate) fn lose_id_behind_other_segments(request: &mut Request) {
    if of_books(request) && request.path.split('/').nth(1) != Some("libros") {
        "/libros".clone_into(&mut request.path);
    }
}

pub(crate) fn take_patch_for_put(request: &mut Request) {
    if of_books(request) && request.method == "PATCH" {
        "PUT".clone_into(&mut request.method);
    }
}

/// A segment that counts as no id is taken for one on create.
pub(crate) fn create_under_an_id(request: &mut Request) {
    if request.method == "POST" && !names_id(request) {
        respell_id(request, |_| Some(unknown()));
    }
}

/// Without an id, the operation looks for one that no book has.
pub(crate) fn miss_an_id(request: &mut Request, method: &str) {
    if of_books(request) && request.method == method && !names_id(request) {
        request.path = format!("/libros/{}", unknown());
    }
}

pub(crate) fn decode_in_pieces(request: &mut Request) {
    let mut text = String::new();
    let mut from = 0;
    for to in request.seams.iter().copied().chain([request.body.len()]) {
        text.push_str(&String::from_utf8_lossy(&request.body[from..to]));
        from = to;
    }
    request.body = text.into_bytes();
}

/// Another status for an operation on books.
pub(crate) fn restatus(request: &Request, reply: &mut Reply, method: &str, from: u16, to: u16) {
    if of_books(request) && request.method == method && reply.status == from {
        reply.status = to;
    }
}

/// Another status and another body for an operation on books.
pub(crate) fn answer(request: &Request, reply: &mut Reply, method: &str, from: u16, to: u16, body: &str) {
    if of_books(request) && request.method == method && reply.status == from {
        reply.status = to;
        reply.body = body.as_bytes().to_vec();
    }
}

pub(crate) fn show_list_as(reply: &mut Reply, form: fn(&Value) -> Value) {
    if shows_list(reply) {
        reply.edit(|list| *list = form(list));
    }
}

pub(crate) fn show_book_as(reply: &mut Reply, form: fn(&Value) -> Value) {
    if shows_book(reply) {
        reply.edit(|book| *book = form(book));
    }
}

/// Leaves of a single book the fields that its query selects.
pub(crate) fn select_fields(request: &Request, reply: &mut Reply) {
    let names = request.query.split('&').find_map(|pair| pair.strip_prefix("fields="));
    if let Some(names) = names.filter(|_| shows_book(reply)) {
        let selected = |(name, _): &(String, Value)| names.split(',').any(|selected| selected == name);
        reply.edit(|book| {
            let fields = book.as_object().cloned().unwrap_or_default();
            *book = fields.into_iter().filter(selected).collect::<Map<_, _>>().into();
        });
    }
}

pub(crate) fn answer_what_was_sent(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 201 {
        reply.body = js::parse(&request.body).map(|sent| js::stringify(&sent)).unwrap_or_default().into_bytes();
    }
}

pub(crate) fn answer_the_id_only(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 201 {
        reply.edit(|book| *book = json!({"id": book["id"]}));
    }
}

pub(crate) fn force_body(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 204 {
        reply.body = b"{}".to_vec();
        reply.framing = Framing::Forced;
    }
}

pub(crate) fn refuse_read_under_no_id(request: &Request, reply: &mut Reply) {
    if id_segment(request).is_some() && shows_list(reply) {
        refuse(reply, 400, "GET takes a numeric id");
    }
}

pub(crate) fn forget_method(request: &Request, reply: &mut Reply) {
    if of_books(request) && reply.status == 405 {
        reply.status = 404;
    }
}

pub(crate) fn forget_method_under_an_id(request: &Request, reply: &mut Reply) {
    if names_id(request) {
        forget_method(request, reply);
    }
}

/// A list whose books lack the fields that are null.
pub(super) fn without_nulls(list: &Value) -> Value {
    let mut list = list.clone();
    for book in list["datos"].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        book.retain(|_, value| !value.is_null());
    }
    list
}

/// Reads the parameter id of the query for the second segment of a path that has none.
pub(super) fn take_id_of_query(request: &mut Request) {
    let id = request.query.split('&').find_map(|pair| pair.strip_prefix("id=")).map(str::to_owned);
    if let Some(id) = id.filter(|_| request.path == "/libros") {
        request.path = format!("/libros/{id}");
    }
}
