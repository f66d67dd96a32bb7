//! Compares an answer with a reviewed step, by its relations and the keys that may be added; finds the first difference. Sends nothing.

use serde_json::Value;

use crate::contract::violation::{Got, Mismatch, Place, Want};
use crate::implementation::profile::Interface;
use crate::snapshot::headers::{HEADERS, Kind};
use crate::snapshot::step::Step;

#[derive(Debug, Clone, Default)]
pub(crate) struct StepSpec {
    /// The relations that values must satisfy, by JSON pointer. A placeholder's name is listed too; no value satisfies it.
    pub(crate) relations: Vec<(String, String)>,
    /// Extra keys that an answer may have, by JSON pointer, each with a test of its value.
    pub(crate) extra_keys: Vec<(String, fn(&Value) -> bool)>,
}

/// Fields of a book that other implementations may show where the reviewed text has none.
const FREE_FIELDS: [(&str, fn(&Value) -> bool); 4] = [
    ("creadoPor", is_null_or_text),
    ("fechaActualizacion", is_null_or_text),
    ("actualizadoPor", is_null_or_text),
    ("fechaPublicacion", Value::is_null),
];

fn is_null_or_text(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

impl StepSpec {
    pub(super) fn of(step: &Step) -> Self {
        let body: Value = serde_json::from_str(&step.body.join("\n")).unwrap_or_default();
        let mut spec = Self::default();
        if step.interface() == Interface::Graphql {
            spec.extra_keys.push(("/extensions".to_owned(), |_| true));
        }
        spec.read(&body, String::new());
        spec
    }

    fn read(&mut self, value: &Value, pointer: String) {
        match value {
            Value::String(text) => {
                let relation = text.strip_prefix('<').and_then(|text| text.strip_suffix('>'));
                self.relations.extend(relation.map(|relation| (pointer, relation.to_owned())));
            }
            Value::Array(items) => {
                (0..).zip(items).for_each(|(at, item): (usize, _)| self.read(item, format!("{pointer}/{at}")));
            }
            Value::Object(fields) => {
                let free = FREE_FIELDS
                    .iter()
                    .filter(|(name, _)| fields.contains_key("fechaCreacion") && !fields.contains_key(*name));
                self.extra_keys.extend(free.map(|(name, passes)| (format!("{pointer}/{name}"), *passes)));
                fields.iter().for_each(|(name, field)| self.read(field, format!("{pointer}/{name}")));
            }
            _ => {}
        }
    }
}

/// The first difference of an answer from the reviewed step, whose first rule is about the status, the second (if any) about the body.
pub(super) fn difference(reviewed: &'static Step, got: &Step) -> Option<Mismatch> {
    let rule = |nth: usize| reviewed.rules.get(nth).or(reviewed.rules.first()).map_or("", String::as_str);
    let difference = |rule, place, want, got: Got| Some(Mismatch::new(rule, place, want, got));
    if reviewed.status != got.status {
        let came = format!("{} {}", got.status, got.body.join(" "));
        return difference(rule(0), Place::STATUS, Want::Text(reviewed.status.clone()), came.into());
    }
    let lines = reviewed.body.len().max(got.body.len());
    let line = |body: &[String], index: usize| body.get(index).map_or("nothing", |line| line.trim()).to_owned();
    // Compares the body first: if it differs, so do the headers about it (length, tag, pages).
    // If only the trailing comma differs, the next line is the difference.
    let bare = |body: &[String], index: usize| body.get(index).map(|line| line.trim_end_matches(',').to_owned());
    let differs = |index: &usize| bare(&reviewed.body, *index) != bare(&got.body, *index);
    let first = (0..lines).find(differs).or_else(|| (0..lines).find(|at| reviewed.body.get(*at) != got.body.get(*at)));
    if let Some(index) = first {
        let (want, came) = (line(&reviewed.body, index), line(&got.body, index));
        return difference(rule(1), Place::BODY.in_line(index + 1), Want::Text(want), Got::Text(came));
    }
    let kind = kind(reviewed);
    let differs = |name: &str| {
        let (want, came) = (reviewed.headers.get(name), got.headers.get(name));
        want != came && !(kind.is_free(name) && (want.is_none() || came.is_none())) && !kind.is_open(name)
    };
    let (name, _) = HEADERS.iter().find(|(name, _)| differs(name))?;
    let want = reviewed.headers.get(*name).map_or(Want::Absent, |want| Want::Text(want.clone()));
    difference(kind.rule(name), Place::header(name), want, got.headers.get(*name).cloned().into())
}

/// The kind of the answer of a reviewed step.
pub(super) fn kind(step: &Step) -> Kind {
    let (method, path) = step.target();
    let is_list = path.contains('?');
    let tag = step.headers.get("ETag").map(String::as_str);
    match (step.interface(), method, step.status.as_str(), tag) {
        (Interface::Users, "OPTIONS", ..) => Kind::UserPreflight,
        (Interface::Users, ..) => Kind::User,
        (Interface::Graphql | Interface::GraphqlReduced, ..) => Kind::Query,
        (_, "OPTIONS", ..) => Kind::Preflight,
        (_, _, "401", _) => Kind::Denied,
        (_, _, "204", _) => Kind::Empty,
        (_, _, "304", _) if is_list => Kind::ListUnchanged,
        (_, _, "304", _) => Kind::BookUnchanged,
        (_, _, _, Some(_)) if is_list => Kind::List,
        (_, _, _, Some(_)) => Kind::Book,
        // Only this answer of the catalogue lacks the header groups.
        _ if !step.headers.contains_key("X-API-Build") => Kind::SecondFactor,
        _ => Kind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::step::tests::TEXT;

    #[test]
    fn a_difference_names_the_rule_of_its_place() {
        let reviewed: &Step = Box::leak(Box::new(Step::parse_all(TEXT).remove(0)));
        assert_eq!(difference(reviewed, &reviewed.clone()), None);
        let rule = |spoil: fn(&mut Step)| {
            let mut got = reviewed.clone();
            spoil(&mut got);
            difference(reviewed, &got).unwrap().rule
        };
        assert_eq!(rule(|step| step.status = "201".into()), "s/status");
        assert_eq!(rule(|step| step.body.truncate(1)), "s/body");
        assert_eq!(rule(|step| _ = step.headers.remove("Pragma")), "headers/no-cache-pragma");
        let strange = rule(|step| _ = step.headers.insert("X-Per-Page".into(), "1".into()));
        assert_eq!(strange, "headers/pagination-list-only");
    }
}
