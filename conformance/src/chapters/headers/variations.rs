//! Variations of the chapter headers.

use libros_conformance_model::catalogue::headers::{BASE, CORS, Header, NO_CACHE, SECURITY, add_group};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "options-lacks-cors" breaks "headers/options-groups": "OPTIONS answers without CORS headers."
        => reply |request, reply| if is_options(request, reply) { remove_group(reply, CORS) };
    "options-cors-needs-origin" breaks "headers/options-groups": "OPTIONS without an Origin answers without CORS headers."
        => reply |request, reply| if is_options(request, reply) && request.header("origin").is_none() { remove_group(reply, CORS) };
    "options-lacks-version" breaks "headers/options-groups": "OPTIONS answers without version headers."
        => reply |request, reply| if is_options(request, reply) {
            reply.remove("X-API-Version");
            reply.remove("X-API-Build");
        };
    "options-lacks-security" breaks "headers/options-groups": "OPTIONS answers without security headers."
        => reply |request, reply| if is_options(request, reply) { remove_group(reply, SECURITY) };
    "preflight-lacks-security" breaks "headers/options-groups": "A preflight OPTIONS answers without security headers."
        => reply |request, reply| if is_options(request, reply) && is_preflight(request) { remove_group(reply, SECURITY) };
    "content-type-lacks-charset" breaks "headers/content-type": "Content-Type has no charset."
        => reply |_request, reply| revalue(reply, "Content-Type", "application/json");
    "content-type-options-missing" breaks "headers/content-type-options": "X-Content-Type-Options is missing."
        => reply |_request, reply| reply.remove("X-Content-Type-Options");
    "frame-options-sameorigin" breaks "headers/frame-options": "X-Frame-Options is SAMEORIGIN."
        => reply |_request, reply| revalue(reply, "X-Frame-Options", "SAMEORIGIN");
    "xss-protection-off" breaks "headers/xss-protection": "X-XSS-Protection is 0."
        => reply |_request, reply| revalue(reply, "X-XSS-Protection", "0");
    "cors-origin-null" breaks "headers/cors-origin": "Access-Control-Allow-Origin is null."
        => reply |_request, reply| revalue(reply, "Access-Control-Allow-Origin", "null");
    "cors-methods-lack-patch" breaks "headers/cors-methods": "Access-Control-Allow-Methods lacks PATCH."
        => reply |_request, reply| revalue(reply, "Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS, HEAD");
    "cors-headers-allow-the-key" breaks "headers/cors-request-headers": "Access-Control-Allow-Headers also names X-API-Key."
        => reply |_request, reply| revalue(reply, "Access-Control-Allow-Headers", "Content-Type, Authorization, X-API-Version, X-Request-ID, X-API-Key");
    "cors-exposes-all-pagination" breaks "headers/cors-expose": "Access-Control-Expose-Headers also names X-Per-Page."
        => reply |_request, reply| revalue(reply, "Access-Control-Expose-Headers", "X-Total-Count, X-Page-Count, X-Current-Page, X-Per-Page");
    "cors-max-age-an-hour" breaks "headers/cors-max-age": "Access-Control-Max-Age is 3600."
        => reply |_request, reply| revalue(reply, "Access-Control-Max-Age", "3600");
    "hsts-without-subdomains" breaks "headers/hsts": "Strict-Transport-Security lacks includeSubDomains."
        => reply |_request, reply| revalue(reply, "Strict-Transport-Security", "max-age=31536000");
    "content-security-policy-none" breaks "headers/content-security-policy": "Content-Security-Policy is default-src 'none'."
        => reply |_request, reply| revalue(reply, "Content-Security-Policy", "default-src 'none'");
    "referrer-policy-no-referrer" breaks "headers/referrer-policy": "Referrer-Policy is no-referrer."
        => reply |_request, reply| revalue(reply, "Referrer-Policy", "no-referrer");
    "permissions-policy-adds-camera" breaks "headers/permissions-policy": "Permissions-Policy also names the camera."
        => reply |_request, reply| revalue(reply, "Permissions-Policy", "geolocation=(), microphone=(), camera=()");
    "no-cache-control-shortened" breaks "headers/no-cache-control": "Cache-Control of the no-cache group is only no-cache."
        => reply |_request, reply| revalue(reply, "Cache-Control", "no-cache");
    "no-cache-pragma-missing" breaks "headers/no-cache-pragma": "The no-cache group lacks Pragma."
        => reply |_request, reply| reply.remove("Pragma");
    "no-cache-expires-minus-1" breaks "headers/no-cache-expires": "Expires of the no-cache group is -1."
        => reply |_request, reply| revalue(reply, "Expires", "-1");
    "not-allowed-lacks-expires" breaks "headers/no-cache-expires": "A 405 lacks Expires."
        => reply |_request, reply| if reply.status == 405 { reply.remove("Expires") };
    "list-cached-for-60" breaks "headers/cache-list": "Cache-Control of a list allows only 60 seconds."
        => reply |_request, reply| if shows_list(reply) { reply.set("Cache-Control", "public, max-age=60") };
    "book-cached-publicly" breaks "headers/cache-book": "A single book may be cached publicly."
        => reply |_request, reply| if shows_book(reply) { reply.set("Cache-Control", "public, max-age=60") };
    "book-cached-for-300" breaks "headers/cache-book": "A single book may be cached for 300 seconds."
        => reply |_request, reply| if shows_book(reply) { reply.set("Cache-Control", "private, max-age=300") };
    "writes-cached" breaks "headers/cache-write": "Answers to writes may be cached."
        => reply |request, reply| if of_books(request) && matches!(reply.status, 200 | 201) { cache(reply, "private, max-age=60") };
    "auth-answers-cached" breaks "headers/cache-auth": "Answers of /auth and /2fa may be cached."
        => reply |request, reply| if !of_books(request) && reply.status == 200 { cache(reply, "private, max-age=60") };
    "unknown-book-cached" breaks "headers/cache-not-found": "The 404 of a book may be cached."
        => reply |request, reply| if of_books(request) && request.method == "GET" && reply.status == 404 { cache(reply, "private, max-age=60") };
    "unknown-path-cached" breaks "headers/cache-not-found": "The 404 of an unknown path may be cached."
        => reply |request, reply| if !of_catalogue(request) && reply.status == 404 { cache(reply, "public, max-age=300") };
    "errors-cached" breaks "headers/cache-error": "A 400 or 405 may be cached."
        => reply |_request, reply| if matches!(reply.status, 400 | 405) { cache(reply, "public, max-age=300") };
    "cached-with-pragma" breaks "headers/cached-without-pragma": "A cached answer has Pragma no-cache."
        => reply |_request, reply| if shows_list(reply) || shows_book(reply) { reply.set("Pragma", "no-cache") };
    "cached-with-expires" breaks "headers/cached-without-pragma": "A cached answer has Expires 0."
        => reply |_request, reply| if shows_list(reply) || shows_book(reply) { reply.set("Expires", "0") };
    "total-count-of-the-page" breaks "headers/total-count": "X-Total-Count counts only the items of the page."
        => reply |_request, reply| if shows_list(reply) { reply.set("X-Total-Count", &shown(reply)) };
    "page-count-is-total" breaks "headers/page-count": "X-Page-Count is the total of items."
        => reply |_request, reply| if shows_list(reply) { reply.set("X-Page-Count", &value(reply, "X-Total-Count")) };
    "current-page-from-0" breaks "headers/current-page": "X-Current-Page counts from 0."
        => reply |_request, reply| if shows_list(reply) {
            let page = js::to_number(&value(reply, "X-Current-Page"));
            reply.set("X-Current-Page", &js::number_text(page - 1.0));
        };
    "per-page-is-shown" breaks "headers/per-page": "X-Per-Page is the number of items on the page."
        => reply |_request, reply| if shows_list(reply) { reply.set("X-Per-Page", &shown(reply)) };
    "has-next-as-bit" breaks "headers/has-next": "X-Has-Next is 1 or 0 instead of true or false."
        => reply |_request, reply| if shows_list(reply) { say_as_bit(reply, "X-Has-Next") };
    "has-prev-as-bit" breaks "headers/has-prev": "X-Has-Prev is 1 or 0 instead of true or false."
        => reply |_request, reply| if shows_list(reply) { say_as_bit(reply, "X-Has-Prev") };
    "pagination-headers-on-single-reads" breaks "headers/pagination-list-only": "Answers other than lists carry X-Total-Count."
        => reply |_request, reply| if from_builder(reply) && reply.status == 200 && !shows_list(reply) { reply.set("X-Total-Count", "1") };
    "rate-limit-policy-without-window" breaks "headers/rate-limit-policy": "Rate-limit headers are sent, and X-RateLimit-Policy lacks its window."
        => reply |request, reply| if from_builder(reply) && request.header("x-api-key").is_some() {
            add_group(reply, &RATE_LIMIT);
            reply.set("X-RateLimit-Policy", "1000");
        };
    "custom-headers-added-twice" breaks "headers/override": "A later group adds its headers instead of replacing earlier ones: a 401 has two Content-Types."
        => reply |_request, reply| if reply.status == 401 {
            reply.headers.insert(0, ("Content-Type".to_owned(), "application/json; charset=utf-8".to_owned()));
        };
    "created-lacks-security" breaks "headers/success-groups": "A 201 lacks the security group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 201 { remove_group(reply, SECURITY) };
    "deleted-lacks-cors" breaks "headers/success-groups": "A 204 lacks the CORS group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 204 { remove_group(reply, CORS) };
    "reads-lack-cors" breaks "headers/success-groups": "Answers to GET lack the CORS group."
        => reply |request, reply| if from_builder(reply) && reply.status == 200 && request.method == "GET" { remove_group(reply, CORS) };
    "successes-lack-security" breaks "headers/success-groups": "A 200 lacks the security group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 200 { remove_group(reply, SECURITY) };
    "not-found-lacks-security" breaks "headers/error-groups": "A 404 lacks the security group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 404 { remove_group(reply, SECURITY) };
    "not-allowed-lacks-security" breaks "headers/error-groups": "A 405 lacks the security group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 405 { remove_group(reply, SECURITY) };
    "errors-lack-cors" breaks "headers/error-groups": "Errors lack the CORS group."
        => reply |_request, reply| if from_builder(reply) && matches!(reply.status, 400 | 404 | 405) { remove_group(reply, CORS) };
    "bad-requests-lack-base" breaks "headers/error-groups": "A 400 lacks the base group."
        => reply |_request, reply| if from_builder(reply) && reply.status == 400 { remove_group(reply, BASE) };
    "content-length-counts-characters" breaks "headers/content-length": "Content-Length counts characters, and cuts off bodies beyond ASCII."
        => reply |_request, reply| count_characters(reply);
    "bodies-chunked" breaks "headers/content-length": "Bodies are sent in chunks, without Content-Length."
        => reply |_request, reply| if from_builder(reply) && !reply.body.is_empty() { reply.framing = Framing::Chunked };
    "content-length-of-small-bodies-only" breaks "headers/content-length": "Bodies beyond 2 KiB are sent in chunks, without Content-Length."
        => reply |_request, reply| if from_builder(reply) && reply.body.len() > 2048 { reply.framing = Framing::Chunked };
    "request-id-in-header" breaks "headers/request-id-unseen": "X-Request-ID of the request is repeated in a header of the answer."
        => reply |request, reply| if let Some(id) = request.header("x-request-id") { reply.set("X-Request-ID", &id) };
    "request-id-in-errors" breaks "headers/request-id-unseen": "X-Request-ID of the request is repeated in the body of a 4xx."
        => reply |request, reply| if from_builder(reply) && reply.status >= 400 && reply.status != 401
            && let Some(id) = request.header("x-request-id") { reply.edit(|failure| failure["requestId"] = id.into()) };
    "claims-gzip" breaks "headers/request-accept-encoding": "Content-Encoding says gzip over a plain body if the request accepts gzip."
        => reply |request, reply| if from_builder(reply) && request.header("accept-encoding").is_some_and(|accepted| accepted.contains("gzip")) { reply.set("Content-Encoding", "gzip") };
    "request-names-in-capitals-unread" breaks "headers/request-names-any-case": "Request headers with names in capitals are not recognised."
        => request |request| {
            if of_catalogue(request) {
                request.headers.retain(|(name, _)| name.len() <= 4 || *name != name.to_uppercase());
            }
        };
    "cors-lists-without-spaces" breaks "headers/list-spelling": "The lists of CORS have commas without spaces."
        => reply |_request, reply| if from_catalogue(reply) { ["Methods", "Headers"].iter().for_each(|list| unspace(reply, &format!("Access-Control-Allow-{list}"))) };
    "build-not-named" breaks "headers/api-build": "X-API-Build is empty."
        => reply |_request, reply| if from_catalogue(reply) { reply.set("X-API-Build", "") };
    "build-not-named-by-options" breaks "headers/api-build": "OPTIONS answers without X-API-Build."
        => reply |request, reply| if is_options(request, reply) { reply.remove("X-API-Build") };
    "build-of-refusals" breaks "headers/api-build": "X-API-Build of a 404 names another build than that of other answers."
        => reply |_request, reply| if from_catalogue(reply) && reply.status == 404 { reply.set("X-API-Build", "otra") };
    "401-bare" by silence: "A 401 carries only Content-Type and WWW-Authenticate."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 { reply.headers.retain(|(name, _)| matches!(name.as_str(), "Content-Type" | "WWW-Authenticate")) };
    "401-with-defaults" by silence: "A 401 carries Referrer-Policy and Cache-Control as a library sets them."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 {
            reply.set("Referrer-Policy", "no-referrer");
            reply.set("Cache-Control", "no-store");
        };
    "options-has-cache" by "headers/options-own": "OPTIONS answers with the no-cache group and a Last-Modified."
        => reply |request, reply| if is_options(request, reply) {
            add_group(reply, NO_CACHE);
            reply.set("Last-Modified", "Wed, 01 Jan 2025 00:00:00 GMT");
        };
    "request-id-of-its-own" by "headers/library-headers": "Every answer has an X-Request-ID that the server made."
        => reply |_request, reply| reply.set("X-Request-ID", "d4a2f1c0-5b7e-4c7a-9a53-6f0f2f7b1e11");
    "options-has-content-type" by "headers/options-own": "OPTIONS answers with a Content-Type."
        => reply |request, reply| if is_options(request, reply) { reply.set("Content-Type", "application/json; charset=utf-8") };
    "accept-refused" by "headers/request-accept": "A request whose Accept names another media type answers 406."
        => reply |request, reply| if from_builder(reply) && accepts_no_json(request) { refuse(reply, 406, "This media type cannot be had") };
    "compressed-when-asked" by "headers/request-accept-encoding": "A body is compressed if the request accepts gzip."
        => reply |request, reply| if from_builder(reply) && request.header("accept-encoding").is_some_and(|kinds| kinds.contains("gzip")) { compress(reply) };
    "no-cache-request-skips-304" by "headers/request-cache-control": "A request with Cache-Control no-cache is never answered 304."
        => request |request| if request.header("cache-control").is_some_and(|value| value.contains("no-cache")) { request.remove("If-None-Match") };
    "rate-limit-without-policy" by "headers/rate-limit-policy": "Answers to API keys carry the rate-limit headers except X-RateLimit-Policy."
        => reply |request, reply| if from_builder(reply) && request.header("x-api-key").is_some() { add_group(reply, &RATE_LIMIT[..3]) };
    "rate-limit-of-a-gateway" by "headers/rate-limit-policy": "Answers carry the rate-limit headers of an API gateway."
        => reply |_request, reply| if from_builder(reply) { add_group(reply, &GATEWAY_RATE_LIMIT) };
    "rate-limit-told" by "headers/rate-limit-policy": "Answers to API keys carry the rate-limit headers."
        => reply |request, reply| if from_builder(reply) && request.header("x-api-key").is_some() { add_group(reply, &RATE_LIMIT) };
};

