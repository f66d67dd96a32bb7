//! Reads json reports back, for `compare` and the book. Trusts no file.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

const FORMAT: &str = "libros-conformance/1";

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ParsedReport {
    pub(crate) suite: Suite,
    pub(crate) target: TargetName,
    pub(crate) started_at: String,
    pub(crate) complete: bool,
    pub(crate) result: String,
    pub(crate) cases: Vec<ParsedCase>,
    pub(crate) rules: Vec<ParsedRule>,
}

/// Which suite and which contract; reports of the first suites name no contract.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Suite {
    pub(crate) version: String,
    #[serde(default)]
    pub(crate) contract: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct TargetName {
    pub(crate) name: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ParsedCase {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) mismatch: Option<ParsedMismatch>,
    #[serde(default)]
    pub(crate) notes: Vec<Note>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ParsedMismatch {
    pub(crate) rule: String,
    pub(crate) want: String,
    pub(crate) got: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Note {
    pub(crate) rule: String,
    pub(crate) reading: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct ParsedRule {
    pub(crate) id: String,
    pub(crate) verdict: String,
    pub(crate) cases: Vec<String>,
}

impl Suite {
    /// Both in words, the contract by its first digits.
    pub(crate) fn in_words(&self) -> String {
        let digits: String = self.contract.chars().take(12).collect();
        let contract = if digits.is_empty() { "unknown".to_owned() } else { digits };
        format!("suite {}, contract {contract}", self.version)
    }
}

impl ParsedReport {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| match text.trim_start().chars().next() {
            None => "the file is empty; was the run stopped before its reports were written?".to_owned(),
            Some('<' | 'T' | '#') => {
                "it is not JSON; of the reports of a run only the json one can be read back".into()
            }
            _ => format!("it is not JSON: {error}; was it cut short?"),
        })?;
        match value.get("format").and_then(Value::as_str) {
            Some(FORMAT) => {}
            Some(other) => return Err(format!("its format is `{other}`, and `{FORMAT}` is wanted")),
            None => return Err(format!("it is JSON but no report: it has no key `format` with `{FORMAT}`")),
        }
        serde_json::from_value(value).map_err(|error| format!("it calls itself a report, but {error}"))
    }

    pub(crate) fn verdict(&self, rule: &str) -> Option<&str> {
        self.rules.iter().find(|known| known.id == rule).map(|known| known.verdict.as_str())
    }

    /// The readings seen of each open rule, each once.
    pub(crate) fn readings(&self) -> BTreeMap<&str, Vec<&str>> {
        let mut readings: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for note in self.cases.iter().flat_map(|case| &case.notes) {
            let seen = readings.entry(&note.rule).or_default();
            if !seen.contains(&note.reading.as_str()) {
                seen.push(&note.reading);
            }
        }
        readings.values_mut().for_each(|seen| seen.sort_unstable());
        readings
    }

    /// What the first case that found a rule broken wanted and got.
    pub(crate) fn mismatch(&self, rule: &str) -> Option<&ParsedMismatch> {
        self.cases.iter().filter_map(|case| case.mismatch.as_ref()).find(|mismatch| mismatch.rule == rule)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Standing {
    /// As [`Verdict::is_red`](crate::runner::outcome::Verdict::is_red).
    Red,
    /// Skipped, or known to fail.
    NotScored,
    Holds,
}

impl Standing {
    /// Of a verdict as reports spell it.
    pub(crate) fn of(verdict: &str) -> Self {
        match verdict {
            "pass" | "noted" => Self::Holds,
            "skipped" | "expected_fail" => Self::NotScored,
            _ => Self::Red,
        }
    }
}
