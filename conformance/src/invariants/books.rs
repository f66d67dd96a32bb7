//! Bodies of `/libros`: a page of books against its own pagination, a book against the request that wrote or named it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::contract::violation::Place;
use crate::http::reply::same;
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{Form, closed};
use crate::invariants::groups::PAGINATION;
use crate::invariants::route::{Credential, Route};
use crate::json::text_of;

const SET_BY_SERVICE: [&str; 5] = ["id", "fechaCreacion", "creadoPor", "fechaActualizacion", "actualizadoPor"];

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    match (answer.route, answer.status()) {
        (Route::ListBooks, 200) => page(answer, found),
        (Route::ReadBook, 200) => book(answer, "books/read", found),
        (Route::CreateBook, 201) => {
            book(answer, "books/create-body", found);
            written(answer, found);
            stamped(answer, "fechaCreacion", "books/fecha-creacion-set", found);
            author(answer, "creadoPor", ["books/creado-por-user", "books/creado-por-client"], found);
        }
        (Route::ReplaceBook, 200) => {
            book(answer, "books/replace", found);
            written(answer, found);
            stamped(answer, "fechaActualizacion", "books/fecha-actualizacion-set", found);
            author(answer, "actualizadoPor", ["books/actualizado-por-user", "books/actualizado-por-client"], found);
            nothing_kept(answer, found);
        }
        (Route::DeleteBook, 204) => found.whole("books/delete-status", answer.received.body.is_empty(), "none"),
        _ => {}
    }
}

/// An object with an id, the same as in the path if the path has one.
fn book(answer: &Answer<'_>, rule: &'static str, found: &mut Findings<'_>) {
    let id = answer.json().and_then(|book| book.get("id"));
    let segment = answer.sent.path_below_prefix().split(['/', '?']).nth(2);
    let asked = segment.and_then(|segment| segment.parse::<u64>().ok()).filter(|_| answer.route != Route::CreateBook);
    let is_it = id.and_then(Value::as_f64).is_some_and(|id| match asked {
        Some(asked) => id == asked as f64,
        None => id >= 1.0 && id.fract() == 0.0,
    });
    let want = asked.map_or("a whole number of at least 1".to_owned(), |asked| asked.to_string());
    found.body(rule, is_it, "/id", &want);
}

/// Fields are stored and returned as sent. Judges only values that every platform keeps alike.
fn written(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let is_create = answer.route == Route::CreateBook;
    let Some(sent) = answer.asked.as_ref().and_then(Value::as_object) else { return };
    for (name, value) in sent {
        let is_plain_name = !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_alphanumeric())
            && !["constructor", "toString", "prototype"].contains(&name.as_str());
        if SET_BY_SERVICE.contains(&name.as_str()) || !is_plain_name {
            continue;
        }
        let rule = match (name.as_str(), is_create) {
            ("titulo" | "autor", true) => "books/create-body",
            ("titulo" | "autor", false) => "books/replace",
            ("fechaPublicacion", _) => "books/fecha-publicacion-optional",
            (_, true) => "books/extra-fields-on-create",
            (_, false) => "books/extra-fields-on-replace",
        };
        let is_own = matches!(name.as_str(), "titulo" | "autor" | "fechaPublicacion");
        let is_date = |text: &str| text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let is_settled = match value {
            Value::String(text) if name == "fechaPublicacion" => is_date(text),
            Value::String(text) => {
                text.trim() == text && !(is_own && text.is_empty()) && !text.chars().any(char::is_control)
            }
            _ => !is_own && is_kept_alike(value),
        };
        if is_settled {
            let got = answer.json().and_then(|book| book.get(name));
            let holds = got.is_some_and(|got| same(got, value));
            found.body(rule, holds, &format!("/{name}"), value);
        }
    }
}

/// Whether every platform keeps the value: whole numbers within 2^31, no odd characters.
fn is_kept_alike(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() < 1 << 31),
        Value::String(text) => !text.chars().any(char::is_control),
        Value::Array(items) => items.iter().all(is_kept_alike),
        // PHP reads an object that is empty, or whose names are numbers, as a list.
        Value::Object(members) => {
            let is_kept = |(name, value): (&String, &Value)| {
                name.bytes().all(|b| b.is_ascii_alphabetic()) && is_kept_alike(value)
            };
            !members.is_empty() && members.iter().all(is_kept)
        }
        _ => true,
    }
}

