//! How one step of a transcript is shown, and which rules its status and its body obey.

use crate::snapshot::headers::Kind;
use crate::snapshot::mask::Mask;

/// Whether a value may stand where nothing need stand.
type Passes = fn(&serde_json::Value) -> bool;

/// How one step of a transcript is shown and judged.
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
    /// A step, what kind of answer it brings, the rule its status obeys and the rule its body obeys.
    pub(crate) fn new(step: &'static str, kind: Kind, status_rule: &'static str, body_rule: &'static str) -> Self {
        Self { step, kind, status_rule, body_rule, masks: Vec::new(), free_keys: Vec::new() }
    }

    /// The rules of its status and its body, each once.
    pub(super) fn rules(&self) -> Vec<String> {
        let mut rules = vec![self.status_rule.to_owned(), self.body_rule.to_owned()];
        rules.dedup();
        rules
    }

    /// Shows the value at a JSON pointer as a relation, once it was verified.
    #[must_use]
    pub(crate) fn mask(mut self, pointer: &'static str, mask: Mask) -> Self {
        self.masks.push((pointer, mask));
        self
    }

    /// Shows the refusal's text as free.
    #[must_use]
    pub(crate) fn refusal(self) -> Self {
        self.mask("/error", Mask::Text)
    }

    /// A key another implementation may add here, when its value passes.
    #[must_use]
    pub(crate) fn free_key(mut self, pointer: &'static str, passes: Passes) -> Self {
        self.free_keys.push((pointer, passes));
        self
    }
}