/// How many items a list shows.
fn shown(reply: &Reply) -> String {
    reply.json_body()["datos"].as_array().map_or(0, Vec::len).to_string()
}

fn value(reply: &Reply, name: &str) -> String {
    reply.header(name).unwrap_or_default().to_owned()
}

fn say_as_bit(reply: &mut Reply, name: &str) {
    let bit = if reply.header(name) == Some("true") { "1" } else { "0" };
    reply.set(name, bit);
}

/// A Content-Length that counts characters instead of bytes.
fn count_characters(reply: &mut Reply) {
    let characters = String::from_utf8_lossy(&reply.body).chars().count();
    if from_builder(reply) && characters != reply.body.len() {
        reply.framing = Framing::WrongLength(characters);
    }
}

fn unspace(reply: &mut Reply, name: &str) {
    if let Some(list) = reply.header(name).map(|list| list.replace(", ", ",")) {
        reply.set(name, &list);
    }
}

/// Changes the value of a header if the reply has the value of its group.
fn revalue(reply: &mut Reply, name: &str, value: &str) {
    let groups = [BASE, CORS, SECURITY, NO_CACHE];
    let is_of_group = |known: &&Header| known.0 == name && reply.header(name) == Some(known.1);
    if from_catalogue(reply) && groups.into_iter().flatten().any(|known| is_of_group(&known)) {
        reply.set(name, value);
    }
}

fn accepts_no_json(request: &Request) -> bool {
    request.header("accept").is_some_and(|accept| !accept.contains("json") && !accept.contains('*'))
}

fn compress(reply: &mut Reply) {
    if !reply.body.is_empty() {
        reply.body = gzip(&reply.body);
        reply.set("Content-Encoding", "gzip");
    }
}

/// The rate-limit group, its policy with the window.
const RATE_LIMIT: [Header; 4] = [
    ("X-RateLimit-Limit", "1000"),
    ("X-RateLimit-Remaining", "999"),
    ("X-RateLimit-Reset", "60"),
    ("X-RateLimit-Policy", "1000;w=60"),
];

/// The rate-limit headers of Spring Cloud Gateway, `RedisRateLimiter`.
const GATEWAY_RATE_LIMIT: [Header; 4] = [
    ("X-RateLimit-Remaining", "19"),
    ("X-RateLimit-Requested-Tokens", "1"),
    ("X-RateLimit-Burst-Capacity", "20"),
    ("X-RateLimit-Replenish-Rate", "10"),
];
