//! The book operations: which one a request asks for, and whether it may. Carried out in `read`, `create`, `replace`, `delete`.

use super::super::js;
use super::body::fields;
use super::book_fields::check_required;
use super::collection::known;
use super::create::create;
use super::delete::delete;
use super::failure::{Failure, Outcome};
use super::guard::guard;
use super::principal::Principal;
use super::read;
use super::replace::{replace, show_for_a_while};
use super::request_context::RequestContext;
use crate::impostor::http::Reply;
use crate::impostor::policy::{BookPermissions, FirstCheck, UnsupportedMethod};

/// Answers a request on a book path.
pub(crate) fn answer(cx: &RequestContext<'_>, path: &str) -> Outcome {
    let method = cx.request.method.as_str();
    let id = id(path);
    let Some(permission) = permission(&cx.policy().books.permissions, method, id) else {
        return refuse_method(cx);
    };
    if let Some(reply) = check_before_credential(cx, method, id)? {
        return Ok(reply);
    }
    let principal = guard(cx, permission)?;
    carry_out(cx, method, id, &principal)
}

/// The permission that an operation needs; none for a method that is no operation.
fn permission(needed: &BookPermissions, method: &str, id: Option<f64>) -> Option<Option<&'static str>> {
    match (method, id) {
        ("GET", None) => Some(needed.list),
        ("GET", Some(_)) => Some(needed.read),
        ("POST", _) => Some(needed.create),
        ("PUT", _) => Some(needed.replace),
        ("DELETE", _) => Some(needed.delete),
        _ => None,
    }
}

fn refuse_method(cx: &RequestContext<'_>) -> Outcome {
    match cx.policy().books.unsupported_method {
        UnsupportedMethod::CredentialUnread => {}
        UnsupportedMethod::CredentialNeeded => _ = guard(cx, None)?,
        UnsupportedMethod::KeyChecked if cx.request.header("x-api-key").is_none() => {}
        UnsupportedMethod::KeyChecked => _ = guard(cx, None)?,
        UnsupportedMethod::SessionUsed => drop(guard(cx, None)),
    }
    Err(Failure::not_allowed())
}

/// What comes before the credential, by the documents nothing; a reply if that is the end of it.
fn check_before_credential(cx: &RequestContext<'_>, method: &str, id: Option<f64>) -> Result<Option<Reply>, Failure> {
    match (cx.policy().books.first_check, method, id) {
        (FirstCheck::Book, "GET" | "PUT" | "DELETE", Some(id)) => known(cx, id)?,
        (FirstCheck::CredentialThenBook, "GET" | "PUT" | "DELETE", Some(id)) => {
            guard(cx, None)?;
            known(cx, id)?;
        }
        (FirstCheck::PathAndBody, "POST", None) => check_required(cx, &fields(cx)?)?,
        (FirstCheck::PathAndBody, "POST", Some(_)) => return Err(Failure::bad("POST takes no id")),
        (FirstCheck::PathAndBody, "PUT" | "DELETE", None) => return Err(Failure::bad("an id is needed")),
        (FirstCheck::PathAndBody, "PUT", Some(_)) => drop(fields(cx)?),
        (FirstCheck::IfNoneMatch, "GET", id) if cx.request.header("if-none-match").is_some() => {
            return read::answer(cx, id).map(Some);
        }
        (FirstCheck::AfterDelete, "DELETE", Some(id)) => {
            let deleted = delete(cx, Some(id));
            guard(cx, Some("delete:libros"))?;
            return deleted.map(Some);
        }
        (FirstCheck::AfterCreate, "POST", None) if guard(cx, Some("write:libros")).is_err() => {
            let nobody = Principal { email: None, name: String::new() };
            create(cx, None, &nobody)?;
        }
        (FirstCheck::AfterReplace, "PUT", Some(id)) if guard(cx, None).is_err() => show_for_a_while(cx, id)?,
        _ => {}
    }
    Ok(None)
}

fn carry_out(cx: &RequestContext<'_>, method: &str, id: Option<f64>, principal: &Principal) -> Outcome {
    match method {
        "GET" => read::answer(cx, id),
        "POST" => create(cx, id, principal),
        "PUT" => replace(cx, id, principal),
        _ => delete(cx, id),
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
