//! Finds a reviewed exchange for each rule: the step whose status or body obeys it, or the first answer with its header.

use std::collections::BTreeMap;

use crate::snapshot::headers::HEADERS;
use crate::snapshot::reviewed;
use crate::snapshot::step::Step;

pub(super) struct Example {
    pub(super) name: String,
    pub(super) step: Step,
    /// The header that the rule is about, marked in the example.
    header: Option<&'static str>,
}

pub(super) struct Examples(BTreeMap<String, Example>);

impl Example {
    pub(super) fn is_about(&self, line: &str) -> bool {
        self.header.is_some_and(|header| line.starts_with(&format!("< {header}: ")))
    }
}

impl Examples {
    pub(super) fn reviewed() -> Self {
        let mut names = reviewed::names();
        // The plainest exchanges first: they show a header in its usual place.
        names.sort_by_key(|name| (name != "life_of_a_book", name.clone()));
        let mut examples = BTreeMap::new();
        for name in names {
            for step in reviewed::steps(&name).unwrap_or_default() {
                let words = format!("{}: {}", name.replace('_', " "), step.name);
                let mut add = |rule: &str, header| {
                    let example = || Example { name: words.clone(), step: step.clone(), header };
                    examples.entry(rule.to_owned()).or_insert_with(example);
                };
                step.rules.iter().for_each(|rule| add(rule, None));
                for (header, rule) in HEADERS.iter().filter(|(header, _)| step.headers.contains_key(*header)) {
                    add(rule, Some(*header));
                }
            }
        }
        Self(examples)
    }

    pub(super) fn of(&self, rule: &str) -> Option<&Example> {
        self.0.get(rule)
    }
}
