//! What ETag and Last-Modified of a list and a book are.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::chapters::prelude::*;
use crate::oracle::etag;

cases! { "conditional";
    /// The hexadecimal digits of an ETag are lower case, or upper case.
    the_letter_case_of_a_tag judges ["conditional/etag-case"] => |cx| {
        let (_, tag) = tagged_book(cx)?;
        // The mark of a weak tag is no digit; that a tag is none has a case of its own.
        let digits = etag::bare(tag.strip_prefix("W/").unwrap_or(&tag));
        let has = |is_case: fn(&char) -> bool| digits.chars().any(|c| is_case(&c));
        cx.observe(&[("lower", !has(char::is_ascii_uppercase)), ("upper", !has(char::is_ascii_lowercase))], tag.clone())
    };
    /// The ETag of a list is the MD5 of its items' JSON text, whatever the items are.
    list_tag_is_the_md5_of_datos judges ["conditional/etag-list"] => |cx| {
        let first = json!({ "titulo": "Años de «ñ»", "n": 1.5, "x": { "b": [1, null], "a": true } });
        let set = books::create_set(cx, &[first, json!({ "titulo": "書 🜁", "n": 2, "x": "ñ".repeat(4000) })])?;
        for parameters in ["", "sort=-n", "fields=titulo,n", "n=2&fields=x", "limit=1", "titulo=nada", "page=7"] {
            let reply = read(cx, &set.path(parameters))?;
            let body = serde_json::from_slice::<BTreeMap<String, Box<RawValue>>>(&reply.received().body).ok();
            let datos = body.as_ref().and_then(|body| body.get("datos")).map_or("", |datos| datos.get()).to_owned();
            is_md5(&reply, &datos)?;
        }
        Ok(())
    };
    /// The ETag of a book is the MD5 of its JSON text.
    book_tag_is_the_md5_of_the_book judges ["conditional/etag-book"] => |cx| {
        let odd = json!({ "titulo": "Año 書 🜁", "x": { "b": [1.0, 0.1], "a": null } });
        for fields in [json!({}), odd, json!({ "x": "ñ".repeat(4000) })] {
            let book = books::create(cx, &fields)?;
            let reply = read(cx, &book.path())?;
            is_md5(&reply, &reply.received().text())?;
        }
        Ok(())
    };
    /// ETags are bare digests, or quoted ones that match when sent back.
    tags_are_bare_or_quoted_digests judges ["conditional/etag-quotes"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        let (is_digest, is_bare) = (etag::is_digest(&tag), etag::bare(&tag) == tag);
        let matches = unchanged(cx, &book.path(), &tag)?.is(304);
        cx.observe(&[("bare", is_digest && is_bare), ("quoted", is_digest && !is_bare && matches)], tag)
    };
    /// Last-Modified of a list is later in a later answer.
    last_modified_of_a_list_moves_on judges ["conditional/last-modified-list"] needs [Need::Time]
        => |cx| moves_on(cx, "/libros?limit=1");
    /// Last-Modified of a book is later in a later answer.
    last_modified_of_a_book_moves_on judges ["conditional/last-modified-book"] needs [Need::Time]
        => |cx| moves_on(cx, &books::create(cx, &json!({}))?.path());
    /// Last-Modified of a replaced book is later in a later answer.
    last_modified_of_a_replaced_book_moves_on judges ["conditional/last-modified-book"] needs [Need::Time] => |cx| {
        let book = books::create(cx, &json!({}))?;
        let replace = cx.put(&book.path()).key(cx.admin_key()).json(&json!({ "titulo": "Otro", "autor": "Otra" }));
        replace.send()?.prepared("replacing", 200)?;
        moves_on(cx, &book.path())
    };
    /// If-None-Match with the ETag in the other letter case does not match.
    tag_in_the_other_letter_case_is_200 judges ["conditional/no-match"] => |cx| {
        let (book, tag) = tagged_book(cx)?;
        let other = if tag == tag.to_lowercase() { tag.to_uppercase() } else { tag.to_lowercase() };
        unchanged(cx, &book.path(), &other)?.check().status(200).map(drop)
    };
}

fn read(cx: &CaseContext<'_>, path: &str) -> Result<Reply, CaseError> {
    cx.get(path).key(cx.test_key()).send()?.prepared("reading", 200)
}

fn tagged_book(cx: &CaseContext<'_>) -> Result<(MadeBook, String), CaseError> {
    let book = books::create(cx, &json!({ "nota": "en buen estado" }))?;
    let tag = read(cx, &book.path())?.header("ETag").filter(|tag| !tag.is_empty());
    Ok((book, tag.ok_or_else(|| CaseError::blocked("reading the ETag", "there is none"))?))
}

fn unchanged(cx: &CaseContext<'_>, path: &str, tag: &str) -> Result<Reply, CaseError> {
    cx.get(path).key(cx.test_key()).header("If-None-Match", tag).send()
}

/// The tag is of this text or of a usual form of it; where a book is shown in another text than the one stored, it may be of that.
fn is_md5(reply: &Reply, text: &str) -> CaseResult {
    // The order of the books below; those of a set have their marker last.
    const SENT: [&str; 5] = ["titulo", "autor", "n", "x", "lote"];
    let tag = reply.header("ETag").unwrap_or_default();
    let is_usual = etag::is_md5_of_json(&tag, text);
    let is_other = etag::is_digest(&tag) && etag::is_respelt(text, &SENT);
    let want = Want::Digest(etag::of_text(text));
    reply.check().that(is_usual || is_other, Place::header("ETag"), want, &tag).map(drop)
}

/// A server that was started just now tells the time of its start and the time of the answer alike, until a second has passed.
fn moves_on(cx: &CaseContext<'_>, path: &str) -> CaseResult {
    let last_modified = |reply: &Reply| reply.header("Last-Modified").unwrap_or_default();
    let earlier = last_modified(&read(cx, path)?);
    if !time::clock_moves_a_second(cx)? {
        return Ok(());
    }
    let reply = read(cx, path)?;
    let later = last_modified(&reply);
    let times = clock::parse_http_date(&earlier).zip(clock::parse_http_date(&later));
    // Another form has a case of its own.
    let moves = times.is_none_or(|(earlier, later)| later > earlier);
    reply.check().that(moves, Place::header("Last-Modified"), format!("later than {earlier}"), later).map(drop)
}
