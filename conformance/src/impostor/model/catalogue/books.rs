//! The book operations: which one a request asks for, and whether it may. Carried out in `read`, `create`, `replace`.

use serde_json::Value;

use super::super::js;
use super::body::fields;
use super::create::{check_required, create};
use super::failure::Failure;
use super::guard::guard;
use super::replace::{delete, replace};
use super::{Exchange, Outcome, read};

/// Answers a request on a book path.
pub(crate) fn answer(exchange: &Exchange<'_>, path: &str) -> Outcome {
    let method = exchange.request.method.as_str();
    let method = match method {
        "HEAD" if exchange.reads("head-is-get") => "GET",
        "PATCH" if exchange.on("patch-replaces") => "PUT",
        known => known,
    };
    let id = id(exchange, path);
    if !matches!(method, "GET" | "POST" | "PUT" | "DELETE") {
        return refuse_method(exchange, id);
    }
    if let Some(id) = id
        && exchange.on("lookup-before-credential")
        && matches!(method, "GET" | "PUT" | "DELETE")
    {
        known(exchange, id)?;
    }
    if let (Some(id), true) = (id, exchange.on("lookup-before-permission") && method != "POST") {
        guard(exchange, None)?;
        known(exchange, id)?;
    }
    if method == "GET" && exchange.on("304-before-credential") && exchange.request.header("if-none-match").is_some() {
        return read::answer(exchange, id, path);
    }
    if exchange.on("denied-delete-deletes")
        && let ("DELETE", Some(id)) = (method, id)
    {
        let removed = delete(exchange, Some(id));
        guard(exchange, Some("delete:libros"))?;
        return removed;
    }
    if exchange.reads("path-and-body-before-credential") {
        match (method, id) {
            ("POST", Some(_)) => return Err(Failure::bad("POST takes no id")),
            ("PUT" | "DELETE", None) => return Err(Failure::bad("an id is needed")),
            ("POST" | "PUT", _) => drop(fields(exchange)?),
            _ => {}
        }
        if method == "POST" {
            check_required(exchange, &fields(exchange)?)?;
        }
    }
    if id == Some(u64::MAX) && exchange.reads("negative-id-is-400") && path.contains("/-") {
        return Err(Failure::bad("an id is positive"));
    }
    let principal = guard(exchange, permission(exchange, method, id))?;
    match method {
        "GET" => read::answer(exchange, id, path),
        "POST" => create(exchange, id, path, &principal),
        "PUT" => replace(exchange, id, &principal),
        _ => delete(exchange, id),
    }
}

fn refuse_method(exchange: &Exchange<'_>, id: Option<u64>) -> Outcome {
    if exchange.on("unsupported-method-with-id-is-404") && id.is_some() {
        return Err(Failure::unknown_path());
    }
    if exchange.on("unsupported-method-is-404") {
        return Err(Failure::unknown_path());
    }
    if exchange.on("credential-before-method") {
        guard(exchange, None)?;
    }
    if exchange.on("invalid-credential-before-method") && exchange.request.header("x-api-key").is_some() {
        guard(exchange, None)?;
    }
    if exchange.on("unsupported-method-extends-session") {
        drop(guard(exchange, None));
    }
    Err(Failure::not_allowed())
}

/// The permission an operation takes.
fn permission(exchange: &Exchange<'_>, method: &str, id: Option<u64>) -> Option<&'static str> {
    match (method, id) {
        ("GET", None) if exchange.on("list-takes-no-permission") => None,
        ("GET", Some(_)) if exchange.on("read-takes-no-permission") => None,
        ("GET", _) => Some("read:libros"),
        ("POST", _) if exchange.on("create-takes-read") => Some("read:libros"),
        ("PUT", _) if exchange.on("replace-takes-read") => Some("read:libros"),
        ("POST" | "PUT", _) => Some("write:libros"),
        _ if exchange.on("delete-takes-write") => Some("write:libros"),
        _ => Some("delete:libros"),
    }
}

/// The second segment of the path as an integer; what is missing, no number or zero is none.
/// A negative number is an id that no book has.
fn id(exchange: &Exchange<'_>, path: &str) -> Option<u64> {
    let segments: Vec<&str> = if exchange.reads("empty-segments-kept") {
        path.split('/').skip(1).collect()
    } else {
        path.split('/').filter(|segment| !segment.is_empty()).collect()
    };
    let segment = if exchange.on("id-is-last-segment") {
        segments.last().filter(|_| segments.len() > 1)?
    } else if exchange.on("id-within-first-segment") && segments.len() == 1 {
        segments[0].strip_prefix("libros")?
    } else {
        segments.get(1)?
    };
    if exchange.on("id-with-zeros-unknown") && segment.len() > 1 && segment.starts_with('0') {
        return Some(u64::MAX);
    }
    if exchange.reads("id-digits-only") && !segment.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let long = segment.len() > 9 && segment.bytes().all(|b| b.is_ascii_digit());
    if exchange.on("huge-id-is-no-id") && long {
        return None;
    }
    if exchange.on("huge-id-wraps") && long {
        let wrapped = segment.bytes().fold(0_u32, |n, b| n.wrapping_mul(10).wrapping_add(u32::from(b - b'0')));
        return Some(u64::from(wrapped));
    }
    let hex = segment.strip_prefix("0x").filter(|_| exchange.reads("id-in-hex"));
    if let Some(hex) = hex.and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        return Some(hex);
    }
    let Some(number) = js::parse_int(segment) else {
        let beyond_finite = segment.len() > 300 && segment.bytes().all(|b| b.is_ascii_digit());
        let unknown = beyond_finite || exchange.on("id-not-a-number-unknown");
        return unknown.then_some(u64::MAX);
    };
    if number == 0.0 {
        return exchange.on("id-zero-is-an-id").then_some(0);
    }
    Some(if number < 0.0 || number >= 2_f64.powi(53) { u64::MAX } else { number as u64 })
}

/// The place of a book in the collection.
pub(crate) fn place(books: &[Value], id: u64) -> Option<usize> {
    books.iter().position(|book| js::number_of(&book["id"]) == Some(id as f64))
}

/// Whether there is a book of this id.
///
/// # Errors
/// 404 when there is none.
pub(crate) fn known(exchange: &Exchange<'_>, id: u64) -> Result<(), Failure> {
    place(&exchange.lock().books, id).map(|_| ()).ok_or_else(Failure::unknown_book)
}
