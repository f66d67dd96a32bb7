//! The contract: all rules of the two documents, read once from `seeds/rules/*.toml`, which are built into the program.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use libros_conformance_kit::worded;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

pub(crate) static RULE_FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../seeds/rules");

static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
    let files = RULE_FILES.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)));
    Contract::parse(files).unwrap_or_else(|why| panic!("the rules built into this program cannot be read: {why}"))
});

worded! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Level by word {
        /// The documents say so; judged.
        Stated = "stated",
        /// Odd, but written so; judged.
        Quirk = "quirk",
        /// Follows from the documents by an argument, which the rule states; judged.
        Derived = "derived",
        /// The documents are silent or unclear: an implementation must follow one of the accepted readings, which is noted.
        Open = "open",
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// `chapter/words`; never renamed, never reused.
    pub id: String,
    pub level: Level,
    pub source: String,
    pub text: String,
    /// Derived rules: the argument, in one sentence.
    pub because: Option<String>,
    /// Open rules: the readings a suite accepts, the reference's first.
    #[serde(default, deserialize_with = "readings_in_order")]
    pub accepts: Vec<AcceptedReading>,
    /// Open rules: what cases report of it beside, or instead of, the readings; not judged.
    pub told: Option<String>,
    /// Why it cannot be observed; then no case judges it.
    pub hidden: Option<String>,
    /// Why no line of the server decides it, if none does.
    pub unbuilt: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcceptedReading {
    /// The word by which cases name it, unique within its rule.
    pub id: String,
    pub text: String,
}

fn readings_in_order<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<AcceptedReading>, D::Error> {
    let readings = toml::Table::deserialize(deserializer)?.into_iter();
    readings.map(|(id, text)| Ok(AcceptedReading { id, text: text.try_into().map_err(D::Error::custom)? })).collect()
}

impl Rule {
    pub fn reading(&self, id: &str) -> Option<&AcceptedReading> {
        self.accepts.iter().find(|reading| reading.id == id)
    }

    /// The mark behind its id in lists: open or hidden.
    pub(crate) fn mark(&self) -> &'static str {
        match (&self.hidden, self.level) {
            (Some(_), _) => " (hidden)",
            (None, Level::Open) => " (open)",
            _ => "",
        }
    }

    pub fn chapter(&self) -> &str {
        self.id.split('/').next().unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        self.id.split_once('/').map_or("", |(_, name)| name)
    }

    /// Whether a case must judge it: binding and visible from outside.
    pub fn is_judged(&self) -> bool {
        self.level != Level::Open && self.hidden.is_none()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    rule: Vec<Rule>,
}

/// The purpose of a chapter: the comment at the top of its file.
pub(crate) fn about_chapter(chapter: &str) -> Option<String> {
    let text = RULE_FILES.get_file(format!("{chapter}.toml"))?.contents_utf8()?;
    let lines: Vec<_> = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}

#[derive(Debug)]
pub struct Contract {
    rules: BTreeMap<String, Rule>,
}

impl Contract {
    pub fn built_in() -> &'static Self {
        &CONTRACT
    }

    pub fn parse<'a>(files: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Self, String> {
        let mut rules = BTreeMap::new();
        for (name, text) in files {
            let Some(chapter) = name.strip_suffix(".toml") else { continue };
            let file: RuleFile = toml::from_str(text).map_err(|error| format!("{name}: {error}"))?;
            for rule in file.rule {
                if rule.chapter() != chapter {
                    return Err(format!("{name}: rule {} belongs in {}.toml", rule.id, rule.chapter()));
                }
                if let Some(twice) = rules.insert(rule.id.clone(), rule) {
                    return Err(format!("{name}: rule {} is declared twice", twice.id));
                }
            }
        }
        Ok(Self { rules })
    }

    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.rules.values()
    }

    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.get(id)
    }

    /// Whether the rule is one whose readings are equally good.
    pub fn is_open(&self, id: &str) -> bool {
        self.rule(id).is_some_and(|rule| rule.level == Level::Open)
    }

    pub fn are_open(&self, ids: &[&str]) -> bool {
        ids.iter().all(|id| self.is_open(id))
    }
}
