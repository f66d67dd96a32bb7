//! Cases of the chapter conditional: ETag, Last-Modified, and what If-None-Match and If-Modified-Since do.

pub mod matching;
pub mod tags;
pub mod unchanged;

use serde_json::json;

use crate::case::Case;
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::books::{Lot, MadeBook};
use crate::http::reply::Reply;

/// The tables of this chapter.
pub const TABLES: &[&[Case]] = &[tags::CASES, matching::CASES, unchanged::CASES];

fn tag_of(reply: &Reply) -> Result<String, Stop> {
    match reply.header("ETag") {
        Some(tag) if !tag.is_empty() => Ok(tag),
        _ => Err(Stop::Blocked { step: "reading the ETag".into(), why: "there is none".into() }),
    }
}

/// A book with its path and tag, read with the test key.
fn tagged_book(t: &Trial<'_>) -> Result<(MadeBook, String), Stop> {
    let book = t.create_book(&json!({ "nota": "ñandú, 書" }))?;
    let tag = tag_of(&t.get(&book.path()).key(t.test_key()).send()?.prepared("reading a book", 200)?)?;
    Ok((book, tag))
}

/// A list with its path and tag.
fn tagged_list(t: &Trial<'_>) -> Result<(Lot, String), Stop> {
    let lot = t.create_lot(&[json!({ "n": 1 }), json!({ "n": 2 })])?;
    let tag = tag_of(&t.get(&lot.path("")).key(t.test_key()).send()?.prepared("listing", 200)?)?;
    Ok((lot, tag))
}

fn unchanged(t: &Trial<'_>, path: &str, tag: &str) -> Result<Reply, Stop> {
    t.get(path).key(t.test_key()).header("If-None-Match", tag).send()
}
