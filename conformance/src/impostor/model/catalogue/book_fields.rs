//! The fields of a sent book: which are required, and which may be anything.

use serde_json::{Map, Value};

use super::super::js;
use super::super::list::value::iso_date;
use super::failure::Failure;
use super::request_context::RequestContext;
use crate::impostor::policy::FechaPublicacion;

/// titulo and autor must be there, and not empty.
///
/// # Errors
/// 400 when one is not.
pub(crate) fn check_required(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let is_given = cx.policy().books.create.is_given.unwrap_or(is_given);
    let are_given = ["titulo", "autor"].into_iter().all(|name| is_given(name, sent.get(name)));
    if are_given { Ok(()) } else { Err(Failure::bad("titulo and autor are required")) }
}

/// Whether a required field holds something that JavaScript takes for true.
pub(crate) fn is_given(_name: &str, value: Option<&Value>) -> bool {
    value.is_some_and(js::truthy)
}

/// Any fechaPublicacion will do, or none.
///
/// # Errors
/// 400 where the policy asks for more.
pub(crate) fn check_fecha_publicacion(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let missing = !sent.contains_key("fechaPublicacion");
    if missing && cx.policy().books.fecha_publicacion == FechaPublicacion::SentOnCreate {
        return Err(Failure::bad("fechaPublicacion is required"));
    }
    check_date(cx, sent)
}

/// What is sent as fechaPublicacion need not be a date.
///
/// # Errors
/// 400 where the policy asks for one.
pub(crate) fn check_date(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let day = |value: &Value| value.as_str().is_some_and(|text| text.len() == 10 && iso_date(text).is_some());
    if cx.policy().books.fecha_publicacion == FechaPublicacion::Date && !sent.get("fechaPublicacion").is_none_or(day) {
        return Err(Failure::bad("fechaPublicacion must be YYYY-MM-DD"));
    }
    Ok(())
}
