//! Judges the validators of lists and books, ETag and Last-Modified, and the 304 for requests that already know them. Knows no other header.

use serde_json::value::RawValue;

use crate::clock;
use crate::http::header_values;
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::groups::{self, BASE, CORS, PAGINATION, SECURITY};
use crate::invariants::route::Route;
use crate::oracle::etag;

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let is_list = answer.route == Route::ListBooks;
    if !is_list && answer.route != Route::ReadBook {
        return;
    }
    match answer.status() {
        200 => tagged(answer, is_list, found),
        304 => unchanged(answer, is_list, found),
        _ => {}
    }
}

/// The tag is the MD5 of the data's text. If that text is spaced, escaped or reordered, the tag may be of another text of the same data.
fn tagged(answer: &Answer<'_>, is_list: bool, found: &mut Findings<'_>) {
    let received = answer.received;
    let body = received.text();
    let list = serde_json::from_str::<List<'_>>(&body).ok();
    let text = if is_list { list.map(|list| list.datos.get().to_owned()) } else { Some(body) };
    if let Some(text) = text {
        let tag = received.header("ETag").unwrap_or_default();
        // The last is slow.
        let is_of_it = etag::is_md5_of(&tag, &text)
            || etag::is_digest(&tag) && may_be_respelt(&text)
            || etag::is_md5_of_usual_form(&tag, &text);
        let rule = if is_list { "conditional/etag-list" } else { "conditional/etag-book" };
        found.header(rule, is_of_it, "ETag", etag::of_text(&text));
    }
    let date = received.header("Last-Modified");
    let rule = if is_list { "conditional/last-modified-list" } else { "conditional/last-modified-book" };
    found.header(rule, date.is_some(), "Last-Modified", "the time of the answer");
    let is_date = date.is_none_or(|date| clock::parse_http_date(&date).is_some());
    let want = "a UTC date such as `Wed, 01 Jan 2025 00:00:00 GMT`";
    found.header("conditional/last-modified-form", is_date, "Last-Modified", want);
}

#[derive(serde::Deserialize)]
struct List<'a> {
    #[serde(borrow)]
    datos: &'a RawValue,
}

/// Whether the text may differ from the stored text: it has white space, escapes, decimals, or keys in another order.
fn may_be_respelt(text: &str) -> bool {
    let mut between_texts = text.split('"').step_by(2);
    text.contains('\\')
        || etag::is_respelt(text, &["titulo", "autor"])
        || between_texts.any(|numbers| numbers.contains(".0"))
}

fn unchanged(answer: &Answer<'_>, is_list: bool, found: &mut Findings<'_>) {
    let received = answer.received;
    found.whole("conditional/304-no-body", received.body.is_empty(), "none");
    groups::carries(answer, CORS, "conditional/304-cors", found);
    CORS.iter().for_each(|(name, ..)| found.once("conditional/304-cors", name));
    if let Some(Some(asked)) = answer.request_header("If-None-Match")
        && etag::is_digest(asked)
    {
        let tag = received.header("ETag");
        let is_that = tag.is_some_and(|tag| etag::bare(&tag).eq_ignore_ascii_case(etag::bare(asked)));
        found.header("conditional/304-etag", is_that, "ETag", asked);
    }
    let want = "public, max-age=300";
    let is_public = received.header("Cache-Control").is_some_and(|got| header_values::is_same_list(&got, want));
    let rule = if is_list { "conditional/304-cache-list" } else { "conditional/304-cache-book" };
    found.header(rule, is_public, "Cache-Control", want);
    let groups = BASE.iter().chain(SECURITY).chain(PAGINATION).map(|(name, ..)| *name);
    let others = ["X-API-Version", "X-API-Build", "Pragma", "Expires", "Last-Modified", "WWW-Authenticate"];
    groups.chain(others).for_each(|name| found.no_header("conditional/304-nothing-else", name));
}
