//! Validators: the ETag of data, and when a request already has it. Never reads If-Modified-Since.

use http::HeaderMap;
use http::header::IF_NONE_MATCH;
use md5::{Digest, Md5};

use super::answer::{Answer, Dress};

/// The ETag of a JSON text: its MD5 as 32 lower-case hex digits, without quotes.
///
/// Source: catalogue-service, "Response headers", conditional requests.
#[must_use]
pub fn etag(json: &str) -> String {
    // rule: conditional/etag-quotes
    hex::encode(Md5::digest(json))
}

/// Turns an answer into a 304 when the request names its ETag; any other answer stays as it is.
///
/// Only answers to reads have an ETag, so nothing else can turn.
// `ultimaModificacion` is absent from the collection, which is what If-Modified-Since would be compared with.
// rule: conditional/since-list, conditional/since-book, conditional/since-field, conditional/reads-only
#[must_use]
pub fn apply(answer: Answer, request: &HeaderMap) -> Answer {
    match answer.dress {
        Dress::Full {
            etag: Some(etag), ..
        } if is_named(&etag, request) => Answer::not_modified(etag),
        _ => answer,
    }
}

/// Whether If-None-Match is this ETag, letter for letter.
fn is_named(etag: &str, request: &HeaderMap) -> bool {
    let mut lines = request.get_all(IF_NONE_MATCH).iter();
    // Several lines are one list, and a list is not the ETag.
    // rule: conditional/list-match, conditional/book-match, conditional/no-match
    // rule: conditional/match-star, conditional/match-candidates
    matches!((lines.next(), lines.next()), (Some(only), None) if only.as_bytes() == etag.as_bytes())
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, StatusCode};

    use super::*;
    use crate::catalogue::answer::Cache;

    const BOOK: &str = r#"{"id":1}"#;

    fn check(lines: &[&'static str], expected: StatusCode) {
        let mut request = HeaderMap::new();
        for line in lines {
            request.append(IF_NONE_MATCH, HeaderValue::from_static(line));
        }
        let answer = Answer::ok(BOOK).kept(Cache::Private, etag(BOOK));
        assert_eq!(apply(answer, &request).status, expected, "{lines:?}");
    }

    #[test]
    fn etag_is_the_bare_md5() {
        assert_eq!(etag("[]"), "d751713988987e9331980363e24189ce");
    }

    #[test]
    fn only_the_very_etag_matches() {
        let tag = "ea5f20d6b7bd7a0d8b5b8e8e4bc2c1d8";
        check(&[], StatusCode::OK);
        check(&[tag], StatusCode::OK);
        check(&["*"], StatusCode::OK);
        let own: &'static str = Box::leak(etag(BOOK).into_boxed_str());
        check(&[own], StatusCode::NOT_MODIFIED);
        check(&[own, own], StatusCode::OK);
        check(
            &[Box::leak(format!("\"{own}\"").into_boxed_str())],
            StatusCode::OK,
        );
        check(
            &[Box::leak(format!("{own}, x").into_boxed_str())],
            StatusCode::OK,
        );
        check(
            &[Box::leak(format!("W/{own}").into_boxed_str())],
            StatusCode::OK,
        );
    }

    #[test]
    fn an_answer_without_etag_never_turns() {
        let mut request = HeaderMap::new();
        request.append(IF_NONE_MATCH, HeaderValue::from_static("*"));
        assert_eq!(
            apply(Answer::created(BOOK), &request).status,
            StatusCode::CREATED
        );
    }
}
