//! Where two answers to the same request differ: status, headers that the documents name, members of the body.

use std::collections::BTreeSet;

use serde_json::Value;

use super::free_values::FreeValues;
use crate::contract::violation::Part;
use crate::http::exchange::{Exchange, Received, TRANSPORT_HEADERS};
use crate::invariants;
use crate::json::pointer_to;

const DIFFERENCES_MAX: usize = 40;
/// Headers, besides those of transport, whose values are free.
const OWN_HEADERS: [&str; 3] = ["server", "last-modified", "x-request-id"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The status, a header, or the place of a member of the body.
    pub part: Part,
    pub target: Option<Value>,
    pub reference: Option<Value>,
    /// Whether a rule is broken there: the one that the case fails for, or one for all answers.
    pub is_wrong: bool,
}

/// The differences of two answers, wrong ones first; the case fails for `part` of the target's answer.
pub(super) fn diff(
    own: &Exchange,
    other: &Exchange,
    part: Option<&Part>,
    free: &mut FreeValues<'_>,
) -> Vec<Difference> {
    let (Ok(target), Ok(reference)) = (&own.received, &other.received) else { return Vec::new() };
    let mut wrong: Vec<Part> = part.into_iter().cloned().collect();
    let broken = invariants::judge(own).map_or_else(Vec::new, |(_, violations)| violations);
    wrong.extend(broken.into_iter().map(|violation| violation.place.part));
    let mut found = Found { wrong: &wrong, free, differences: Vec::new() };
    found.add(Part::Status, Some(target.status.into()), Some(reference.status.into()));
    headers(target, reference, &mut found);
    bodies(target, reference, &mut found);
    let mut differences = found.differences;
    differences.sort_by_key(|difference| !difference.is_wrong);
    differences.truncate(DIFFERENCES_MAX);
    differences
}

struct Found<'a, 'n> {
    wrong: &'a [Part],
    free: &'a mut FreeValues<'n>,
    differences: Vec<Difference>,
}

impl Found<'_, '_> {
    fn add(&mut self, part: Part, target: Option<Value>, reference: Option<Value>) {
        if target != reference {
            let is_wrong = self.wrong.iter().any(|wrong| touches(wrong, &part));
            self.differences.push(Difference { part, target, reference, is_wrong });
        }
    }
}

/// Whether two places are the same, or one contains the other.
fn touches(wrong: &Part, part: &Part) -> bool {
    match (wrong, part) {
        (Part::Header(wrong), Part::Header(name)) => wrong.eq_ignore_ascii_case(name),
        (Part::Body(wrong), Part::Body(pointer)) => {
            let holds = |outer: &str, inner: &str| {
                inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            // A wrong body as a whole does not make each member wrong.
            holds(wrong, pointer) && !wrong.is_empty() || holds(pointer, wrong)
        }
        (wrong, part) => wrong == part,
    }
}

/// Compares the headers that the reference sends, and those that are wrong. Other headers of the target are free.
fn headers(target: &Received, reference: &Received, found: &mut Found<'_, '_>) {
    let sent = reference.headers.iter().map(|(name, _)| name.clone());
    let wrong =
        found.wrong.iter().filter_map(|part| if let Part::Header(name) = part { Some(name.clone()) } else { None });
    let mut seen = BTreeSet::new();
    let names: Vec<String> = wrong.chain(sent).filter(|name| seen.insert(name.to_ascii_lowercase())).collect();
    for name in names {
        let part = Part::Header(name);
        let Part::Header(name) = &part else { continue };
        let is_wrong = found.wrong.iter().any(|wrong| touches(wrong, &part));
        let [own, other] = [target, reference].map(|received| received.header(name).map(Value::String));
        let is_free = TRANSPORT_HEADERS.iter().chain(&OWN_HEADERS).any(|own| name.eq_ignore_ascii_case(own))
            || name.eq_ignore_ascii_case("etag") && own.is_some() == other.is_some()
            || own.iter().zip(&other).any(|(own, other)| found.free.may_both_be(name, own, other));
        if is_wrong || !is_free {
            found.add(part, own, other);
        }
    }
}

fn bodies(target: &Received, reference: &Received, found: &mut Found<'_, '_>) {
    match (target.json(), reference.json()) {
        (Some(own), Some(other)) => values(own, other, "", found),
        _ if target.body == reference.body => {}
        _ => {
            let text = |received: &Received| Some(Value::String(received.text())).filter(|_| !received.body.is_empty());
            found.add(Part::Body(String::new()), text(target), text(reference));
        }
    }
}

/// Members by name, items by place; a value that is not there is reported as a whole.
fn values(own: &Value, other: &Value, pointer: &str, found: &mut Found<'_, '_>) {
    if own == other || found.differences.len() > 4 * DIFFERENCES_MAX {
        return;
    }
    let below = |key: &str| pointer_to(pointer, key);
    let mut either = |own: Option<&Value>, other: Option<&Value>, pointer: String| match (own, other) {
        (Some(own), Some(other)) => values(own, other, &pointer, found),
        (own, other) => found.add(Part::Body(pointer), own.cloned(), other.cloned()),
    };
    match (own, other) {
        (Value::Object(own), Value::Object(other)) => {
            let keys: BTreeSet<&String> = own.keys().chain(other.keys()).collect();
            keys.into_iter().for_each(|key| either(own.get(key), other.get(key), below(key)));
        }
        (Value::Array(own), Value::Array(other)) => {
            (0..own.len().max(other.len())).for_each(|at| either(own.get(at), other.get(at), below(&at.to_string())));
        }
        _ => {
            let key = pointer.rsplit('/').find(|part| part.parse::<u32>().is_err()).unwrap_or_default();
            let part = Part::Body(pointer.to_owned());
            let is_judged = found.wrong.contains(&part);
            if !found.free.may_both_be(key, own, other) || is_judged {
                found.add(part, Some(own.clone()), Some(other.clone()));
            }
        }
    }
}
