//! Variations of the chapter errors.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chrono::{DateTime, FixedOffset};
use libros_conformance_model::refusals::NOT_JSON;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "book-400-as-object" breaks "errors/400-books": "The error of a 400 of a book operation is an object instead of a text."
        => reply |request, reply| if of_books(request) && reply.status == 400 { reword(reply, |text| json!({"error": {"mensaje": text}})) };
    "auth-400-has-code" breaks "errors/nothing-beside-error": "A 400 of an /auth operation also has a codigo."
        => reply |request, reply| if of_auth(request) && reply.status == 400 { reword(reply, |text| json!({"error": text, "codigo": "BAD_REQUEST"})) };
    "two-factor-400-says-message" breaks "errors/400-two-factor": "A 400 of a /2fa operation says message instead of error."
        => reply |request, reply| if of_two_factor(request) && reply.status == 400 { reword(reply, |text| json!({"message": text})) };
    "unknown-path-names-path" breaks "errors/nothing-beside-error": "The 404 of an unknown path names the path too."
        => reply |request, reply| if from_builder(reply) && !of_catalogue(request) && reply.status == 404 { reply.edit(|body| body["path"] = json!(request.path)) };
    "unknown-book-says-mensaje" breaks "errors/404-book": "The 404 of an unknown book says mensaje instead of error."
        => reply |request, reply| if of_books(request) && reply.status == 404 { reword(reply, |text| json!({"mensaje": text})) };
    "auth-404-empty-text" breaks "errors/404-auth": "The 404 of an unknown /auth path has an empty error text."
        => reply |request, reply| if of_auth(request) && reply.status == 404 { reword(reply, |_| json!({"error": ""})) };
    "two-factor-404-as-object" breaks "errors/404-two-factor": "The error of the 404 of an unknown /2fa path is an object instead of a text."
        => reply |request, reply| if of_two_factor(request) && reply.status == 404 { reword(reply, |text| json!({"error": {"codigo": "NOT_FOUND", "mensaje": text}})) };
    "book-405-lists-methods" breaks "errors/nothing-beside-error": "The 405 of a book path lists the allowed methods in its body."
        => reply |request, reply| if of_books(request) && reply.status == 405 { reword(reply, |text| json!({"error": text, "allowed": ["GET", "POST", "PUT", "DELETE"]})) };
    "verify-405-says-message" breaks "errors/405-verify": "The 405 of the verification path says message instead of error."
        => reply |request, reply| if of_auth(request) && reply.status == 405 { reword(reply, |text| json!({"message": text})) };
    "401-has-path" breaks "errors/401-body": "The error of a 401 also names the path."
        => reply |request, reply| if reply.status == 401 { reply.edit(|body| body["error"]["path"] = json!(request.path)) };
    "401-flat" breaks "errors/401-body": "A 401 has codigo, mensaje and timestamp at the top level."
        => reply |_request, reply| if reply.status == 401 { reply.edit(|body| *body = body["error"].take()) };
    "401-lacks-timestamp" breaks "errors/401-body": "The error of a 401 has no timestamp."
        => reply |_request, reply| if reply.status == 401 { reply.edit(|body| drop_key(&mut body["error"], "timestamp")) };
    "401-mensaje-empty" breaks "errors/401-mensaje": "mensaje of a 401 is empty."
        => reply |_request, reply| if reply.status == 401 { reply.edit(|body| body["error"]["mensaje"] = json!("")) };
    "401-timestamp-without-milliseconds" breaks "errors/401-timestamp": "timestamp of a 401 has no milliseconds."
        => reply |_request, reply| change_timestamp(reply, |at| json!(at.format("%Y-%m-%dT%H:%M:%SZ").to_string()));
    "401-timestamp-a-number" breaks "errors/401-timestamp": "timestamp of a 401 is a number."
        => reply |_request, reply| change_timestamp(reply, |at| json!(at.timestamp_millis()));
    "two-factor-401-names-the-session" breaks "errors/401-code": "A 401 of /2fa always has the codigo of an invalid session token."
        => reply |request, reply| if of_two_factor(request) && reply.status == 401 { reply.edit(|body| body["error"]["codigo"] = json!("TOKEN_INVALIDO")) };
    "lacking-permission-is-403" breaks "errors/statuses": "A user who lacks the permission is answered 403."
        => reply |request, reply| if reply.status == 401 && bearer(request).is_some() { reply.status = 403 };
    "taken-e-mail-is-409" breaks "errors/statuses": "Registering an e-mail that is taken answers 409."
        => reply |request, reply| if request.path == "/auth/registro" && reply.status == 400 && reply.json_body()["error"].as_str().is_some_and(|text| text.contains("exists")) { reply.status = 409 };
    "unreadable-body-is-a-page-of-500" breaks "errors/500-body": "A body that cannot be read answers 500 with an HTML page."
        => reply |request, reply| if reply.status == 400 && request.body == b"{\"titulo\":" { *reply = Reply::plain(500, "<h1>Internal Server Error</h1>") };
    "401-without-challenge" breaks "errors/401-challenge": "A 401 has no WWW-Authenticate."
        => reply |_request, reply| if reply.status == 401 { reply.remove("WWW-Authenticate") };
    "key-401-without-challenge" breaks "errors/401-challenge": "The 401 of an API key has no WWW-Authenticate."
        => reply |_request, reply| if reply.json_body()["error"]["codigo"] == "API_KEY_INVALIDA" { reply.remove("WWW-Authenticate") };
    "401-challenges-basic" breaks "errors/401-challenge": "WWW-Authenticate names the scheme Basic."
        => reply |_request, reply| if reply.status == 401 { reply.set("WWW-Authenticate", "Basic realm=LibraryCatalogueService") };
    "challenge-without-realm" breaks "errors/401-challenge": "WWW-Authenticate has no realm."
        => reply |_request, reply| if reply.status == 401 { reply.set("WWW-Authenticate", "Bearer") };
    "malformed-create-is-500" breaks "errors/malformed-create": "Creating with malformed JSON answers 500."
        => reply |request, reply| if of_books(request) && request.method == "POST" && reply.status == 400 && is_malformed(request) { reply.status = 500 };
    "malformed-replace-is-500" breaks "errors/malformed-replace": "Replacing with malformed JSON answers 500."
        => reply |request, reply| if of_books(request) && request.method == "PUT" && reply.status == 400 && is_malformed(request) { reply.status = 500 };
    "malformed-replace-empties" breaks "errors/malformed-replace": "Replacing a book with malformed JSON empties it."
        => request |request| if of_books(request) && request.method == "PUT" && is_malformed(request) { request.body = b"{}".to_vec() };
    "malformed-replace-removes" breaks "errors/malformed-replace" and "books/refused-write-no-trace": "Replacing a book with malformed JSON answers 400 and deletes it."
        => after |state, request, reply| if of_books(request) && request.method == "PUT" && reply.status == 400 { state.books.retain(|book| book["id"].as_f64() != id_of(request)) };
    "malformed-auth-is-500" breaks "errors/malformed-auth": "Malformed JSON on an /auth route answers 500."
        => reply |request, reply| if of_auth(request) && reply.status == 400 && is_malformed(request) { reply.status = 500 };
    "malformed-two-factor-is-500" breaks "errors/malformed-two-factor": "Malformed JSON on a /2fa route answers 500."
        => reply |request, reply| if of_two_factor(request) && reply.status == 400 && is_malformed(request) { reply.status = 500 };
    "malformed-two-factor-is-empty" breaks "errors/malformed-two-factor": "Malformed JSON on a /2fa route is read as an empty object."
        => request |request| if of_two_factor(request) && is_malformed(request) { request.body = b"{}".to_vec() };
    "text-after-json-ignored" breaks "errors/text-after-json": "Text after the first JSON value of a body is ignored, in the catalogue."
        => request |request| if of_catalogue(request) { cut_after_json(request) };
    "nan-read-as-null" breaks "errors/nan": "NaN and Infinity in a body are read as null."
        => request |request| if of_catalogue(request) { read_nan_as_null(request) };
    "json-keys-ignore-case" breaks "errors/key-case": "Keys of a book's body are read in any letter case: Titulo as titulo."
        => request |request| if of_books(request) { lower_keys(request, &["titulo", "autor"]) };
    "401-is-problem-json" breaks "errors/401-content-type": "Content-Type of a 401 is application/problem+json."
        => reply |_request, reply| if reply.status == 401 { reply.set("Content-Type", "application/problem+json") };
    "401-says-latin-1" breaks "errors/401-content-type": "Content-Type of a 401 names the charset ISO-8859-1."
        => reply |_request, reply| if reply.status == 401 { reply.set("Content-Type", "application/json; charset=iso-8859-1") };
    "reduced-400-has-path" breaks "errors/nothing-beside-error": "A 400 of the reduced GraphQL endpoint names the path."
        => reply |request, reply| if of_reduced(request) && reply.status == 400 { reply.edit(|body| body["path"] = json!("/graphql")) };
    "auth-400-says-mensaje" breaks "errors/400-auth": "A 400 of an /auth operation says mensaje instead of error."
        => reply |request, reply| if of_auth(request) && reply.status == 400 { reword(reply, |text| json!({"mensaje": text})) };
    "unknown-path-has-no-text" breaks "errors/404-path": "The error of the 404 of an unknown path is the number 404 instead of a text."
        => reply |request, reply| if from_builder(reply) && !of_catalogue(request) && reply.status == 404 { reword(reply, |_| json!({"error": 404})) };
    "book-405-as-list" breaks "errors/405-books": "The 405 of a book path has a list errors instead of an error."
        => reply |request, reply| if of_books(request) && reply.status == 405 { reword(reply, |text| json!({"errors": [text]})) };
    "refusals-tell-their-status" breaks "errors/nothing-beside-error": "Every 400, 404 and 405 has its status in its body."
        => reply |_request, reply| if matches!(reply.status, 400 | 404 | 405) { tell_status(reply) };
    "users-errors-have-status" breaks "errors/nothing-beside-error": "A 404 of the users interface has its status in its body."
        => reply |request, reply| if request.path.starts_with("/users") && reply.status == 404 { reply.edit(|body| body["status"] = json!(404)) };
    "demo-text-after-json-ignored" breaks "errors/text-after-json": "Text after the first JSON value of a body is ignored, in the demonstration interfaces."
        => request |request| if !of_catalogue(request) { cut_after_json(request) };
    "jwt-text-after-payload-skipped" breaks "errors/text-after-json": "Text after the JSON object in the payload of a JWT is ignored."
        => request |request| if let Some(value) = request.header("authorization") { request.set("Authorization", &payload_cut(&value)) };
    "any-json-is-an-object" by "errors/body-not-object": "A JSON body that is not an object counts as an object without fields."
        => request |request| if of_catalogue(request) && js::parse(&request.body).is_ok_and(|body| !body.is_object()) { empty_object(request) };
    "null-body-is-500" by "errors/body-not-object": "A book written with a body of null answers 500."
        => reply |request, reply| if of_books(request) && reply.status == 400 && request.body == b"null" { fail_unexpectedly(reply) };
    "byte-order-mark-skipped" by "errors/byte-order-mark": "A byte order mark before the JSON of a body is skipped."
        => request |request| {
            if of_catalogue(request) && request.body.starts_with(b"\xef\xbb\xbf") {
                _ = request.body.drain(..3);
            }
        };
    "closed-keys-in-any-case" by "errors/key-case-closed": "Keys of the body of a registration and a login are read in any letter case."
        => request |request| if of_auth(request) { lower_keys(request, &["email", "password"]) };
    "empty-body-is-empty-object" by "errors/empty-body": "An empty body counts as an object without fields."
        => request |request| if of_catalogue(request) && request.body.is_empty() { empty_object(request) };
    "invalid-utf8-replaced" by "errors/invalid-utf8": "Bytes of a body that are not UTF-8 are replaced."
        => request |request| if of_catalogue(request) { request.body = String::from_utf8_lossy(&request.body).into_owned().into_bytes() };
    "other-content-types-refused" by "errors/request-content-type": "A body with a Content-Type other than JSON is refused."
        => around |state, request, answer| refuse_other_content_types(state, request, answer);
    "further-keys-refused" by "errors/further-keys" "users/extra-fields" "signup/further-keys": "Bodies with keys that the documents do not name are refused."
        => request |request| if has_further_keys(request) { request.body = b"{".to_vec() };
    "realm-quoted" by "errors/401-realm": "The realm of a 401 is in double quotes."
        => reply |_request, reply| if from_builder(reply) && reply.status == 401 { reply.set("WWW-Authenticate", "Bearer realm=\"LibraryCatalogueService\"") };
    "one-text-for-all-refusals" by "errors/wording": "Every refusal has the same text."
        => reply |_request, reply| if from_builder(reply) && (400..500).contains(&reply.status) { reply.edit(|body| if body["error"].is_string() { body["error"] = json!("Petición rechazada") }) };
    "too-deep-is-422" by "errors/nested-too-deep": "JSON nested more than a hundred levels deep answers 422."
        => reply |request, reply| if of_books(request) && reply.status == 400 && request.body.iter().filter(|byte| **byte == b'[').count() > 100 { reply.status = 422 };
};

