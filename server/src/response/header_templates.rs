//! Gives responses their headers: the header groups in the documents' order, later ones over earlier ones.
//!
//! A response gets a clone of a ready map, and sets only the headers that change from one to the next. Handlers do not use this.

use std::sync::atomic::Ordering;

use bytes::Bytes;
use http::header::{ETAG, LAST_MODIFIED};
use http::{HeaderMap, HeaderName, HeaderValue};

use super::content::{HeaderProfile, ListHeaders, Response};
use super::header_groups::{BARE, BASE, CORS, DENIED, Group, NO_CACHE, PRIVATE, PUBLIC, SECURITY};
use super::once_a_second::OnceASecond;
use crate::message::Reply;
use libros_server_query::json;
use libros_server_system::clock::Timestamp;

const API_VERSION: HeaderName = HeaderName::from_static("x-api-version");
const API_BUILD: HeaderName = HeaderName::from_static("x-api-build");
const TOTAL_COUNT: HeaderName = HeaderName::from_static("x-total-count");
const PAGE_COUNT: HeaderName = HeaderName::from_static("x-page-count");
const CURRENT_PAGE: HeaderName = HeaderName::from_static("x-current-page");
const PER_PAGE: HeaderName = HeaderName::from_static("x-per-page");
const HAS_NEXT: HeaderName = HeaderName::from_static("x-has-next");
const HAS_PREV: HeaderName = HeaderName::from_static("x-has-prev");
const VERSION_DEFAULT: &str = "1.0.0";

/// Headers of a list that the template leaves empty ...
static LIST_OWN: [HeaderName; 8] =
    [TOTAL_COUNT, PAGE_COUNT, CURRENT_PAGE, PER_PAGE, HAS_NEXT, HAS_PREV, ETAG, LAST_MODIFIED];
/// ... and those of a book.
static BOOK_OWN: [HeaderName; 2] = [ETAG, LAST_MODIFIED];

/// One ready map for each shape of answer.
#[derive(Debug)]
pub(crate) struct HeaderTemplates {
    no_cache: HeaderMap,
    list: HeaderMap,
    book: HeaderMap,
    denied: HeaderMap,
    preflight: HeaderMap,
    not_modified: HeaderMap,
    bare: HeaderMap,
    dates: OnceASecond<HeaderValue>,
    /// `book` with the time.
    dated_book: OnceASecond<HeaderMap>,
}

impl HeaderTemplates {
    /// Lays the groups over each other; `build` is the value of X-API-Build.
    pub(crate) fn new(build: &HeaderValue) -> Self {
        // rule: headers/success-groups, headers/error-groups
        let builder = |last: &[&Group]| over(&[&[&BASE[..], &CORS[..]], last].concat(), build);
        Self {
            // rule: headers/cache-write, headers/cache-auth, headers/cache-not-found, headers/cache-error
            no_cache: builder(&[&SECURITY, &NO_CACHE]),
            // rule: headers/pagination-list-only
            list: with_places_for(builder(&[&SECURITY, &PUBLIC]), &LIST_OWN),
            book: with_places_for(builder(&[&SECURITY, &PRIVATE]), &BOOK_OWN),
            denied: builder(&[&SECURITY, &NO_CACHE, &DENIED]),
            // rule: headers/options-groups
            preflight: over(&[&CORS, &SECURITY], build),
            // Public, even if the 200 is private.
            // rule: conditional/304-cors, conditional/304-cache-list, conditional/304-cache-book, conditional/304-nothing-else
            not_modified: laid(&[&CORS, &PUBLIC]),
            bare: laid(&[&BARE]),
            dates: OnceASecond::default(),
            dated_book: OnceASecond::default(),
        }
    }

