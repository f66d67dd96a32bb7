//! The exchange in which a failure was seen, line by line: the request, the answer, and the line that is wrong.
//!
//! Shows the received headers that matter, and counts the others.

use serde_json::Value;

use crate::contract::violation::Part;
use crate::http::exchange::{Exchange, Received};
use crate::printable::Printable;
use crate::report::plural::plural;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) is_wrong: bool,
    pub(super) text: String,
}

impl Line {
    pub(super) fn plain(text: &str) -> Self {
        Self { is_wrong: false, text: text.to_owned() }
    }
}

/// The lines of the exchange whose answer is wrong at that part, each within `chars` characters; the request line, the body sent and the
/// wrong line within twice that.
pub(super) fn lines(exchange: &Exchange, part: Option<&Part>, chars: usize) -> Vec<Line> {
    let sent = &exchange.sent;
    let mut lines = vec![Line::plain(&fitted(&format!("> {} {}", sent.method, sent.path), 2 * chars))];
    for (name, value) in &sent.headers {
        lines.push(Line::plain(&fitted(&format!("> {name}: {}", Printable::of_bytes(value)), chars)));
    }
    if let Some(body) = &sent.body {
        lines.push(Line::plain(&fitted(&format!("> {}", Printable::of_bytes(body)), 2 * chars)));
    }
    let mut add = |is_wrong: bool, text: String| {
        lines.push(Line { is_wrong, text: fitted(&text, if is_wrong { 2 * chars } else { chars }) });
    };
    match &exchange.received {
        Err(why) => add(true, format!("< no answer: {why}")),
        Ok(received) => {
            add(part == Some(&Part::Status), format!("< {}", received.status));
            // The tag that an unchanged answer would have had.
            if let Some(tag) = received.header("ETag").filter(|_| !sent.values("If-None-Match").is_empty()) {
                add(false, format!("< ETag: {}", Printable::of_bytes(tag.as_bytes())));
            }
            headers(received, part, &mut add);
            body(received, part, chars, &mut add);
        }
    }
    lines
}

fn headers(received: &Received, part: Option<&Part>, add: &mut impl FnMut(bool, String)) {
    let is_wrong = |name: &str| matches!(part, Some(Part::Header(wrong)) if wrong.eq_ignore_ascii_case(name));
    let (wrong, others): (Vec<_>, Vec<_>) = received.headers.iter().partition(|(name, _)| is_wrong(name));
    for (name, value) in wrong {
        add(true, format!("< {name}: {}", Printable::of_bytes(value)));
    }
    if let Some(Part::Header(name)) = part
        && received.values(name).is_empty()
    {
        add(true, format!("< (no header {name})"));
    }
    let media_type = others.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    match (media_type, others.len()) {
        (Some((name, value)), count) => {
            let more = plural(count - 1, "more header");
            let more = if count > 1 { format!(" ({more}: --trace)") } else { String::new() };
            add(false, format!("< {name}: {}{more}", Printable::of_bytes(value)));
        }
        (None, 0) => {}
        (None, count) => add(false, format!("< ({}: --trace)", plural(count, "more header"))),
    }
}

fn body(received: &Received, part: Option<&Part>, chars: usize, add: &mut impl FnMut(bool, String)) {
    let whole = Printable::of_bytes(&received.body);
    let whole = whole.as_str();
    let shown = match part {
        Some(Part::Body(_)) if whole.is_empty() => Some("(no body)".to_owned()),
        Some(Part::Body(pointer)) if !pointer.is_empty() => received.json().map(|body| value_at(body, pointer)),
        _ => None,
    };
    // Of a long body the wrong part is enough.
    if !whole.is_empty() && (shown.is_none() || whole.len() < chars) {
        add(matches!(part, Some(Part::Body(pointer)) if pointer.is_empty()), format!("< {whole}"));
    }
    if let Some(shown) = shown {
        add(true, format!("< {shown}"));
    }
}

/// The value at the pointer, or the deepest part of the body on the way to it.
fn value_at(body: &Value, pointer: &str) -> String {
    if let Some(value) = body.pointer(pointer) {
        // The neighbours of a wrong number or text often explain it.
        let parent = pointer
            .rsplit_once('/')
            .filter(|(parent, _)| !parent.is_empty() && !value.is_array() && !value.is_object());
        let parent = parent.and_then(|(parent, _)| body.pointer(parent)?.as_object());
        let within = parent
            .map_or_else(String::new, |parent| format!(" in {}", serde_json::to_string(parent).unwrap_or_default()));
        return format!("{pointer} = {value}{within}");
    }
    let mut parent = pointer;
    while let Some((shorter, _)) = parent.rsplit_once('/') {
        parent = shorter;
        if let Some(value) = body.pointer(parent) {
            let there = match value {
                Value::Object(object) => format!("the keys {}", object.keys().cloned().collect::<Vec<_>>().join(", ")),
                Value::Array(items) => format!("{} items", items.len()),
                other => other.to_string(),
            };
            let parent = if parent.is_empty() { "the body" } else { parent };
            return format!("(nothing at {pointer}: {parent} has {there})");
        }
    }
    format!("(nothing at {pointer})")
}

pub(crate) fn fitted(text: &str, chars: usize) -> String {
    const CUT: &str = "...";
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some(_) => text.chars().take(chars.saturating_sub(CUT.len())).chain(CUT.chars()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::violation::Place;
    use crate::http::exchange::Sent;
    use crate::implementation::profile::Address;

    fn wrong(part: &Part) -> Vec<String> {
        let headers = ["Content-Type", "ETag", "Pragma"].map(|name| (name.to_owned(), b"x".to_vec())).to_vec();
        let body = br#"{"datos":[{"id":1}],"total":7}"#.to_vec();
        let received = Received::new(200, headers, body, false);
        let address = Address::parse("http://h:1").unwrap();
        let exchange = Exchange::new(Sent::new("GET", &address, "/libros"), Ok(received));
        let lines = lines(&exchange, Some(part), 300);
        lines.into_iter().filter(|line| line.is_wrong).map(|line| line.text).collect()
    }

    #[test]
    fn the_line_is_marked_that_is_wrong() {
        for (place, line) in [
            (Place::STATUS, "< 200"),
            (Place::header("etag"), "< ETag: x"),
            (Place::header("Vary"), "< (no header Vary)"),
            (Place::body("/datos/0"), r#"< /datos/0 = {"id":1}"#),
            (Place::body("/datos/0/titulo"), "< (nothing at /datos/0/titulo: /datos/0 has the keys id)"),
            (Place::body("/datos/0/a of b"), "< (nothing at /datos/0/a of b: /datos/0 has the keys id)"),
            (Place::BODY, r#"< {"datos":[{"id":1}],"total":7}"#),
        ] {
            assert_eq!(wrong(&place.part), [line], "{place}");
        }
        assert!(wrong(&Place::from("number of logins").part).is_empty());
    }
}
