//! One step of a transcript as text, how an answer is compared with it, and the first difference.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::contract::violation::{Got, Mismatch, Place, Want};
use crate::implementation::profile::Interface;
use crate::snapshot::headers::{HEADERS, Kind};
use crate::snapshot::mask::Mask;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) name: String,
    pub(crate) rules: Vec<String>,
    pub(crate) request: Vec<String>,
    pub(crate) status: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<String>,
}

impl Step {
    /// Method and path of its request.
    pub(super) fn target(&self) -> (&str, &str) {
        let line = self.request.first().map_or("", String::as_str);
        line.split_once(' ').unwrap_or((line, ""))
    }

    /// The interface that it asks, by the chapter of its rule.
    pub(super) fn interface(&self) -> Interface {
        match self.rules.first().and_then(|rule| rule.split('/').next()) {
            Some("users" | "posts") => Interface::Users,
            Some("graphql") => Interface::Graphql,
            Some("graphql-reduced") => Interface::GraphqlReduced,
            _ => Interface::Catalogue,
        }
    }

    /// `=== step: rules`, the request as `>` lines, status and headers as `<` lines, then the body.
    pub(crate) fn text(&self) -> String {
        let head = format!("=== {}: {}", self.name, self.rules.join(", "));
        let marked = |mark: &str, line: &String| format!("{mark} {line}").trim_end().to_owned();
        let request = self.request.iter().map(|line| marked(">", line));
        let header = |(name, _): &(&str, &str)| Some(format!("{name}: {}", self.headers.get(*name)?));
        let answer = [self.status.clone()].into_iter().chain(HEADERS.iter().filter_map(header));
        let answer = answer.map(|line| marked("<", &line));
        let lines = [head].into_iter().chain(request).chain(answer).chain(self.body.iter().cloned());
        lines.map(|line| line + "\n").collect()
    }

    /// The exchange without its heading.
    pub(crate) fn exchange(&self) -> String {
        let text = self.text();
        text.split_once('\n').map_or_else(String::new, |(_, exchange)| exchange.to_owned())
    }

    /// Reads the output of [`Self::text`]; ignores what precedes the first step.
    pub(crate) fn parse_all(text: &str) -> Vec<Self> {
        let mut steps: Vec<Self> = Vec::new();
        for line in text.lines() {
            if let Some(head) = line.strip_prefix("=== ") {
                let (name, rules) = head.split_once(": ").unwrap_or((head, ""));
                let rules = rules.split(", ").map(str::to_owned).collect();
                let (request, body, headers) = (Vec::new(), Vec::new(), BTreeMap::new());
                steps.push(Self { name: name.to_owned(), rules, request, status: String::new(), headers, body });
                continue;
            }
            let Some(step) = steps.last_mut() else { continue };
            if let Some(line) = line.strip_prefix("< ") {
                match line.split_once(": ") {
                    Some((name, value)) => _ = step.headers.insert(name.to_owned(), value.to_owned()),
                    None => line.clone_into(&mut step.status),
                }
            } else if let Some(line) = line.strip_prefix('>') {
                step.request.push(line.strip_prefix(' ').unwrap_or(line).to_owned());
            } else if !line.is_empty() {
                step.body.push(line.to_owned());
            }
        }
        steps
    }

    /// The first difference of an answer from this reviewed step.
    pub(super) fn difference(&self, got: &Self, spec: &StepSpec) -> Option<Mismatch> {
        let difference = |rule, place, want, got: Got| Some(Mismatch::new(rule, place, want, got));
        if self.status != got.status {
            let came = format!("{} {}", got.status, got.body.join(" "));
            return difference(spec.status_rule, Place::STATUS, Want::Text(self.status.clone()), came.into());
        }
        let lines = self.body.len().max(got.body.len());
        let line = |body: &[String], index: usize| body.get(index).map_or("nothing", |line| line.trim()).to_owned();
        // Compares the body first: if it differs, so do the headers about it (length, tag, pages).
        // A line that differs in its comma alone differs in what comes after it.
        let bare = |body: &[String], index: usize| body.get(index).map(|line| line.trim_end_matches(',').to_owned());
        let differs = |index: &usize| bare(&self.body, *index) != bare(&got.body, *index);
        let first = (0..lines).find(differs).or_else(|| (0..lines).find(|at| self.body.get(*at) != got.body.get(*at)));
        if let Some(index) = first {
            let (want, came) = (line(&self.body, index), line(&got.body, index));
            return difference(spec.body_rule, Place::BODY.in_line(index + 1), Want::Text(want), Got::Text(came));
        }
        for (name, _) in HEADERS {
            let (want, came) = (self.headers.get(*name), got.headers.get(*name));
            let is_free = spec.kind.is_free(name) && (want.is_none() || came.is_none()) || spec.kind.is_open(name);
            if want != came && !is_free {
                let want = want.map_or(Want::Absent, |want| Want::Text(want.clone()));
                return difference(spec.kind.rule(name), Place::header(name), want, came.cloned().into());
            }
        }
        None
    }
}

