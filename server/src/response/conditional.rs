//! Validators: the ETag of data, and when a request already has it. Never reads If-Modified-Since.

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue};
use md5::{Digest, Md5};

use super::content::{HeaderProfile, Response};

/// The MD5 of a JSON text.
#[must_use]
pub(crate) fn digest(json: &str) -> [u8; 16] {
    Md5::digest(json).into()
}

/// The ETag of a JSON text with this MD5: 32 lower-case hex digits, without quotes.
///
/// Source: catalogue-service, "Response headers", conditional requests.
#[must_use]
pub(crate) fn etag(digest: [u8; 16]) -> HeaderValue {
    let mut digits = [0; 32];
    // Neither can fail: the lengths agree, and hex digits are visible ASCII.
    _ = hex::encode_to_slice(digest, &mut digits);
    // rule: conditional/etag-quotes
    HeaderValue::from_bytes(&digits).unwrap_or(HeaderValue::from_static(""))
}

/// Turns an answer into a 304 when the request names its ETag; any other answer stays as it is.
///
/// Only answers to reads have an ETag, so nothing else can turn.
#[must_use]
pub(crate) fn apply(response: Response, request: &HeaderMap) -> Response {
    let etag = match &response.profile {
        HeaderProfile::List(headers) => &headers.etag,
        HeaderProfile::Book { etag } => etag,
        _ => return response,
    };
    // `ultimaModificacion` is absent from the collection, which is what If-Modified-Since would be compared with.
    // rule: conditional/since-list, conditional/since-book, conditional/since-field, conditional/reads-only
    if is_named(etag, request) { Response::not_modified(etag.clone()) } else { response }
}

/// Whether If-None-Match is this ETag, letter for letter.
fn is_named(etag: &HeaderValue, request: &HeaderMap) -> bool {
    let mut lines = request.get_all(IF_NONE_MATCH).iter();
    // Several lines are one list, and a list is not the ETag.
    // rule: conditional/list-match, conditional/book-match, conditional/no-match
    // rule: conditional/match-star, conditional/match-candidates
    matches!((lines.next(), lines.next()), (Some(only), None) if only == etag)
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, StatusCode};

    use super::*;

    const BOOK: &str = r#"{"id":1}"#;

    fn check(lines: &[&str], expected: StatusCode) {
        let mut request = HeaderMap::new();
        for line in lines {
            let line = HeaderValue::from_str(line).expect("a header value");
            request.append(IF_NONE_MATCH, line);
        }
        let answer = Response::book(BOOK, etag(digest(BOOK)));
        assert_eq!(apply(answer, &request).status, expected, "{lines:?}");
    }

    #[test]
    fn etag_is_the_bare_md5() {
        assert_eq!(etag(digest("[]")), "d751713988987e9331980363e24189ce");
    }

    #[test]
    fn only_the_very_etag_matches() {
        let of = |json: &str| hex::encode(digest(json));
        let own = of(BOOK);
        check(&[], StatusCode::OK);
        check(&[&own], StatusCode::NOT_MODIFIED);
        check(&["*"], StatusCode::OK);
        check(&[&of("{}")], StatusCode::OK);
        check(&[&own.to_uppercase()], StatusCode::OK);
        check(&[&format!("\"{own}\"")], StatusCode::OK);
        check(&[&format!("W/{own}")], StatusCode::OK);
        check(&[&format!("{own}, x")], StatusCode::OK);
        check(&[&own, &own], StatusCode::OK);
    }

    #[test]
    fn an_answer_without_etag_never_turns() {
        let mut request = HeaderMap::new();
        request.append(IF_NONE_MATCH, HeaderValue::from_static("*"));
        assert_eq!(apply(Response::created(BOOK), &request).status, StatusCode::CREATED);
    }
}