fn stamped(answer: &Answer<'_>, name: &str, rule: &'static str, found: &mut Findings<'_>) {
    let got = answer.json().and_then(|book| book.get(name));
    let place = format!("/{name}");
    found.body(rule, got.is_some_and(|got| !got.is_null()), &place, "the time of the request");
    if let Some(got) = got.filter(|got| !got.is_null()) {
        let is_time = super::form::is_time(got);
        found.body("books/timestamp-form", is_time, &place, "a time in ISO 8601, UTC, with milliseconds");
    }
    let created = answer.json().and_then(|book| book.get("fechaCreacion"));
    let moment = |value: Option<&Value>| value.and_then(Value::as_str).and_then(crate::clock::parse_iso);
    if let (Some(created), Some(now)) = (moment(created), moment(got)) {
        found.body(rule, created <= now, &place, "not before fechaCreacion");
    }
}

/// The author is the e-mail of a user or the name of a client.
fn author(answer: &Answer<'_>, name: &str, [by_user, by_client]: [&'static str; 2], found: &mut Findings<'_>) {
    let got = answer.json().and_then(|book| book.get(name));
    let text = got.and_then(Value::as_str).unwrap_or_default();
    let place = format!("/{name}");
    match answer.credential {
        Some(Credential::Key) => found.body(by_client, !text.is_empty(), &place, "the name of the client"),
        Some(Credential::Session | Credential::Jwt) => {
            found.body(by_user, text.contains('@'), &place, "the e-mail of the user");
        }
        _ => {}
    }
}

/// A replaced book has only sent fields and fields that the service sets; a fixed schema may show others as null.
fn nothing_kept(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let (Some(sent), Some(book)) = (answer.asked.as_ref(), answer.json().and_then(Value::as_object)) else { return };
    for (name, value) in book {
        let is_known = SET_BY_SERVICE.contains(&name.as_str()) && name != "creadoPor"
            || sent.get(name).is_some()
            || value.is_null();
        let rule = if name == "creadoPor" { "books/creado-por-after-replace" } else { "books/replace-is-full" };
        found.value(rule, is_known, &format!("/{name}"), "absent", Some(value));
    }
}

/// The body is `{ datos, metadata: { paginacion } }`; its numbers agree with each other, the items, the headers and the request.
fn page(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let Some(body) = answer.json() else { return found.whole("books/list-shape", false, "JSON") };
    let is_list = Form::Where("a list of books", |value| {
        value.as_array().is_some_and(|items| items.iter().all(Value::is_object))
    });
    let shape = "books/list-shape";
    closed(found, shape, "", Some(body), &[("datos", shape, is_list), ("metadata", shape, Form::Any)]);
    closed(found, shape, "/metadata", body.get("metadata"), &[("paginacion", shape, Form::Any)]);
    let page = body.pointer("/metadata/paginacion");
    let at = |name: &str| page.and_then(|page| page.get(name));
    let members = [
        ("page", "paging/object-page", Form::Integer(1)),
        ("limit", "paging/object-limit", Form::Integer(1)),
        ("total", "paging/object-total", Form::Integer(0)),
        ("pages", "paging/object-pages", Form::Integer(0)),
        ("hasNext", "paging/object-has-next", Form::Bool),
        ("hasPrev", "paging/object-has-prev", Form::Bool),
    ];
    let is_closed = closed(found, "paging/object-keys", "/metadata/paginacion", page, &members);
    for (header, member, rule) in PAGINATION {
        // A number beyond 2^53 is spelled in several ways.
        let is_plain = |value: &&Value| value.as_f64().is_none_or(|number| number < 9e15);
        if let Some(value) = at(member).filter(is_plain) {
            let want = text_of(value);
            let got = answer.received.values(header);
            let whole = value.as_f64().filter(|number| number.fract() == 0.0).map(|number| (number as i64).to_string());
            let is_number = |got: &String| Some(got) == whole.as_ref();
            let is_it =
                |got: &String| got == &want || is_number(got) || value.is_boolean() && got.eq_ignore_ascii_case(&want);
            found.header(rule, got.len() == 1 && got.iter().all(is_it), header, want.as_str());
        }
    }
    if is_closed {
        sums(answer, body, found);
    }
}

