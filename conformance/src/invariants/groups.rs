//! Judges the header groups and the cache headers of an answer by its class, by the documented values. Knows no body.

use crate::contract::violation::Got;
use crate::http::header_values;
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::route::Route;

/// A header of a group: its name, value and rule.
pub(crate) type Row = (&'static str, &'static str, &'static str);

pub(crate) const BASE: &[Row] = &[
    ("X-Content-Type-Options", "nosniff", "headers/content-type-options"),
    ("X-Frame-Options", "DENY", "headers/frame-options"),
    ("X-XSS-Protection", "1; mode=block", "headers/xss-protection"),
];
pub(crate) const CORS: &[Row] = &[
    ("Access-Control-Allow-Origin", "*", "headers/cors-origin"),
    ("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD", "headers/cors-methods"),
    (
        "Access-Control-Allow-Headers",
        "Content-Type, Authorization, X-API-Version, X-Request-ID",
        "headers/cors-request-headers",
    ),
    ("Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page", "headers/cors-expose"),
    ("Access-Control-Max-Age", "86400", "headers/cors-max-age"),
];
pub(crate) const SECURITY: &[Row] = &[
    ("Strict-Transport-Security", "max-age=31536000; includeSubDomains", "headers/hsts"),
    ("Content-Security-Policy", "default-src 'self'", "headers/content-security-policy"),
    ("Referrer-Policy", "strict-origin-when-cross-origin", "headers/referrer-policy"),
    ("Permissions-Policy", "geolocation=(), microphone=()", "headers/permissions-policy"),
];
pub(crate) const NO_CACHE: &[Row] = &[
    ("Cache-Control", "no-cache, no-store, must-revalidate", "headers/no-cache-control"),
    ("Pragma", "no-cache", "headers/no-cache-pragma"),
    ("Expires", "0", "headers/no-cache-expires"),
];
/// The headers of the pagination group, and the member of the pagination object that each repeats.
pub(crate) const PAGINATION: &[(&str, &str, &str)] = &[
    ("X-Total-Count", "total", "headers/total-count"),
    ("X-Page-Count", "pages", "headers/page-count"),
    ("X-Current-Page", "page", "headers/current-page"),
    ("X-Per-Page", "limit", "headers/per-page"),
    ("X-Has-Next", "hasNext", "headers/has-next"),
    ("X-Has-Prev", "hasPrev", "headers/has-prev"),
];

/// The rule about all headers of OPTIONS.
const OPTIONS: &str = "headers/options-groups";

/// Judges the headers of an answer that the common builder makes, or of OPTIONS.
pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    if answer.route.is_of_catalogue() || answer.route == Route::Preflight {
        found.no_header("versioning/never-deprecated", "Warning");
    }
    let is_built = answer.route.is_of_catalogue()
        && !matches!(answer.status(), 304 | 401 | 500)
        && !answer.asks_for_second_factor();
    if is_built {
        let groups = if answer.status() < 400 { "headers/success-groups" } else { "headers/error-groups" };
        for group in [BASE, CORS, SECURITY] {
            carries(answer, group, groups, found);
        }
        version(answer, groups, found);
        body_headers(answer, found);
        cache(answer, found);
        let groups = BASE.iter().chain(CORS).chain(SECURITY).chain(NO_CACHE).map(|(name, ..)| *name);
        let repeatable = groups.chain(["X-API-Version", "X-API-Build", "Content-Type", "ETag"]);
        repeatable.for_each(|name| found.once("headers/override", name));
        if (answer.route, answer.status()) != (Route::ListBooks, 200) {
            PAGINATION.iter().for_each(|(name, ..)| found.no_header("headers/pagination-list-only", name));
        }
    } else if answer.route == Route::Preflight {
        for group in [CORS, SECURITY] {
            carries(answer, group, OPTIONS, found);
        }
        version(answer, OPTIONS, found);
        found.whole("routing/options-no-body", answer.received.body.is_empty(), "none");
    }
}

/// Each header has its value. A group that is absent as a whole is one violation, of the rule `groups`, about the answers that carry it.
pub(super) fn carries(answer: &Answer<'_>, group: &[Row], groups: &'static str, found: &mut Findings<'_>) {
    let received = answer.received;
    if group.len() > 1 && group.iter().all(|(name, ..)| received.header_bytes(name).is_none()) {
        let names: Vec<_> = group.iter().map(|(name, ..)| *name).collect();
        return found.need(groups, false, || ("headers".into(), names.join(", ").into(), Got::Absent));
    }
    for (name, value, rule) in group {
        let got = received.values(name);
        let holds = received.header_is(name, value);
        let rule = if groups == OPTIONS { OPTIONS } else { rule };
        found.header(rule, holds, name, *value);
        let is_spelled = !holds || *name == "Cache-Control" || got.iter().all(|got| got == value);
        found.header("headers/list-spelling", is_spelled, name, *value);
    }
}

