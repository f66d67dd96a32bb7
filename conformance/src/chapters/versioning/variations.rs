//! Variations of the chapter versioning.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "version-default-is-2" breaks "versioning/default": "X-API-Version is 2.0.0 in the answer to a request without it."
        => reply |request, reply| if !has_label(request) { change_version(reply, |_| "2.0.0".to_owned()) };
    "version-default-missing" breaks "versioning/default": "X-API-Version is absent in the answer to a request without it."
        => reply |request, reply| if !has_label(request) { reply.remove("X-API-Version") };
    "version-not-echoed" breaks "versioning/echo": "X-API-Version of the answer is always the default."
        => reply |_request, reply| change_version(reply, |_| DEFAULT_LABEL.to_owned());
    "version-echo-first-of-list" breaks "versioning/echo": "Only the part of X-API-Version before a comma is echoed."
        => reply |_request, reply| change_version(reply, |label| label.split(',').next().unwrap_or(DEFAULT_LABEL).to_owned());
    "version-echo-lower-case" breaks "versioning/echo": "X-API-Version is echoed in lower case."
        => reply |_request, reply| change_version(reply, str::to_lowercase);
    "version-validated" breaks "versioning/no-validation": "An X-API-Version that is not a version answers 400."
        => reply |request, reply| if from_builder(reply) && !names_version(request) { refuse(reply, 400, "Unknown API version") };
    "errors-say-default-version" breaks "versioning/echo-on-errors": "X-API-Version of an error is the default, not the one sent."
        => reply |_request, reply| if reply.status >= 400 { change_version(reply, |_| DEFAULT_LABEL.to_owned()) };
    "two-factor-404-says-default-version" breaks "versioning/echo-on-errors": "X-API-Version of a 404 below /2fa/ is the default, not the one sent."
        => reply |request, reply| if of_two_factor(request) && reply.status == 404 { change_version(reply, |_| DEFAULT_LABEL.to_owned()) };
    "options-says-default-version" breaks "versioning/echo-on-options": "X-API-Version of an OPTIONS answer is the default, not the one sent."
        => reply |request, reply| if request.method == "OPTIONS" { change_version(reply, |_| DEFAULT_LABEL.to_owned()) };
    "preflight-lacks-version" breaks "versioning/echo-on-options": "A preflight OPTIONS answers without X-API-Version."
        => reply |request, reply| if request.method == "OPTIONS" && is_preflight(request) { reply.remove("X-API-Version") };
    "warns-of-other-versions" breaks "versioning/never-deprecated": "An X-API-Version other than 1.0.0 is answered with a Warning header."
        => reply |_request, reply| {
            if reply.header("X-API-Version").is_some_and(|label| label != DEFAULT_LABEL) {
                reply.set("Warning", "299 - \"This API version is deprecated\"");
            }
        };
    "version-segment-accepted" breaks "versioning/no-path-segment": "A version segment before a path is skipped: /v1/libros is /libros."
        => request |request| skip_segment(request, "/v1");
    "label-in-another-encoding" by "versioning/echo-beyond-ascii": "An X-API-Version beyond ASCII is read as Latin-1 and echoed as UTF-8."
        => reply |_request, reply| change_version(reply, |label| label.bytes().map(char::from).collect());
    "label-cut-to-ascii" by "versioning/echo-beyond-ascii": "An X-API-Version beyond ASCII is echoed with question marks."
        => reply |_request, reply| change_version(reply, |label| label.replace(|letter: char| !letter.is_ascii(), "?"));
    "label-beyond-ascii-refused" by "versioning/echo-beyond-ascii": "An X-API-Version beyond ASCII answers 400."
        => reply |request, reply| if from_builder(reply) && has_label_beyond_ascii(request) { refuse(reply, 400, "Unreadable header") };
    "label-beyond-ascii-passed-over" by "versioning/echo-beyond-ascii": "An X-API-Version beyond ASCII counts as absent."
        => request |request| if has_label_beyond_ascii(request) { request.remove("X-API-Version") };
    "empty-label-echoed" by "versioning/empty-label": "An empty X-API-Version comes back empty."
        => reply |request, reply| if request.header("x-api-version").is_some_and(|label| label.is_empty()) && from_catalogue(reply) { reply.set("X-API-Version", "") };
    "last-label-line-counts" by "versioning/several-lines": "Only the last of several X-API-Version lines is echoed."
        => request |request| {
            if let Some(last) = request.headers.iter().rfind(|(name, _)| name.eq_ignore_ascii_case("x-api-version")).cloned() {
                request.remove("X-API-Version");
                request.headers.push(last);
            }
        };
};

const DEFAULT_LABEL: &str = "1.0.0";

fn has_label(request: &Request) -> bool {
    request.header("x-api-version").is_some_and(|label| !label.is_empty())
}

fn change_version(reply: &mut Reply, change: fn(&str) -> String) {
    if let Some(label) = reply.header("X-API-Version").map(change) {
        reply.set("X-API-Version", &label);
    }
}

/// Whether the label, if there is one, consists of numbers and dots.
fn names_version(request: &Request) -> bool {
    let label = request.header("x-api-version").filter(|label| !label.is_empty());
    label.is_none_or(|label| label.split('.').all(|part| js::parse_int(part).is_some()))
}

fn has_label_beyond_ascii(request: &Request) -> bool {
    request.header("x-api-version").is_some_and(|label| !label.is_ascii())
}
