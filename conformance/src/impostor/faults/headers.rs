//! Faults that break rules of the chapter headers.

use super::Fault;
use crate::impostor::http::{Reply, Request};

pub(crate) const FAULTS: &[Fault] = faults! {
    "options-lacks-cors" breaks "headers/options-groups": "OPTIONS answers without CORS headers.";
    "options-cors-needs-origin" breaks "headers/options-groups": "OPTIONS without an Origin answers without CORS headers.";
    "options-lacks-version" breaks "headers/options-groups": "OPTIONS answers without version headers.";
    "options-has-content-type" breaks "headers/options-bare": "OPTIONS answers with a Content-Type.";
    "options-has-base" breaks "headers/options-bare": "OPTIONS answers with X-Frame-Options.";
    "options-has-cache" breaks "headers/options-bare": "OPTIONS answers with the no-cache group.";
    "options-lacks-security" breaks "headers/options-groups": "OPTIONS answers without security headers.";
    "content-type-lacks-charset" breaks "headers/content-type": "Content-Type has no charset.";
    "content-type-options-missing" breaks "headers/content-type-options": "X-Content-Type-Options is missing.";
    "frame-options-sameorigin" breaks "headers/frame-options": "X-Frame-Options is SAMEORIGIN.";
    "xss-protection-off" breaks "headers/xss-protection": "X-XSS-Protection is 0.";
    "cors-origin-null" breaks "headers/cors-origin": "Access-Control-Allow-Origin is null.";
    "cors-methods-lack-patch" breaks "headers/cors-methods": "Access-Control-Allow-Methods lacks PATCH.";
    "cors-headers-allow-the-key" breaks "headers/cors-request-headers": "Access-Control-Allow-Headers has X-API-Key too.";
    "cors-exposes-all-pagination" breaks "headers/cors-expose": "Access-Control-Expose-Headers has X-Per-Page too.";
    "cors-max-age-an-hour" breaks "headers/cors-max-age": "Access-Control-Max-Age is 3600.";
    "hsts-without-subdomains" breaks "headers/hsts": "Strict-Transport-Security lacks includeSubDomains.";
    "content-security-policy-none" breaks "headers/content-security-policy": "Content-Security-Policy is default-src 'none'.";
    "referrer-policy-no-referrer" breaks "headers/referrer-policy": "Referrer-Policy is no-referrer.";
    "permissions-policy-adds-camera" breaks "headers/permissions-policy": "Permissions-Policy names the camera too.";
    "no-cache-control-shortened" breaks "headers/no-cache-control": "Cache-Control of the no-cache group says no-cache only.";
    "no-cache-pragma-missing" breaks "headers/no-cache-pragma": "The no-cache group lacks Pragma.";
    "no-cache-expires-minus-1" breaks "headers/no-cache-expires": "Expires of the no-cache group is -1.";
    "list-cached-for-60" breaks "headers/cache-list": "A list may be cached for 60 seconds only.";
    "book-cached-publicly" breaks "headers/cache-book": "A single book may be cached publicly.";
    "book-cached-for-300" breaks "headers/cache-book": "A single book may be cached for 300 seconds.";
    "writes-cached" breaks "headers/cache-write": "Answers to writes may be cached.";
    "auth-answers-cached" breaks "headers/cache-auth": "Answers of /auth and /2fa may be cached.";
    "unknown-book-cached" breaks "headers/cache-not-found": "The 404 of a book may be cached.";
    "unknown-path-cached" breaks "headers/cache-not-found": "The 404 of an unknown path may be cached.";
    "errors-cached" breaks "headers/cache-error": "400 and 405 may be cached.";
    "cached-with-pragma" breaks "headers/cached-without-pragma": "A cached answer has Pragma no-cache.";
    "cached-with-expires" breaks "headers/cached-without-pragma": "A cached answer has Expires 0.";
    "total-count-of-the-page" breaks "headers/total-count": "X-Total-Count counts the items of the page.";
    "page-count-is-total" breaks "headers/page-count": "X-Page-Count is the total.";
    "current-page-from-0" breaks "headers/current-page": "X-Current-Page counts from 0.";
    "per-page-is-shown" breaks "headers/per-page": "X-Per-Page is the number of items on the page.";
    "has-next-as-bit" breaks "headers/has-next": "X-Has-Next is 1 or 0.";
    "has-prev-as-bit" breaks "headers/has-prev": "X-Has-Prev is 1 or 0.";
    "pagination-headers-on-single-reads" breaks "headers/pagination-list-only": "Other answers than lists carry X-Total-Count.";
    "rate-limit-policy-without-window" breaks "headers/rate-limit-policy": "Rate-limit headers are sent, and X-RateLimit-Policy lacks its window.";
    "custom-headers-added-twice" breaks "headers/override": "A later group adds its headers instead of replacing earlier ones: a 401 has two Content-Types.";
    "created-lacks-security" breaks "headers/success-groups": "A 201 lacks the security group.";
    "deleted-lacks-cors" breaks "headers/delete-groups": "A 204 lacks the CORS group.";
    "reads-lack-cors" breaks "headers/success-groups": "Answers to GET lack the CORS group.";
    "successes-lack-security" breaks "headers/success-groups": "A 200 lacks the security group.";
    "not-found-lacks-security" breaks "headers/error-groups": "A 404 lacks the security group.";
    "not-allowed-lacks-security" breaks "headers/error-groups": "A 405 lacks the security group.";
    "errors-lack-cors" breaks "headers/error-groups": "Errors lack the CORS group.";
    "bad-requests-lack-base" breaks "headers/error-groups": "A 400 lacks the base group.";
    "content-length-counts-characters" breaks "headers/content-length": "Content-Length counts characters, so that texts beyond ASCII are cut off.";
    "bodies-chunked" breaks "headers/content-length": "Bodies go out in chunks, without Content-Length.";
    "request-id-in-header" breaks "headers/request-id-unseen": "X-Request-ID comes back in a header." => reply |request, reply| echo_request_id(request, reply);
    "request-id-in-errors" breaks "headers/request-id-unseen": "X-Request-ID comes back in the body of a 4xx.";
    "accept-refused" breaks "headers/request-accept": "Accept of another media type answers 406.";
    "claims-gzip" breaks "headers/request-accept-encoding": "Where gzip is accepted the answer says Content-Encoding gzip.";
    "no-cache-request-skips-304" breaks "headers/request-cache-control": "Cache-Control no-cache of the request keeps it from a 304.";
    "request-names-in-capitals-unread" breaks "headers/request-names-any-case": "Header names in capitals are not recognised.";
};

fn echo_request_id(request: &Request, reply: &mut Reply) {
    if let Some(id) = request.header("x-request-id") {
        reply.set("X-Request-ID", &id);
    }
}
