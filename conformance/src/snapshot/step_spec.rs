//! How a step of a transcript is compared, read from the reviewed step: the relations that its values must satisfy, the keys that others may
//! add, the kind of its answer, and the rules of its status and its body.

use serde_json::Value;

use crate::implementation::profile::Interface;
use crate::snapshot::headers::Kind;
use crate::snapshot::mask::Mask;
use crate::snapshot::step::Step;

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