/// Read from the reviewed step: the relations that its values must satisfy, the keys that others may add, the kind of its answer, and the
/// rules of its status and its body.
#[derive(Debug, Clone)]
pub(crate) struct StepSpec {
    pub(crate) step: &'static str,
    pub(crate) status_rule: &'static str,
    pub(crate) body_rule: &'static str,
    /// By JSON pointer.
    pub(crate) masks: Vec<(String, Mask)>,
    pub(crate) kind: Kind,
    /// The keys that an answer may have more, by JSON pointer, if their values pass.
    pub(crate) free_keys: Vec<(String, fn(&Value) -> bool)>,
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
    /// That of a reviewed step. Its texts are never freed, so that it is read once.
    pub(super) fn of(step: &Step) -> Self {
        let rule = |nth: usize| step.rules.get(nth).or(step.rules.first()).cloned().unwrap_or_default().leak();
        let body: Value = serde_json::from_str(&step.body.join("\n")).unwrap_or_default();
        let mut spec = Self {
            step: step.name.clone().leak(),
            status_rule: rule(0),
            body_rule: rule(1),
            masks: Vec::new(),
            kind: Kind::of(step),
            free_keys: Vec::new(),
        };
        if step.interface() == Interface::Graphql {
            spec.free_keys.push(("/extensions".to_owned(), |_| true));
        }
        spec.read(&body, String::new());
        spec
    }

    fn read(&mut self, value: &Value, pointer: String) {
        match value {
            Value::String(text) => self.masks.extend(Mask::read(text).map(|mask| (pointer, mask))),
            Value::Array(items) => {
                (0..).zip(items).for_each(|(at, item): (usize, _)| self.read(item, format!("{pointer}/{at}")));
            }
            Value::Object(fields) => {
                let free = FREE_FIELDS
                    .iter()
                    .filter(|(name, _)| fields.contains_key("fechaCreacion") && !fields.contains_key(*name));
                self.free_keys.extend(free.map(|(name, passes)| (format!("{pointer}/{name}"), *passes)));
                fields.iter().for_each(|(name, field)| self.read(field, format!("{pointer}/{name}")));
            }
            _ => {}
        }
    }

    /// The rules of its status and its body, without repeats.
    pub(super) fn rules(&self) -> Vec<String> {
        let mut rules = vec![self.status_rule.to_owned(), self.body_rule.to_owned()];
        rules.dedup();
        rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "=== read: s/status, s/body\n> GET /libros/<id A>\n> X-API-Key: <test key>\n>\n> > quoted\n< 200\n\
        < Content-Type: application/json; charset=utf-8\n< Pragma: no-cache\n{\n  \"a\": 1\n}\n";

    #[test]
    fn a_block_survives_being_written_and_read() {
        let steps = Step::parse_all(TEXT);
        assert_eq!(steps.len(), 1);
        assert_eq!(steps[0].rules, ["s/status", "s/body"]);
        assert_eq!(steps[0].text(), TEXT);
    }

    #[test]
    fn a_difference_names_the_rule_of_its_place() {
        let reviewed = Step::parse_all(TEXT).remove(0);
        let spec = StepSpec::of(&reviewed);
        assert_eq!(reviewed.difference(&reviewed.clone(), &spec), None);
        let rule = |spoil: fn(&mut Step)| {
            let mut got = reviewed.clone();
            spoil(&mut got);
            reviewed.difference(&got, &spec).unwrap().rule
        };
        assert_eq!(rule(|step| step.status = "201".into()), "s/status");
        assert_eq!(rule(|step| step.body.truncate(1)), "s/body");
        assert_eq!(rule(|step| _ = step.headers.remove("Pragma")), "headers/no-cache-pragma");
        assert_eq!(
            rule(|step| _ = step.headers.insert("X-Per-Page".into(), "1".into())),
            "headers/pagination-list-only"
        );
    }
}
