//! POST /libros.

use super::body::fields;
use super::book_fields::{check_fecha_publicacion, check_required};
use super::collection::{collection, known};
use super::failure::{Failure, Outcome};
use super::new_book::store_new;
use super::principal::Principal;
use super::replace::replace;
use super::request_context::RequestContext;
use crate::impostor::policy::{Collection, CreateWithId, RefusedCreate};

/// POST /libros
pub(crate) fn create(cx: &RequestContext<'_>, id: Option<f64>, principal: &Principal) -> Outcome {
    let policy = &cx.policy().books.create;
    if let Some(id) = id {
        return match (policy.with_id, known(cx, id)) {
            (CreateWithId::CreatesIfUnknown, Err(_)) => store_new(cx, &fields(cx)?, principal),
            (CreateWithId::ReplacesIfKnown, Ok(())) => replace(cx, Some(id), principal),
            _ => Err(Failure::bad("POST takes no id")),
        };
    }
    let sent = fields(cx)?;
    let checked = check_required(cx, &sent).and_then(|()| check_fecha_publicacion(cx, &sent));
    if let Err(failure) = checked {
        match policy.refused {
            RefusedCreate::LeavesNothing => {}
            RefusedCreate::IsStored => drop(store_new(cx, &sent, principal)?),
            RefusedCreate::RestoresTheCollection => {
                let (mut state, books) = collection(cx, cx.lock(), Collection::AtHead);
                state.books = books;
            }
        }
        return Err(failure);
    }
    store_new(cx, &sent, principal)
}
