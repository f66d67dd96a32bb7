//! The fields of a sent book: which are required.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::request_context::RequestContext;
use crate::js;

/// titulo and autor must be there, and not empty.
///
/// # Errors
/// 400 when one is not.
pub(crate) fn check_required(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let are_given = ["titulo", "autor"].into_iter().all(|name| (cx.steps.books.is_given)(name, sent.get(name)));
    if are_given { Ok(()) } else { Err(Failure::bad("titulo and autor are required")) }
}

/// Whether a required field holds something that JavaScript takes for true.
pub fn is_given(_name: &str, value: Option<&Value>) -> bool {
    value.is_some_and(js::truthy)
}
