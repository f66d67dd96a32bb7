//! Variations of the chapter routing.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "books-prefix-needs-slash" breaks "routing/books-prefix": "/librosfoo is an unknown path."
        => request |request| if of_books(request) && !matches!(request.path.as_bytes().get(7), None | Some(b'/')) { lose_path(request) };
    "auth-unknown-path-is-400" breaks "routing/auth-unknown-path": "An unknown /auth path answers 400."
        => reply |request, reply| if of_auth(request) && reply.status == 404 { reply.status = 400 };
    "auth-unknown-path-needs-credential" breaks "routing/auth-unknown-path": "An unknown /auth path without a credential answers 401."
        => reply |request, reply| if of_auth(request) { protect(request, reply) };
    "two-factor-prefix-without-slash" breaks "routing/two-factor-prefix": "/2fa alone counts as a two-factor path and needs a credential."
        => reply |request, reply| if request.path.starts_with("/2fa") && !of_two_factor(request) { protect(request, reply) };
    "root-is-a-greeting" breaks "routing/unknown-path": "The path / answers 200."
        => reply |request, reply| greet(request, reply, "/", &json!({"service": "LibraryCatalogueService"}));
    "health-is-told" breaks "routing/no-other-pages": "The path /health answers 200."
        => reply |request, reply| greet(request, reply, "/health", &json!({"status": "ok"}));
    "browsers-get-an-icon" breaks "routing/no-other-pages": "The path /favicon.ico answers 204."
        => reply |request, reply| if from_catalogue(reply) && request.path == "/favicon.ico" { *reply = Reply::bare(204) };
    "api-segment-accepted" breaks "routing/unknown-path": "A segment /api before a path is skipped."
        => request |request| skip_segment(request, "/api");
    "books-under-any-segment" breaks "routing/unknown-path": "Any path that contains /libros is a book path."
        => request |request| if let Some(at) = request.path.find("/libros") { _ = request.path.drain(..at) };
    "unknown-path-needs-credential" breaks "routing/unknown-path": "An unknown path without a credential answers 401."
        => reply |request, reply| if !of_catalogue(request) { protect(request, reply) };
    "unknown-path-405-unless-get" breaks "routing/unknown-path": "Methods other than GET on an unknown path answer 405."
        => reply |request, reply| if !of_catalogue(request) && request.method != "GET" && reply.status == 404 { reply.status = 405 };
    "options-is-204" breaks "routing/options-status": "OPTIONS answers 204."
        => reply |request, reply| if is_options(request, reply) { reply.status = 204 };
    "options-unknown-path-is-404" breaks "routing/options-any-path": "OPTIONS on an unknown path answers 404."
        => reply |request, reply| if is_options(request, reply) && !of_catalogue(request) { refuse(reply, 404, "Route not found") };
    "options-two-factor-is-404" breaks "routing/options-any-path": "OPTIONS on a two-factor path answers 404."
        => reply |request, reply| if is_options(request, reply) && of_two_factor(request) { refuse(reply, 404, "Route not found") };
    "options-of-a-device-is-404" breaks "routing/options-any-path": "OPTIONS on a path of three segments answers 404."
        => reply |request, reply| if is_options(request, reply) && request.path.matches('/').count() == 3 { refuse(reply, 404, "Route not found") };
    "options-needs-credential" breaks "routing/options-any-path": "OPTIONS without a credential is refused."
        => reply |request, reply| if is_options(request, reply) && !has_credential(request) { refuse(reply, 401, "Authentication required") };
    "options-has-body" breaks "routing/options-no-body": "OPTIONS answers with an empty JSON object."
        => reply |request, reply| if is_options(request, reply) { reply.body = b"{}".to_vec() };
    "preflight-has-body" breaks "routing/options-no-body": "A preflight OPTIONS answers with the body OK."
        => reply |request, reply| if is_options(request, reply) && is_preflight(request) { reply.body = b"OK".to_vec() };
    "preflight-lists-what-was-asked" breaks "routing/options-any-path" and "headers/options-groups": "A preflight OPTIONS lists only the requested method as allowed."
        => reply |request, reply| if is_options(request, reply) && is_preflight(request) { reply.set("Access-Control-Allow-Methods", "PUT") };
    "options-cors-of-books-only" breaks "routing/options-any-path" and "headers/options-groups": "OPTIONS lists the allowed methods only on book paths."
        => reply |request, reply| if is_options(request, reply) && !of_books(request) { reply.remove("Access-Control-Allow-Methods") };
    "trailing-slash-unknown" breaks "routing/trailing-slash-books": "/libros/ is an unknown path."
        => request |request| if request.path == "/libros/" { lose_path(request) };
    "auth-prefix-without-slash-is-401" breaks "routing/auth-prefix" and "routing/auth-unknown-path": "/authfoo counts as a protected path and answers 401."
        => reply |request, reply| if of_auth(request) && !request.path.starts_with("/auth/") { protect(request, reply) };
    "id-within-first-segment" breaks "routing/books-prefix" and "books/path-id-missing": "The digits of /libros5 are the id of a book."
        => request |request| if let Some(id) = request.path.strip_prefix("/libros").filter(|rest| !rest.contains('/')) {
            request.path = format!("/libros/{id}");
        };
    "auth-routes-matched-with-their-query" breaks "routing/auth-prefix": "/auth paths with a query are unknown."
        => request |request| if of_auth(request) && !request.query.is_empty() { request.path = format!("{}?{}", request.path, request.query) };
    "absolute-form-refused" by "routing/absolute-form": "A request target in absolute form is refused."
        => reply |request, reply| if request.absolute && from_builder(reply) { refuse(reply, 400, "an absolute target") };
    "auth-wrong-method-is-400" by "routing/auth-wrong-method": "A known /auth path with another method answers 400."
        => reply |request, reply| if is_wrong_method(request, reply) { reply.status = 400 };
    "head-elsewhere-is-400" by "routing/head-elsewhere": "HEAD on paths other than books answers 400."
        => reply |request, reply| if is_head_elsewhere(request, reply) { reply.status = 400 };
    "trailing-slash-is-400" by "routing/trailing-slash-elsewhere": "An /auth or /2fa path with a trailing slash answers 400."
        => reply |request, reply| if (of_auth(request) || of_two_factor(request)) && request.path.ends_with('/') && reply.status == 404 { reply.status = 400 };
    "paths-redirected-to-lower-case" by "routing/path-case": "A path with capitals redirects to the same path in lower case."
        => reply |request, reply| if reply.status == 404 && from_builder(reply) && !request.path.contains('%') && request.path.chars().any(|c| c.is_ascii_uppercase()) {
            reply.status = 301;
            reply.set("Location", &request.path.to_ascii_lowercase());
        };
    "paths-ignore-case" by "routing/path-case": "Paths are matched in any letter case: /Libros is /libros."
        => request |request| take_path(request, str::to_lowercase);
    "absolute-form-unknown" by "routing/absolute-form": "A request target in absolute form is an unknown path."
        => request |request| if request.absolute && of_catalogue(request) { lose_path(request) };
    "auth-wrong-method-is-405" by "routing/auth-wrong-method": "A known /auth path with another method answers 405."
        => reply |request, reply| if is_wrong_method(request, reply) { reply.status = 405 };
    "empty-segments-kept" by "routing/empty-segments": "An empty second segment counts as an absent id."
        => request |request| if let Some(at) = request.path.find("//").filter(|_| of_books(request)) {
            request.path.truncate(at + 1);
        };
    "empty-segments-unknown" by "routing/empty-segments": "A path with an empty segment is unknown."
        => request |request| if of_books(request) && request.path.contains("//") { lose_path(request) };
    "head-elsewhere-is-405" by "routing/head-elsewhere": "HEAD on paths other than books answers 405."
        => reply |request, reply| if is_head_elsewhere(request, reply) { reply.status = 405 };
    "head-elsewhere-is-501" by "routing/head-elsewhere": "HEAD on paths other than books answers 501."
        => reply |request, reply| if is_head_elsewhere(request, reply) { reply.status = 501 };
    "paths-decoded" by "routing/path-percent-encoded": "Paths are percent-decoded before routing."
        => request |request| take_path(request, |path| percent_decode(path).0);
    "paths-normalised" by "routing/path-as-sent": "Paths are normalised before routing."
        => request |request| take_path(request, |path| path.replace("/./", "/").replace("//", "/"));
    "trailing-slash-passes" by "routing/trailing-slash-elsewhere": "An /auth or /2fa path with a trailing slash is served as without."
        => request |request| {
            let trimmed = request.path.trim_end_matches('/').to_owned();
            if (of_auth(request) || of_two_factor(request)) && trimmed != "/2fa" {
                request.path = trimmed;
            }
        };
};

fn is_head_elsewhere(request: &Request, reply: &Reply) -> bool {
    request.method == "HEAD" && from_builder(reply) && !of_catalogue(request)
}

fn is_wrong_method(request: &Request, reply: &Reply) -> bool {
    reply.status == 404 && matches!(request.path.as_str(), "/auth/registro" | "/auth/login" | "/auth/api-keys")
}

/// Turns a 404 into the 401 of a request without a credential.
fn protect(request: &Request, reply: &mut Reply) {
    if from_builder(reply) && reply.status == 404 && !has_credential(request) {
        refuse(reply, 401, "Authentication required");
    }
}

fn greet(request: &Request, reply: &mut Reply, path: &str, greeting: &Value) {
    if from_builder(reply) && request.path == path {
        answer_as(reply, 200, greeting);
    }
}