fn tell_status(reply: &mut Reply) {
    let status = reply.status;
    reply.edit(|body| {
        if body["error"].is_string() {
            body["statusCode"] = json!(status);
        }
    });
}

fn change_timestamp(reply: &mut Reply, form: fn(DateTime<FixedOffset>) -> Value) {
    if reply.status == 401 {
        reply.edit(|body| {
            let timestamp = &mut body["error"]["timestamp"];
            let at = timestamp.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok());
            *timestamp = at.map(form).unwrap_or_default();
        });
    }
}

/// The token whose payload is its first JSON object alone; any other value as it is.
fn payload_cut(value: &str) -> String {
    let Some([header, payload, last]) = value
        .strip_prefix("JWT ")
        .map(|token| token.splitn(3, '.').collect::<Vec<_>>())
        .and_then(|segments| <[&str; 3]>::try_from(segments).ok())
    else {
        return value.to_owned();
    };
    let Ok(bytes) = STANDARD_NO_PAD.decode(payload.trim_end_matches('=').replace('-', "+").replace('_', "/")) else {
        return value.to_owned();
    };
    let mut values = serde_json::Deserializer::from_slice(&bytes).into_iter::<Value>();
    match values.next() {
        Some(Ok(Value::Object(_))) if values.byte_offset() < bytes.trim_ascii_end().len() => {
            let object = STANDARD_NO_PAD.encode(&bytes[..values.byte_offset()]);
            format!("JWT {header}.{object}.{last}")
        }
        _ => value.to_owned(),
    }
}

fn empty_object(request: &mut Request) {
    request.body = b"{}".to_vec();
}

/// Refuses a body whose Content-Type is not JSON, on the routes that refuse a body that is not JSON.
fn refuse_other_content_types(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let is_other = request.header("content-type").is_some_and(|kind| !kind.contains("json"));
    if !is_other || !of_catalogue(request) {
        return answer(state, request);
    }
    let mut unread = request.clone();
    spoil_body(&mut unread);
    let mut reply = answer(state, &unread);
    if reply.refuses_with(NOT_JSON) {
        refuse(&mut reply, 415, "the body must be JSON");
    }
    reply
}
