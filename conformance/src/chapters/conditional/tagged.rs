//! Books and lists with their tags.

use crate::chapters::prelude::*;
use crate::fixture::books::{BookSet, MadeBook};

pub(crate) fn tag_of(reply: &Reply) -> Result<String, CaseError> {
    match reply.header("ETag") {
        Some(tag) if !tag.is_empty() => Ok(tag),
        _ => Err(CaseError::blocked("reading the ETag", "there is none")),
    }
}

/// A book with its path and tag, read with the test key.
pub(crate) fn tagged_book(cx: &CaseContext<'_>) -> Result<(MadeBook, String), CaseError> {
    let book = books::create(cx, &json!({ "nota": "en buen estado" }))?;
    let tag = tag_of(&cx.get(&book.path()).key(cx.test_key()).send()?.prepared("reading a book", 200)?)?;
    Ok((book, tag))
}

/// A list with its path and tag.
pub(crate) fn tagged_list(cx: &CaseContext<'_>) -> Result<(BookSet, String), CaseError> {
    let set = books::create_set(cx, &[json!({ "n": 1 }), json!({ "n": 2 })])?;
    let tag = tag_of(&cx.get(&set.path("")).key(cx.test_key()).send()?.prepared("listing", 200)?)?;
    Ok((set, tag))
}

pub(crate) fn unchanged(cx: &CaseContext<'_>, path: &str, tag: &str) -> Result<Reply, CaseError> {
    cx.get(path).key(cx.test_key()).header("If-None-Match", tag).send()
}
