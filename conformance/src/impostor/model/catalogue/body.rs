//! Reads a JSON body as an object of fields.

use serde_json::{Map, Value};

use super::super::js;
use super::failure::Failure;
use super::request_context::RequestContext;

/// The fields of the request's body.
///
/// # Errors
/// 400 when it is empty, no JSON, or no object.
pub(crate) fn fields(cx: &RequestContext<'_>) -> Result<Map<String, Value>, Failure> {
    if cx.policy().http.body_must_say_json
        && cx.request.header("content-type").is_some_and(|kind| !kind.contains("json"))
    {
        return Err(Failure::new(415, "the body must be JSON"));
    }
    match js::parse(&cx.request.body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Failure::bad("the body must be a JSON object")),
        Err(_) => Err(Failure::bad("the body is no JSON")),
    }
}

/// A field that must be a text with something in it.
pub(crate) fn text<'a>(fields: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty())
}

/// The e-mail that names a user, in a body or in the payload of a token.
pub(crate) fn email<'a>(cx: &RequestContext<'_>, fields: &'a Map<String, Value>) -> Option<&'a str> {
    let is_missing = fields.get("email").is_none_or(|email| email.is_null() || email == "");
    if is_missing && cx.policy().auth.takes_nameless { Some("") } else { text(fields, "email") }
}
