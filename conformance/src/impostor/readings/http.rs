//! Permitted readings other than the reference's: paths, header groups, validators, error bodies, version labels.

use super::Reading;

pub(crate) const READINGS: &[Reading] = readings! {
    "etag-quoted" by "conditional/etag-quotes": "The ETag stands in double quotes.";
    "if-none-match-as-http" by "conditional/match-candidates" "conditional/match-star": "If-None-Match takes lists, weak tags and the asterisk.";
    "modification-field-honoured" by "conditional/since-field": "If-Modified-Since heeds a field ultimaModificacion.";
    "401-with-charset" by "errors/401-content-type": "Content-Type of a 401 names the charset.";
    "any-json-is-an-object" by "errors/body-not-object": "JSON that is no object counts as an object without fields.";
    "byte-order-mark-skipped" by "errors/byte-order-mark": "A byte order mark is skipped.";
    "empty-body-is-empty-object" by "errors/empty-body": "An empty body counts as an object without fields.";
    "invalid-utf8-replaced" by "errors/invalid-utf8": "Bytes that are not UTF-8 are replaced.";
    "other-content-types-refused" by "errors/request-content-type": "A Content-Type other than JSON is refused.";
    "realm-quoted" by "errors/401-realm": "The realm stands in double quotes.";
    "401-bare" by "headers/denied-groups": "A 401 carries Content-Type and WWW-Authenticate alone.";
    "build-named-otherwise" by "headers/api-build": "The build has a name of its own.";
    "deleted-without-content-type" by "headers/delete-groups": "The 204 of a delete has no Content-Type.";
    "rate-limit-told" by "headers/rate-limit": "Answers to API keys carry the rate-limit headers.";
    "absolute-form-unknown" by "routing/absolute-form": "A request target in absolute form is an unknown path.";
    "auth-wrong-method-is-405" by "routing/auth-wrong-method": "A known /auth path answers 405 to another method.";
    "empty-segments-kept" by "routing/empty-segments": "An empty segment is the second one.";
    "head-elsewhere-is-405" by "routing/head-elsewhere": "HEAD outside of the books answers 405.";
    "paths-decoded" by "routing/path-percent-encoded": "Paths are percent-decoded before routing.";
    "paths-normalised" by "routing/path-as-sent": "Paths are normalised before routing.";
    "trailing-slash-passes" by "routing/trailing-slash-elsewhere": "A slash after an /auth or /2fa path is passed over.";
    "empty-label-echoed" by "versioning/empty-label": "An empty X-API-Version comes back empty.";
    "last-label-line-counts" by "versioning/several-lines": "Of several X-API-Version lines the last comes back.";
};