/// The answer repeats the version label of the request, or the default; a label that is empty, repeated or not ASCII is open.
fn version(answer: &Answer<'_>, groups: &'static str, found: &mut Findings<'_>) {
    const NAME: &str = "X-API-Version";
    let received = answer.received;
    let got = received.header(NAME);
    let build = received.header("X-API-Build");
    if got.is_none() && build.is_none() {
        return found.need(groups, false, || ("headers".into(), "X-API-Version, X-API-Build".into(), Got::Absent));
    }
    let is_named = build.is_some_and(|build| !build.is_empty());
    found.header("headers/api-build", is_named, "X-API-Build", "the name of a build");
    let rule = match answer.status() {
        _ if answer.route == Route::Preflight => "versioning/echo-on-options",
        400.. => "versioning/echo-on-errors",
        _ => "versioning/echo",
    };
    match answer.request_header(NAME) {
        Some(None) => found.header("versioning/default", got.as_deref() == Some("1.0.0"), NAME, "1.0.0"),
        Some(Some(label)) if !label.trim().is_empty() && label.is_ascii() => {
            found.header(rule, got.as_deref() == Some(label.trim()), NAME, label);
        }
        _ => {}
    }
}

fn body_headers(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let received = answer.received;
    if received.body.is_empty() {
        return;
    }
    let want = "application/json; charset=utf-8";
    let is_json = received.values("Content-Type").iter().any(|got| header_values::usual_media_type(got) == want);
    found.header("headers/content-type", is_json, "Content-Type", want);
    let length = received.body.len().to_string();
    let counts = received.header("Content-Length").as_deref() == Some(length.as_str());
    found.header("headers/content-length", counts, "Content-Length", length.as_str());
}

/// The cache headers of the class. Judges Pragma and Expires only if Cache-Control has the value of the group.
fn cache(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let received = answer.received;
    let got = received.values("Cache-Control");
    let is = |want: &str| received.header_is("Cache-Control", want);
    let public = match (answer.route, answer.status()) {
        (Route::ListBooks, 200) => Some(("headers/cache-list", "public, max-age=300")),
        (Route::ReadBook, 200) => Some(("headers/cache-book", "private, max-age=60")),
        _ => None,
    };
    if let Some((rule, want)) = public {
        found.header(rule, is(want), "Cache-Control", want);
        for name in ["Pragma", "Expires"] {
            let holds = !is(want) || received.values(name).is_empty();
            found.header("headers/cached-without-pragma", holds, name, "absent");
        }
        return;
    }
    let class = match answer.status() {
        404 => "headers/cache-not-found",
        400.. => "headers/cache-error",
        _ if answer.route < Route::Register => "headers/cache-write",
        _ => "headers/cache-auth",
    };
    if !got.iter().any(|got| got.contains("no-cache")) {
        return found.header(class, false, "Cache-Control", NO_CACHE[0].1);
    }
    carries(answer, NO_CACHE, class, found);
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use libros_conformance_model::catalogue::headers as model;
    use serde_json::Value;

    use super::*;
    use crate::json::text_of;
    use crate::snapshot::headers::HEADERS;

    const DOCUMENT: &str = include_str!("../../../seeds/openapi.yaml");
    /// The document gives it with the body.
    const CONTENT_TYPE: &str = "Content-Type";

    /// The groups here and in the model share no code, so neither hides an error of the other. `tests/differential` checks the server.
    #[test]
    fn suite_and_model_have_the_header_groups_of_the_api_document() {
        let document: Value = serde_saphyr::from_str(DOCUMENT).unwrap();
        let components = &document["components"];
        let built = components["responses"]["BadRequest"]["headers"].as_object().unwrap();
        let value = |header: &Value| {
            let name = header["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
            let value = components["headers"][name]["schema"].get("const")?;
            Some(text_of(value))
        };
        let documented: BTreeMap<_, _> =
            built.iter().filter_map(|(name, header)| Some((name.clone(), value(header)?))).collect();
        let table = |rows: Vec<(&str, &str)>| -> BTreeMap<String, String> {
            let rows = rows.into_iter().filter(|(name, _)| *name != CONTENT_TYPE);
            rows.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        let of_suite = [BASE, CORS, SECURITY, NO_CACHE].concat();
        assert_eq!(table(of_suite.into_iter().map(|(name, value, _)| (name, value)).collect()), documented);
        assert_eq!(table([model::BASE, model::CORS, model::SECURITY, model::NO_CACHE].concat()), documented);
    }

    #[test]
    fn snapshots_have_the_headers_of_the_api_document() {
        let lines = DOCUMENT.lines().filter(|line| line.contains("\"#/components/headers/"));
        let documented: BTreeSet<_> = lines.filter_map(|line| line.trim().split(':').next()).collect();
        let with_body = [CONTENT_TYPE, "Content-Length"];
        let shown: BTreeSet<_> =
            HEADERS.iter().map(|(name, _)| *name).filter(|name| !with_body.contains(name)).collect();
        assert_eq!(shown, documented);
    }
}
