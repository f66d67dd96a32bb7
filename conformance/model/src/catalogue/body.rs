//! Reads a JSON body as an object of fields.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::request_context::RequestContext;
use crate::js;
use crate::refusals::NOT_JSON;

/// The fields of the request's body.
///
/// # Errors
/// 400 when it is empty, no JSON, or no object.
pub(crate) fn fields(cx: &RequestContext<'_>) -> Result<Map<String, Value>, Failure> {
    match js::parse(&cx.request.body) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Failure::bad("the body must be a JSON object")),
        Err(_) => Err(Failure::bad(NOT_JSON)),
    }
}
