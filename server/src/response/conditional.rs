//! Validators: the ETag of data, and when a request already has it. Never reads If-Modified-Since.

use http::header::IF_NONE_MATCH;
use http::{HeaderMap, HeaderValue, StatusCode};
use md5::{Digest, Md5};

use super::content::{HeaderProfile, Response};

pub(crate) fn digest(json: &str) -> [u8; 16] {
    Md5::digest(json).into()
}

/// The ETag of a JSON text with this MD5: 32 lower-case hex digits, without quotes. Source: catalogue-service, "Response headers", conditional requests.
pub(crate) fn etag(digest: [u8; 16]) -> HeaderValue {
    let mut digits = [0; 32];
    // Neither can fail: the lengths agree, and hex digits are visible ASCII.
    _ = hex::encode_to_slice(digest, &mut digits);
    // rule: conditional/etag-quotes
    HeaderValue::from_bytes(&digits).unwrap_or(HeaderValue::from_static(""))
}

/// Turns an answer into a 304 if the request names its ETag. Only answers to reads have one.
pub(crate) fn apply(response: Response, request: &HeaderMap) -> Response {
    let etag = match &response.profile {
        HeaderProfile::List(headers) => &headers.etag,
        HeaderProfile::Book { etag } => etag,
        _ => return response,
    };
    // `ultimaModificacion` is absent from the collection, which is what If-Modified-Since would be compared with.
    // rule: conditional/since-list, conditional/since-book, conditional/since-field, conditional/reads-only
    let mut lines = request.get_all(IF_NONE_MATCH).iter();
    // Letter for letter. Several lines are one list, and a list is not the ETag.
    // rule: conditional/list-match, conditional/book-match, conditional/no-match, conditional/match-star, conditional/match-candidates
    if !matches!((lines.next(), lines.next()), (Some(only), None) if only == etag) {
        return response;
    }
    // rule: conditional/304-no-body
    let profile = HeaderProfile::NotModified { etag: etag.clone() };
    Response { status: StatusCode::NOT_MODIFIED, body: None, profile }
}
