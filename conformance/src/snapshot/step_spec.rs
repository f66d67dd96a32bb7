//! How a step of a transcript is rendered, and the rules of its status and its body.

use crate::snapshot::headers::Kind;
use crate::snapshot::mask::Mask;

type Passes = fn(&serde_json::Value) -> bool;

#[derive(Debug, Clone)]
pub(crate) struct StepSpec {
    pub(crate) step: &'static str,
    pub(crate) status_rule: &'static str,
    pub(crate) body_rule: &'static str,
    pub(crate) masks: Vec<(&'static str, Mask)>,
    pub(crate) kind: Kind,
    pub(crate) free_keys: Vec<(&'static str, Passes)>,
}

impl StepSpec {
    pub(crate) fn new(step: &'static str, kind: Kind, status_rule: &'static str, body_rule: &'static str) -> Self {
        Self { step, kind, status_rule, body_rule, masks: Vec::new(), free_keys: Vec::new() }
    }

    /// With one rule of its status and its body.
    pub(crate) fn of_rule(step: &'static str, kind: Kind, rule: &'static str) -> Self {
        Self::new(step, kind, rule, rule)
    }

    /// The rules of its status and its body, without repeats.
    pub(super) fn rules(&self) -> Vec<String> {
        let mut rules = vec![self.status_rule.to_owned(), self.body_rule.to_owned()];
        rules.dedup();
        rules
    }

    /// Shows the value at a JSON pointer as this relation.
    #[must_use]
    pub(crate) fn mask(mut self, pointer: &'static str, mask: Mask) -> Self {
        self.masks.push((pointer, mask));
        self
    }

    /// Shows the text of a refusal as free.
    #[must_use]
    pub(crate) fn refusal(self) -> Self {
        self.mask("/error", Mask::Text)
    }

    /// Ignores a key that other implementations may add, if its value passes.
    #[must_use]
    pub(crate) fn free_key(mut self, pointer: &'static str, passes: Passes) -> Self {
        self.free_keys.push((pointer, passes));
        self
    }
}
