//! The ledger: every sentence and table row of the documents, with the rules that judge it, or the reason why it cannot be observed.
//!
//! Has a digest of each sentence and none of its words. Read once from `seeds/ledger.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::contract::sentences::{self, digest};

static LEDGER: LazyLock<Ledger> = LazyLock::new(|| {
    let text = include_str!("../../../seeds/ledger.toml");
    toml::from_str(text).unwrap_or_else(|why| panic!("the ledger built into this program cannot be read: {why}"))
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    #[serde(rename = "section")]
    pub(crate) sections: Vec<Section>,
}

/// The sentences of one section, numbered from 1.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    pub(crate) at: String,
    pub(crate) sentences: Vec<Sentence>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sentence {
    digest: String,
    #[serde(default)]
    pub(crate) rules: Vec<String>,
    /// Why it, or a part of it, cannot be observed.
    pub(crate) because: Option<String>,
}

impl Ledger {
    pub fn built_in() -> &'static Self {
        &LEDGER
    }

    pub(crate) fn documents(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.sections.iter().map(|section| section.document()).collect();
        names.dedup();
        names
    }

    /// The differences of a document from the ledger: a line for each sentence that changed, is new or is gone.
    pub(crate) fn differences(&self, document: &str, text: &str) -> Vec<String> {
        let (mut differences, found) = (Vec::new(), sentences::sections(text));
        let known: Vec<&Section> = self.sections.iter().filter(|section| section.document() == document).collect();
        for section in &known {
            let heading = section.heading();
            let Some(found) = found.iter().find(|found| found.name == heading) else {
                differences.push(format!("{}: the section is gone", section.at));
                continue;
            };
            let digests: Vec<String> = found.sentences.iter().map(|sentence| digest(sentence)).collect();
            for (number, _) in (1..).zip(&section.sentences).filter(|(_, known)| !digests.contains(&known.digest)) {
                differences.push(format!("{}, {number}: the sentence is gone or changed", section.at));
            }
            for ((number, sentence), digest) in (1..).zip(&found.sentences).zip(&digests) {
                if section.sentences.iter().all(|known| known.digest != *digest) {
                    differences.push(format!("{}, {number}: a new sentence: {sentence}", section.at));
                }
            }
        }
        let is_new = |found: &&sentences::Section| known.iter().all(|section| section.heading() != found.name);
        differences
            .extend(found.iter().filter(is_new).map(|found| format!("{document}, {}: a new section", found.name)));
        differences
    }
}

impl Section {
    fn document(&self) -> &str {
        self.at.split(", ").next().unwrap_or_default()
    }

    fn heading(&self) -> &str {
        self.at.split_once(", ").map_or("", |(_, heading)| heading)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::contract::rule::Contract;

    #[test]
    fn every_sentence_has_rules_that_exist_or_a_reason() {
        for section in &Ledger::built_in().sections {
            for (number, sentence) in (1..).zip(&section.sentences) {
                let at = format!("{}, {number}", section.at);
                assert!(!sentence.rules.is_empty() || sentence.because.is_some(), "{at} has neither rule nor reason");
                for id in &sentence.rules {
                    assert!(Contract::built_in().rule(id).is_some(), "{at} names `{id}`, which is not a rule");
                }
            }
        }
    }

    #[test]
    fn every_rule_has_a_sentence() {
        let sentences = Ledger::built_in().sections.iter().flat_map(|section| &section.sentences);
        let named: BTreeSet<&str> = sentences.flat_map(|sentence| &sentence.rules).map(String::as_str).collect();
        let rules = Contract::built_in().rules().map(|rule| rule.id.as_str());
        let missing: Vec<&str> = rules.filter(|id| !named.contains(id)).collect();
        assert!(missing.is_empty(), "no sentence of seeds/ledger.toml names {missing:?}: add each to its line");
    }

    #[test]
    fn each_change_of_a_document_has_its_section_and_number() {
        let sentence = |text: &str| Sentence { digest: digest(text), rules: Vec::new(), because: None };
        let section = |at: &str, texts: &[&str]| Section {
            at: at.to_owned(),
            sentences: texts.iter().map(|text| sentence(text)).collect(),
        };
        let ledger = Ledger {
            sections: vec![section("d, introduction", &["One.", "Two.", "Three."]), section("d, Old", &["X."])],
        };
        assert!(ledger.differences("d", "# D\n\nOne. Two. Three.\n\n## Old\n\nX.\n").is_empty());
        let differences = ledger.differences("d", "# D\n\nOne. Dos. Three. Four.\n\n## New\n\nX.\n");
        let wanted = [
            "d, introduction, 2: the sentence is gone or changed",
            "d, introduction, 2: a new sentence: Dos.",
            "d, introduction, 4: a new sentence: Four.",
            "d, Old: the section is gone",
            "d, New: a new section",
        ];
        assert_eq!(differences, wanted);
    }
}
