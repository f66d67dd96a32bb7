//! The book operations: which one a request asks for, and whether it may. Carried out in `read` and `write`.

use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::request_context::RequestContext;
use super::{read, write};
use crate::accounts::permissions::Operation;
use crate::js;

/// Answers a request on a book path.
pub(crate) fn answer(cx: &mut RequestContext<'_>, path: &str) -> Outcome {
    let id = id(path);
    let operation = match (cx.request.method.as_str(), id) {
        ("GET", None) => Operation::ListBooks,
        ("GET", Some(_)) => Operation::ReadBook,
        ("POST", _) => Operation::CreateBook,
        ("PUT", _) => Operation::ReplaceBook,
        ("DELETE", _) => Operation::DeleteBook,
        _ => return Err(Failure::not_allowed()),
    };
    let principal = guard(cx, operation)?;
    match (operation, id) {
        (Operation::CreateBook, None) => write::create(cx, &principal),
        (Operation::CreateBook, Some(_)) => Err(Failure::bad("POST takes no id")),
        (Operation::ReplaceBook, Some(id)) => write::replace(cx, id, &principal),
        (Operation::ReplaceBook, None) => Err(Failure::bad("PUT takes an id")),
        (Operation::DeleteBook, Some(id)) => write::delete(cx, id),
        (Operation::DeleteBook, None) => Err(Failure::bad("DELETE takes an id")),
        (_, Some(id)) => read::one(cx, id),
        (_, None) => Ok(read::many(cx)),
    }
}

/// The second segment of the path read as an integer; one that is missing, not a number or zero is no id.
fn id(path: &str) -> Option<f64> {
    let segment = path.split('/').filter(|segment| !segment.is_empty()).nth(1)?;
    let all_digits = segment.bytes().all(|byte| byte.is_ascii_digit());
    // Digits beyond the largest number are an id too, which no book has.
    let id = js::parse_int(segment).or(all_digits.then_some(f64::INFINITY))?;
    (id != 0.0).then_some(id)
}
