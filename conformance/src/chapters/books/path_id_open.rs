//! Segments of which the documents do not say whether they are an id.

use super::answers::{is_book, is_list};
use crate::chapters::prelude::*;

cases! { "books";
    /// Digits with something after them: the leading integer, the number they spell, or none.
    digits_with_text_after_them judges ["books/path-id-trailing-text"];
    /// A sign or a space before the digits: passed over, or no number.
    digits_with_a_sign_or_space_before_them judges ["books/path-id-trailing-text"];
    /// Hexadecimal digits: none, or the number they spell.
    hexadecimal_digits judges ["books/path-id-trailing-text"];
    /// A negative number is an unknown id.
    a_negative_number judges ["books/path-id-negative"];
}

fn get(cx: &CaseContext<'_>, segment: &str) -> Result<Reply, CaseError> {
    cx.get(&format!("/libros/{segment}")).key(cx.admin_key()).send()
}

fn digits_with_text_after_them(cx: &CaseContext<'_>) -> CaseResult {
    let id = books::create(cx, &json!({}))?.id;
    books::read(cx, id)?;
    let is_some_book = |reply: &Reply| reply.status() == 200 && books::id_of(reply).is_some();
    for (text, is_a_number) in [("abc", false), (".5", true), ("e1", true)] {
        let reply = get(cx, &format!("{id}{text}"))?;
        let readings = [
            ("leading", is_book(&reply, id)),
            ("no-id", is_list(&reply)),
            ("number", is_a_number && (reply.status() == 404 || is_some_book(&reply))),
        ];
        cx.observe(&readings, reply.summary())?;
    }
    Ok(())
}

fn digits_with_a_sign_or_space_before_them(cx: &CaseContext<'_>) -> CaseResult {
    let id = books::create(cx, &json!({}))?.id;
    books::read(cx, id)?;
    for text in ["+", "%20"] {
        let reply = get(cx, &format!("{text}{id}"))?;
        cx.observe(&[("passed-over", is_book(&reply, id)), ("no-id", is_list(&reply))], reply.summary())?;
    }
    Ok(())
}

fn hexadecimal_digits(cx: &CaseContext<'_>) -> CaseResult {
    let id = books::create(cx, &json!({}))?.id;
    books::read(cx, id)?;
    let reply = get(cx, &format!("0x{id:x}"))?;
    cx.observe_of("hexadecimal digits", &[("no-id", is_list(&reply)), ("number", is_book(&reply, id))], reply.summary())
}

fn a_negative_number(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let before = books::stored(cx, made.id)?;
    let path = format!("/libros/-{}", made.id);
    let body = json!({ "titulo": "Otro", "autor": "Otra" });
    let read = cx.get(&path).key(cx.admin_key()).send()?;
    let replaced = cx.put(&path).key(cx.admin_key()).json(&body).send()?;
    let deleted = cx.delete(&path).key(cx.admin_key()).send()?;
    let created = books::adopt(cx, cx.post(&path).key(cx.admin_key()).json(&body).send()?);
    let writes = [replaced.status(), deleted.status(), created.status()];
    let after = books::stored(cx, made.id)?;
    let is_untouched = same(&after, &before);
    let got = format!("GET {}; PUT, DELETE, POST {writes:?}; the book {after}", read.summary());
    let is_unknown = is_untouched && read.status() == 404 && writes == [404, 404, 400];
    let answers = [(&read, 404), (&replaced, 404), (&deleted, 404), (&created, 400)];
    let strange = answers.into_iter().find(|(reply, wanted)| reply.status() != *wanted);
    cx.check(is_unknown, &path, "404 to GET, PUT and DELETE, 400 to POST, and the book as it was", got)
        .seen_in(strange.map(|(reply, _)| reply))
}
