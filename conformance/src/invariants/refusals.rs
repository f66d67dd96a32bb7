//! The bodies of failures: `{ error: <text> }`, the three members of a 401, the members of a 500.

use serde_json::{Map, Value};

use crate::contract::violation::Want;
use crate::http::header_values;
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{is_text, is_time};
use crate::invariants::route::{Credential, Route};

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    match answer.status() {
        401 => denied(answer, found),
        500 => broken(answer, found),
        400 | 404 | 405 => {
            if let Some(rule) = shape_rule(answer) {
                refused(rule, answer, found);
            }
        }
        _ => {}
    }
}

fn shape_rule(answer: &Answer<'_>) -> Option<&'static str> {
    use Route as R;
    Some(match (answer.status(), answer.route) {
        (_, R::SignUp | R::Graphql | R::ListEntries) => return None,
        (_, R::CreateUser | R::ReadUser | R::ListPosts | R::UsersElsewhere) => "users/error-body",
        (400, R::Reduced) => "graphql-reduced/unsupported-form",
        (404, R::ReducedElsewhere) => "graphql-reduced/other-path",
        (400, route) if route < R::BookMethod => "errors/400-books",
        (400, route) if route < R::Enable => "errors/400-auth",
        (400, _) => "errors/400-two-factor",
        (405, R::BookMethod) => "errors/405-books",
        (405, _) => "errors/405-verify",
        (_, R::Elsewhere) => "errors/404-path",
        (_, R::AuthElsewhere) => "errors/404-auth",
        (_, R::TwoFactorElsewhere) => "errors/404-two-factor",
        _ => "errors/404-book",
    })
}

fn refused(rule: &'static str, answer: &Answer<'_>, found: &mut Findings<'_>) {
    let body = answer.json().and_then(Value::as_object);
    let has_text = body.and_then(|body| body.get("error")).is_some_and(is_text);
    found.whole(rule, has_text, "{ \"error\": <text> }");
    let is_alone = body.is_none_or(|body| body.len() == 1);
    found.whole("errors/nothing-beside-error", !has_text || is_alone, Want::keys(&["error"]));
}

fn denied(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let received = answer.received;
    found.json_type("errors/401-content-type");
    found.once("headers/override", "Content-Type");
    let has_realm = received.header("WWW-Authenticate").is_some_and(|got| header_values::bearer_realm(&got).is_some());
    found.header("errors/401-challenge", has_realm, "WWW-Authenticate", "Bearer realm=<service name>");
    let body = answer.json().and_then(Value::as_object);
    let error = body.filter(|body| body.len() == 1).and_then(|body| body.get("error"));
    let has = |keys: &Map<String, Value>| ["codigo", "mensaje", "timestamp"].iter().all(|key| keys.contains_key(*key));
    let is_closed = error.and_then(Value::as_object).is_some_and(|keys| keys.len() == 3 && has(keys));
    let want = "{ \"error\": { codigo, mensaje, timestamp } } and nothing else";
    found.whole("errors/401-body", is_closed, want);
    if !is_closed {
        return;
    }
    let at = |key: &str| error.and_then(|error| error.get(key));
    found.body("errors/401-mensaje", at("mensaje").is_some_and(is_text), "/error/mensaje", "a text that is not empty");
    let want = "a time in ISO 8601, UTC, with milliseconds";
    found.body("errors/401-timestamp", at("timestamp").is_some_and(is_time), "/error/timestamp", want);
    if let Some(credential) = answer.credential {
        let want = match credential {
            Credential::Key => "API_KEY_INVALIDA",
            Credential::Session => "TOKEN_INVALIDO",
            Credential::Jwt => "JWT_INVALIDO",
            Credential::None => "NO_AUTENTICADO",
        };
        found.body("errors/401-code", at("codigo").is_some_and(|code| code == want), "/error/codigo", want);
    }
}

fn broken(answer: &Answer<'_>, found: &mut Findings<'_>) {
    if answer.route > Route::Elsewhere {
        return;
    }
    let error = answer.json().and_then(|body| body.get("error")).and_then(Value::as_object);
    let has_shape = error.is_some_and(|error| {
        let code = if answer.route < Route::Register { "INTERNAL_ERROR" } else { "INTERNAL_SERVER_ERROR" };
        let is_code = |given: &str| given == code || given == "INTERNAL_SERVER_ERROR";
        error.keys().all(|key| ["codigo", "mensaje", "timestamp", "requestId", "detalles"].contains(&key.as_str()))
            && error.get("codigo").and_then(Value::as_str).is_some_and(is_code)
            && ["mensaje", "requestId"].iter().all(|key| error.get(*key).is_some_and(is_text))
            && error.get("timestamp").is_some_and(is_time)
    });
    let want = "{ \"error\": { codigo, mensaje, detalles?, timestamp, requestId } }";
    found.whole("errors/500-body", has_shape, want);
}
