//! The fields of a book that is sent: what is required, and what may be anything.

use serde_json::{Map, Value};

use super::super::js;
use super::super::list::value::iso_date;
use super::failure::Failure;
use super::request_context::RequestContext;
use crate::impostor::policy::{BlankText, CreatePolicy, FechaPublicacion, OtherType, Passes};

/// titulo and autor must be there, and not empty.
///
/// # Errors
/// 400 when one is not.
pub(crate) fn check_required(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
    let policy = &cx.policy().books.create;
    let titulo = is_given(policy, sent.get("titulo"), policy.titulo_passes);
    let autor = is_given(policy, sent.get("autor"), policy.autor_passes);
    if titulo && autor { Ok(()) } else { Err(Failure::bad("titulo and autor are required")) }
}

fn is_given(policy: &CreatePolicy, value: Option<&Value>, passes: Passes) -> bool {
    match value {
        None => passes == Passes::Missing,
        Some(Value::Null) => passes == Passes::Null,
        Some(Value::String(text)) if text.is_empty() => passes == Passes::EmptyText,
        Some(Value::String(text)) => policy.blank_text == BlankText::Passes || !text.trim().is_empty(),
        Some(other) => match policy.other_type {
            OtherType::PassesIfTruthy => js::truthy(other),
            OtherType::PassesUnlessFalse => *other != Value::Bool(false),
            OtherType::Passes => true,
            OtherType::Refused => false,
        },
    }
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