    /// The answer with its headers, which echo the version label of the request.
    pub(crate) fn fill(&self, response: Response, request: &HeaderMap, now: Timestamp) -> Reply {
        let is_labelled = !matches!(response.profile, HeaderProfile::NotModified { .. } | HeaderProfile::Bare);
        let mut headers = match response.profile {
            HeaderProfile::NoCache => self.no_cache.clone(),
            HeaderProfile::List(list) => {
                // rule: conditional/last-modified-list
                let laid_out_now = || self.with_time(lay_out(&self.list, &list), now);
                if list.answered.load(Ordering::Relaxed) {
                    list.laid_out.at(now, laid_out_now)
                } else {
                    // Most lists are answered only once.
                    list.answered.store(true, Ordering::Relaxed);
                    laid_out_now()
                }
            }
            HeaderProfile::Book { etag } => {
                // rule: conditional/last-modified-book
                let mut headers = self.dated_book.at(now, || self.with_time(self.book.clone(), now));
                headers.insert(ETAG, etag);
                headers
            }
            HeaderProfile::Denied => self.denied.clone(),
            HeaderProfile::Preflight => self.preflight.clone(),
            HeaderProfile::NotModified { etag } => {
                let mut headers = self.not_modified.clone();
                // rule: conditional/304-etag
                headers.insert(ETAG, etag);
                headers
            }
            HeaderProfile::Bare => self.bare.clone(),
        };
        // rule: versioning/echo-on-errors, versioning/echo-on-options
        if let Some(label) = version(request).filter(|_| is_labelled) {
            headers.insert(API_VERSION, label);
        }
        Reply { status: response.status, headers, body: response.body.unwrap_or_default() }
    }

    /// With the time of the answer, not one of the data's own.
    fn with_time(&self, mut headers: HeaderMap, now: Timestamp) -> HeaderMap {
        // rule: conditional/last-modified-form
        headers.insert(LAST_MODIFIED, self.dates.at(now, || ready(now.http_date())));
        headers
    }
}

/// Merges the groups in this order: a later one replaces headers of an earlier one. Adds the version group, whose place in the order does
/// not matter: no other group names its headers.
fn over(groups: &[&Group], build: &HeaderValue) -> HeaderMap {
    let mut headers = laid(groups);
    // rule: versioning/default
    headers.insert(API_VERSION, HeaderValue::from_static(VERSION_DEFAULT));
    // rule: headers/api-build
    headers.insert(API_BUILD, build.clone());
    headers
}

fn laid(groups: &[&Group]) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(32);
    for (name, value) in groups.iter().copied().flatten() {
        // rule: headers/override
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
}

/// Adds empty values for the headers of each response, so that a copy need not grow.
fn with_places_for(mut template: HeaderMap, own: &[HeaderName]) -> HeaderMap {
    for name in own {
        template.insert(name, HeaderValue::from_static(""));
    }
    template
}

/// The version label of the request, unchecked; `None` for the default.
fn version(request: &HeaderMap) -> Option<HeaderValue> {
    let mut lines = request.get_all(API_VERSION).iter();
    let first = lines.next()?;
    if lines.next().is_none() {
        // rule: versioning/echo, versioning/no-validation, versioning/label-no-effect, versioning/empty-label, versioning/echo-beyond-ascii
        return (!first.is_empty()).then(|| first.clone());
    }
    // rule: versioning/several-lines
    let all: Vec<&[u8]> = request.get_all(API_VERSION).iter().map(HeaderValue::as_bytes).collect();
    HeaderValue::from_maybe_shared(Bytes::from(all.join(&b", "[..]))).ok()
}

/// The headers of one list, but for the time and the version label.
fn lay_out(template: &HeaderMap, list: &ListHeaders) -> HeaderMap {
    let ListHeaders { etag, page, .. } = list;
    let truth = |value| HeaderValue::from_static(if value { "true" } else { "false" });
    let mut headers = template.clone();
    // rule: headers/total-count
    headers.insert(TOTAL_COUNT, HeaderValue::from(page.total));
    // rule: headers/page-count
    headers.insert(PAGE_COUNT, HeaderValue::from(page.pages));
    let mut current = String::new();
    json::write_number_to(&mut current, page.page);
    // rule: headers/current-page
    headers.insert(CURRENT_PAGE, ready(current));
    // rule: headers/per-page
    headers.insert(PER_PAGE, HeaderValue::from(page.limit));
    // rule: headers/has-next
    headers.insert(HAS_NEXT, truth(page.has_next));
    // rule: headers/has-prev
    headers.insert(HAS_PREV, truth(page.has_prev));
    headers.insert(ETAG, etag.clone());
    headers
}

/// A text of the service's own making (digits) as a header value.
fn ready(text: String) -> HeaderValue {
    HeaderValue::from_maybe_shared(Bytes::from(text)).unwrap_or(HeaderValue::from_static(""))
}
