//! The report as Markdown: the verdict, the chapters, the causes. For a comment or a step summary.

use std::collections::BTreeMap;

use askama::Template;

use crate::contract::edition;
use crate::printable::spelled;
use crate::report::plural::{counts, plural};
use crate::report::{hostile, undecided};
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{RunOutcome, Verdict};

const CAUSES_NAMED: usize = 20;

#[derive(Template)]
#[template(path = "report/markdown.md")]
pub(super) struct Markdown<'o> {
    outcome: &'o RunOutcome,
    causes: Vec<Cause>,
}

impl<'o> Markdown<'o> {
    pub(super) fn of(outcome: &'o RunOutcome) -> Self {
        Self { outcome, causes: causes(&outcome.cases) }
    }

    /// By chapter, how many cases passed, were noted, were skipped or expected to fail, and are red.
    fn chapters(&self) -> BTreeMap<&str, [usize; 4]> {
        let mut chapters: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
        for case in &self.outcome.cases {
            let row = chapters.entry(case.chapter()).or_default();
            row[match case.verdict {
                Verdict::Pass => 0,
                Verdict::Noted => 1,
                Verdict::Skipped | Verdict::ExpectedFail => 2,
                _ => 3,
            }] += 1;
        }
        chapters
    }
}

escaper! {
    /// A value is code, of at most 200 characters, for a cell of a table: no link, no image, no mention and no HTML is read there.
    Code by as_code
}

fn as_code(text: &str) -> String {
    let text: String = text.chars().take(200).collect();
    let text = spelled(&text).replace('`', "'").replace('|', "\\|");
    if text.trim().is_empty() { String::new() } else { format!("`{text}`") }
}