/// The numbers of the pagination object agree. Skips numbers too large for some types.
fn sums(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    const PLAIN_MAX: u64 = 1 << 31;
    let at = |name: &str| body.pointer("/metadata/paginacion").and_then(|page| page.get(name));
    let number =
        |name: &str| at(name).and_then(Value::as_f64).map(|number| number as u64).filter(|number| *number < PLAIN_MAX);
    let (Some(page), Some(limit), Some(total)) = (number("page"), number("limit"), number("total")) else { return };
    let mut need = |rule, name: &str, want: Value| {
        let got = at(name);
        found.body(rule, got.is_some_and(|got| same(got, &want)), &format!("/metadata/paginacion/{name}"), &want);
    };
    if limit == 0 || page == 0 {
        return;
    }
    let pages = if total == 0 { "paging/object-pages-empty" } else { "paging/object-pages" };
    need(pages, "pages", total.div_ceil(limit).into());
    need("paging/object-has-next", "hasNext", (page.saturating_mul(limit) < total).into());
    need("paging/object-has-prev", "hasPrev", (page > 1).into());
    if let Some(asked) = asked_number(answer, "page") {
        need("paging/object-page", "page", asked.max(1).into());
    }
    match asked_number(answer, "limit") {
        Some(0) => need("paging/limit-zero", "limit", 10.into()),
        Some(asked @ ..=100) => need("paging/limit-exact", "limit", asked.into()),
        Some(_) => need("paging/limit-maximum", "limit", 100.into()),
        None if !may_name(answer, "limit") => need("paging/limit-default", "limit", 10.into()),
        None => {}
    }
    let items = body.get("datos").and_then(Value::as_array).map_or(0, Vec::len) as u64;
    let want = total.saturating_sub((page - 1).saturating_mul(limit)).min(limit);
    found.need("paging/page-slice", items == want, || {
        (Place::body("/datos"), format!("{want} items").into(), format!("{items} items").into())
    });
    items_of(answer, body, found);
}

/// The items have distinct ids; if the request selects fields, they have only those.
fn items_of(answer: &Answer<'_>, body: &Value, found: &mut Findings<'_>) {
    let items = body.get("datos").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if !may_name(answer, "fields") {
        // Some platforms write 1 as 1.0.
        let id = |item: &Value| item["id"].as_f64().filter(|id| id.fract() == 0.0).map(|id| id as u64);
        let ids: BTreeSet<u64> = items.iter().filter_map(id).collect();
        let got = || format!("{} ids of {} books", ids.len(), items.len());
        found.need("books/list-shape", ids.len() == items.len(), || {
            (Place::body("/datos"), "books with an id each, none twice".into(), got().into())
        });
    } else if let Some(names) = asked_once(answer, "fields")
        && !names.is_empty()
        && names.split(',').all(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric()))
    {
        for item in items.iter().filter_map(Value::as_object) {
            let other = item.keys().find(|key| !names.split(',').any(|name| name == key.as_str()));
            found.need("list/fields-select", other.is_none(), || {
                (Place::body("/datos"), format!("{names} alone").into(), other.cloned().unwrap_or_default().into())
            });
        }
    }
}

/// The pairs that some platform may read as this parameter, also encoded or in another case; with the value if the name is plain.
fn named<'a>(answer: &Answer<'a>, name: &str) -> impl Iterator<Item = Option<&'a str>> {
    let query = answer.sent.path.split_once('?').map_or("", |(_, query)| query);
    query.split('&').filter_map(move |pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let may = key.contains('%') || pair.contains(';') || key.to_ascii_lowercase().contains(name);
        may.then(|| (key == name).then_some(value))
    })
}

/// Whether some platform may find a parameter of this name in the query.
fn may_name(answer: &Answer<'_>, name: &str) -> bool {
    named(answer, name).next().is_some()
}

/// The value of a parameter that every platform finds exactly once.
fn asked_once<'a>(answer: &Answer<'a>, name: &str) -> Option<&'a str> {
    let mut values = named(answer, name);
    values.next().flatten().filter(|_| values.next().is_none())
}

/// As [`asked_once`], a plain number.
fn asked_number(answer: &Answer<'_>, name: &str) -> Option<u64> {
    let value = asked_once(answer, name)?;
    let is_plain = !value.is_empty() && value.len() <= 9 && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|_| is_plain)
}
