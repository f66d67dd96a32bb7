//! Counts the rules that hold, by chapter and implementation. Pure.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::parsed::{ParsedReport, Standing};

/// The rules of a chapter by their verdicts for one implementation.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) holds: usize,
    pub(crate) red: usize,
    pub(crate) not_scored: usize,
}

impl Cell {
    pub(crate) fn text(self) -> String {
        let judged = self.holds + self.red;
        match (judged, self.not_scored) {
            (0, _) => "-".to_owned(),
            (_, 0) => format!("{}/{judged}", self.holds),
            (_, not_scored) => format!("{}/{judged} +{not_scored}", self.holds),
        }
    }
}

pub(crate) fn by_chapter(reports: &[ParsedReport]) -> Vec<(String, Vec<Cell>)> {
    let mut rows: BTreeMap<&str, Vec<Cell>> = BTreeMap::new();
    for (index, report) in reports.iter().enumerate() {
        for rule in &report.rules {
            let chapter = rule.id.split('/').next().unwrap_or_default();
            let row = rows.entry(chapter).or_insert_with(|| vec![Cell::default(); reports.len()]);
            match Standing::of(&rule.verdict) {
                Standing::Holds => row[index].holds += 1,
                Standing::Red => row[index].red += 1,
                Standing::NotScored => row[index].not_scored += 1,
            }
        }
    }
    rows.into_iter().map(|(chapter, cells)| (chapter.to_owned(), cells)).collect()
}

pub(crate) fn rules(reports: &[ParsedReport]) -> Vec<&str> {
    let ids: BTreeSet<&str> = reports.iter().flat_map(|report| &report.rules).map(|rule| rule.id.as_str()).collect();
    ids.into_iter().collect()
}

/// A label for each report: the name of its implementation, with the file's name if several share it.
pub(crate) fn labels(reports: &[ParsedReport], files: &[String]) -> Vec<String> {
    let is_alone = |name: &str| reports.iter().filter(|report| report.target.name == name).count() == 1;
    let label = |(report, file): (&ParsedReport, &String)| {
        let name = &report.target.name;
        if is_alone(name) { name.clone() } else { format!("{name} ({file})") }
    };
    reports.iter().zip(files).map(label).collect()
}
