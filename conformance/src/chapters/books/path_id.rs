//! The id in a path: which segment it is, and digits that are beyond every id or of another base.

use super::answers::{ask, is_book, is_list};
use crate::chapters::prelude::*;

cases! { "books";
    /// A number that would be a known id if cut to 32 or 64 bits is an unknown id.
    a_huge_number_does_not_wrap_around judges ["books/path-id-huge"] => |cx| {
        let made = books::create(cx, &json!({}))?;
        let before = books::stored(cx, made.id)?;
        for bits in [32, 64] {
            is_unknown(cx, &((1_u128 << bits) + u128::from(made.id)).to_string())?;
        }
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
    };
    /// A segment in hexadecimal form is not an id, or is read as a hexadecimal id.
    hexadecimal_digits judges ["books/path-id-trailing-text"] => |cx| {
        let id = books::create(cx, &json!({}))?.id;
        books::read(cx, id)?;
        let reply = cx.get(&format!("/libros/0x{id:x}")).key(cx.admin_key()).send()?;
        let readings = [("no-id", is_list(&reply)), ("number", is_book(&reply, id))];
        cx.observe_of("hexadecimal digits", &readings, reply.summary())
    };
}

/// Every method takes the number for an id, and finds no book.
fn is_unknown(cx: &CaseContext<'_>, number: &str) -> CaseResult {
    let path = format!("/libros/{number}");
    // An unknown id; or no id, where the number does not fit a type.
    for (method, unknown, no_id) in [("GET", 404, 200), ("PUT", 404, 400), ("DELETE", 404, 400), ("POST", 400, 201)] {
        let reply = ask(cx, method, &path)?;
        let is_list = method != "GET" || reply.at("/datos").is_some();
        let is_right = reply.status() == unknown || reply.status() == no_id && is_list;
        let want = format!("{unknown}, or as without an id");
        reply.check().that(is_right, format!("{method} {path}"), want, reply.summary())?;
    }
    Ok(())
}
