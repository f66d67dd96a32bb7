//! The data of the book's pages. Writes no markup.

use std::collections::BTreeMap;

use crate::book::examples::Examples;
use crate::case::Case;
use crate::contract::locations;
use crate::contract::rule::{Contract, Rule};
use crate::report::parsed::{ParsedReport, Standing};

pub(super) struct Contents<'b> {
    pub(super) contract: &'b Contract,
    pub(super) cases: &'b [&'b Case],
    /// A report whose verdicts and readings are shown beside the rules.
    pub(super) report: Option<&'b ParsedReport>,
    pub(super) examples: Examples,
    /// Chapters in the order of the cases, which is that of the documents, each with its rules in the order of their
    /// declaration.
    pub(super) chapters: Vec<(&'b str, Vec<&'b Rule>)>,
    pub(super) pages: Vec<(String, String)>,
}

impl<'b> Contents<'b> {
    /// `endings`: file and title of the pages behind the chapters.
    pub(super) fn new(
        contract: &'b Contract,
        cases: &'b [&'b Case],
        report: Option<&'b ParsedReport>,
        endings: impl Iterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        let mut chapters: BTreeMap<&str, Vec<&Rule>> = BTreeMap::new();
        for rule in contract.rules() {
            chapters.entry(rule.chapter()).or_default().push(rule);
        }
        for rules in chapters.values_mut() {
            rules.sort_by_key(|rule| line_of(rule));
        }
        let mut chapters: Vec<_> = chapters.into_iter().collect();
        chapters
            .sort_by_key(|(chapter, _)| cases.iter().position(|case| case.chapter == *chapter).unwrap_or(usize::MAX));
        let first = [(INDEX.to_owned(), "overview".to_owned())].into_iter();
        let middle = chapters.iter().map(|(chapter, _)| (file_of(chapter), (*chapter).to_owned()));
        let last = endings.map(|(file, title)| (file.to_owned(), title.to_owned()));
        let pages = first.chain(middle).chain(last).collect();
        Self { contract, cases, report, examples: Examples::reviewed(), chapters, pages }
    }
}

impl Contents<'_> {
    /// How many of these rules have this standing in the report; `None` without a report.
    pub(super) fn count(&self, rules: &[&Rule], standing: Standing) -> Option<usize> {
        let report = self.report?;
        let verdicts = rules.iter().filter_map(|rule| report.verdict(&rule.id));
        Some(verdicts.filter(|verdict| Standing::of(verdict) == standing).count())
    }
}

pub(super) const INDEX: &str = "index.html";
pub(super) const STYLE_FILE: &str = "style.css";

pub(super) fn file_of(chapter: &str) -> String {
    format!("{chapter}.html")
}

pub(super) fn link_to(rule: &str) -> String {
    let (chapter, name) = rule.split_once('/').unwrap_or((rule, ""));
    format!("{}#{name}", file_of(chapter))
}

fn line_of(rule: &Rule) -> u32 {
    let place = locations::rule(&rule.id).and_then(|place| place.rsplit_once(':'));
    place.and_then(|(_, line)| line.parse().ok()).unwrap_or_default()
}
