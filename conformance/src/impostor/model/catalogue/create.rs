//! Creating a book: what is required, and which id it gets.

use serde_json::{Map, Value};

use super::super::js;
use super::super::list::value::iso_date;
use super::body::fields;
use super::books::{collection, known};
use super::failure::Failure;
use super::guard::Principal;
use super::record::created;
use super::replace::replace;
use super::{Outcome, RequestContext};
use crate::impostor::policy::{
    BlankText, CreatePolicy, CreateWithId, FechaPublicacion, OtherType, Passes, RefusedCreate,
};

/// POST /libros
pub(crate) fn create(cx: &RequestContext<'_>, id: Option<f64>, principal: &Principal) -> Outcome {
    let policy = &cx.policy().books.create;
    if let Some(id) = id {
        return match (policy.with_id, known(cx, id)) {
            (CreateWithId::CreatesIfUnknown, Err(_)) => store_new(cx, fields(cx)?, principal),
            (CreateWithId::ReplacesIfKnown, Ok(())) => replace(cx, Some(id), principal),
            _ => Err(Failure::bad("POST takes no id")),
        };
    }
    let sent = fields(cx)?;
    let checked = check_required(cx, &sent).and_then(|()| check_fecha_publicacion(cx, &sent));
    if let Err(failure) = checked {
        if policy.refused == RefusedCreate::IsStored {
            store_new(cx, sent, principal)?;
        }
        return Err(failure);
    }
    store_new(cx, sent, principal)
}

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
            OtherType::Passes => true,
            OtherType::Refused => false,
        },
    }
}

/// Any fechaPublicacion will do, or none.
///
/// # Errors
/// 400 where the policy asks for more.
fn check_fecha_publicacion(cx: &RequestContext<'_>, sent: &Map<String, Value>) -> Result<(), Failure> {
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

/// Stores a new book at the end of the collection. The lock is held from the choice of its id to the write.
pub(crate) fn store_new(cx: &RequestContext<'_>, sent: Map<String, Value>, principal: &Principal) -> Outcome {
    let policy = &cx.policy().books.create;
    let (state, books) = collection(cx, cx.lock(), policy.id_from);
    let ids: Vec<u64> = books.iter().filter_map(|book| js::number_of(&book["id"])).map(|id| id as u64).collect();
    let id = match policy.next_id {
        None => next_id(&ids),
        Some(other) => other(&ids, state.highest_book_id),
    };
    let book = created(cx, sent, id, principal);
    let (mut state, books) = collection(cx, state, policy.written_onto);
    state.highest_book_id = state.highest_book_id.max(id);
    state.books = books;
    state.books.push(book.clone());
    drop(state);
    Ok(cx.reply(201).body(&book).build())
}

/// Highest existing id plus 1; 1 when there is none.
fn next_id(ids: &[u64]) -> u64 {
    ids.iter().max().map_or(1, |highest| highest + 1)
}
