//! Habits of JSON writers and GraphQL libraries. The text that an ETag was made of is left alone.

use std::fmt::Write as _;

use libros_conformance_model::refusals::NO_QUERY;

use crate::impostor::effect::prelude::*;

pub(crate) const HABITS: &[Variation] = variations! {
    // Go, encoding/json, HTMLEscape, and Rails, ActiveSupport.escape_html_entities_in_json: \u003c, \u003e and \u0026.
    "html-escaped": "The characters of HTML are escaped in JSON."
        => reply |_request, reply| escape_chars(reply, |c| "<>&".contains(c));
    // PHP manual, json_encode: without JSON_UNESCAPED_UNICODE letters beyond ASCII are escaped.
    "letters-escaped": "Letters beyond ASCII are escaped in JSON."
        => reply |_request, reply| escape_chars(reply, |c| !c.is_ascii());
    // PHP manual, json_encode: without JSON_UNESCAPED_SLASHES slashes are escaped.
    "slashes-escaped": "Slashes are escaped in JSON."
        => reply |_request, reply| if is_json_without_etag(reply) {
                reply.body = String::from_utf8_lossy(&reply.body).replace('/', "\\/").into_bytes();
            };
    // Go, encoding/json, Marshal: the keys of a map are sorted.
    "keys-sorted": "Objects show their keys in order."
        => reply |_request, reply| if is_json_without_etag(reply) { reply.edit(Value::sort_all_objects) };
    // Go, encoding/json, Encoder.Encode: followed by a newline character.
    "newline-at-end": "JSON ends in a newline."
        => reply |_request, reply| if is_json_without_etag(reply) && !reply.body.is_empty() { reply.body.push(b'\n') };
    // Java, Set.of: the order of a set's elements is not specified.
    "sets-in-another-order": "Permissions and methods of a second factor are listed in another order."
        => reply |request, reply| if of_auth(request) { reply.edit(turn_sets) };
    // PHP, date("Y-m-d\TH:i:s.v\Z"): a time without its milliseconds has .000.
    "times-in-whole-seconds": "Times of clients, devices and a second factor are kept in whole seconds."
        => reply |request, reply| if (of_auth(request) || of_two_factor(request)) && reply.status < 300 {
                reply.edit(|body| each_member(body, &mut |_, value| edit_text(value, cut_time)));
            };
    // Devise, case_insensitive_keys, [:email] by default: an e-mail is kept in lower case.
    "email-in-lower-case": "A registration of the demonstration answers its e-mail in lower case."
        => reply |request, reply| if request.is("POST", "/api/users/register") && reply.status == 201 {
                reply.edit(|user| user.get_mut("email").into_iter().for_each(|email| edit_text(email, str::to_lowercase)));
            };
    // Go, net/http, Error: the message as plain text.
    "graphql-without-query-is-text": "A GraphQL request without a query is refused in plain text."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = Reply::plain(400, "Must provide query string.") };
    // Apollo Server, "Cross-site request forgery (CSRF) prevention": GET without a header of its own is 400.
    "graphql-get-is-400": "GET answers 400 on the full GraphQL interface."
        => reply |request, reply| if of_graphql(request) && request.is("GET", "/graphql") { *reply = Reply::json(400, &json!({"error": "Not found"})) };
};

/// A time without its milliseconds; any other text as it is.
fn cut_time(text: &str) -> String {
    if is_time(text) { format!("{}.000Z", &text[..19]) } else { text.to_owned() }
}

/// 2026-01-31T00:00:00.000Z
fn is_time(text: &str) -> bool {
    let signs = text.bytes().enumerate().filter(|(_, byte)| !byte.is_ascii_digit());
    text.len() == 24 && signs.eq([(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')])
}

fn turn_sets(body: &mut Value) {
    each_member(body, &mut |name, value| match value {
        Value::Array(items) if ["permissions", "metodosDisponibles"].contains(&name) => items.reverse(),
        _ => {}
    });
}

/// Whether the text of the body may change: there is JSON, and no ETag over it.
fn is_json_without_etag(reply: &Reply) -> bool {
    reply.header("Content-Type").is_some_and(|kind| kind.contains("json")) && !reply.has("ETag")
}

fn escape_chars(reply: &mut Reply, is_escaped: fn(char) -> bool) {
    if !is_json_without_etag(reply) {
        return;
    }
    let mut escaped = String::new();
    for c in String::from_utf8_lossy(&reply.body).chars() {
        if is_escaped(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    reply.body = escaped.into_bytes();
}
