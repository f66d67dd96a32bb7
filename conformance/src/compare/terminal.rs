//! The comparison at a terminal: the changes between two reports in at most ten lines, a matrix of more.

use askama::Template;

use crate::compare::changes::Changes;
use crate::compare::grid::{self, Row};
use crate::compare::matrix;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::judged::fitted;
use crate::report::parsed::{ParsedReport, Standing};
use crate::report::plural::plural;

/// How many ids a line names, and how many rules show want and got.
const IDS_NAMED: usize = 3;
const RULES_SHOWN: usize = 2;

#[derive(Template)]
#[template(path = "compare/changes.lines")]
pub(crate) struct ChangesAtTerminal<'r> {
    /// The reports before and after.
    pub(crate) reports: [(&'static str, &'r ParsedReport); 2],
    pub(crate) changes: &'r Changes,
    pub(crate) is_verbose: bool,
    pub(crate) palette: Palette,
}

impl ChangesAtTerminal<'_> {
    /// How many items there are, and the first of them.
    fn listed(&self, items: &[String], one: &str, many: &str) -> Option<String> {
        let shown = if self.is_verbose { items.len() } else { items.len().min(IDS_NAMED) };
        let left = items.len() - shown;
        let more = if left > 0 { format!(" and {left} more: -v names them") } else { String::new() };
        let noun = if items.len() > 1 { many } else { one };
        (!items.is_empty()).then(|| format!("{} {noun}: {}{more}", items.len(), items[..shown].join(", ")))
    }

    fn broken_rules(&self) -> Vec<String> {
        let Self { changes, reports: [_, (_, after)], is_verbose, .. } = self;
        // At most ten lines: each other line leaves one less for rules.
        let taken = usize::from(!changes.is_one_contract) + usize::from(!changes.blocked.is_empty());
        let shown = if *is_verbose { changes.broken.len() } else { RULES_SHOWN.saturating_sub(taken) };
        let line = |rule: &String| {
            let mismatch = after.mismatch(rule)?;
            Some(format!("{rule}: want {}, got {}", brief(&mismatch.want), brief(&mismatch.got)))
        };
        changes.broken.iter().take(shown).filter_map(line).collect()
    }

    fn gone(&self) -> Option<String> {
        let Changes { vanished, unjudged, .. } = self.changes;
        self.cases_or_rules(vanished, " vanished", unjudged, "no longer judged, or expected to fail now")
    }

    fn came(&self) -> Option<String> {
        self.cases_or_rules(&self.changes.appeared, "", &self.changes.newly_judged, "judged only now")
    }

    /// Cases, with how many rules went the same way, which `-v` names; or else these rules.
    fn cases_or_rules(&self, cases: &[String], how: &str, rules: &[String], judged: &str) -> Option<String> {
        let of_rules = self.listed(rules, &format!("rule {judged}"), &format!("rules {judged}"));
        let count = format!("{} {judged}", plural(rules.len(), "rule"));
        let Some(of_cases) = self.listed(cases, &format!("case{how}, {count}"), &format!("cases{how}, {count}")) else {
            return of_rules;
        };
        let named = of_rules.filter(|_| self.is_verbose).map_or_else(String::new, |rules| format!("; {rules}"));
        Some(of_cases + &named)
    }

    fn readings(&self) -> Option<String> {
        let reading = |(rule, was, is): &(String, String, String)| format!("{rule}: {} -> {}", brief(was), brief(is));
        let readings: Vec<_> = self.changes.readings.iter().map(reading).collect();
        self.listed(&readings, "open rule", "open rules")
    }
}

fn brief(text: &str) -> String {
    fitted(text, 60)
}

/// A column per report, a row per chapter.
#[derive(Template)]
#[template(path = "compare/matrix.lines")]
pub(crate) struct Matrix<'r> {
    reports: Vec<(&'r String, &'r ParsedReport)>,
    grid: Vec<Printable>,
    palette: Palette,
}

impl<'r> Matrix<'r> {
    /// With `is_verbose` every rule is below its chapter.
    pub(crate) fn of(
        reports: &'r [ParsedReport],
        labels: &'r [String],
        is_verbose: bool,
        (columns, palette): (usize, Palette),
    ) -> Self {
        let mut rows = Vec::new();
        for (chapter, cells) in matrix::by_chapter(reports) {
            let own = format!("{chapter}/");
            rows.push(Row { name: chapter, cells: cells.iter().map(|cell| (cell.text(), cell.red > 0)).collect() });
            for rule in matrix::rules(reports).into_iter().filter(|rule| is_verbose && rule.starts_with(&own)) {
                let verdicts = reports.iter().map(|report| report.verdict(rule).unwrap_or("-"));
                let is_red = |word: &str| Standing::of(word) == Standing::Red && word != "-";
                let cells = verdicts.map(|word| (word.to_owned(), is_red(word))).collect();
                rows.push(Row { name: format!("  {rule}"), cells });
            }
        }
        let grid = grid::lines(labels, &rows, columns, palette);
        Self { reports: labels.iter().zip(reports).collect(), grid, palette }
    }

    fn is_mixed(&self) -> bool {
        self.reports.iter().any(|(_, report)| report.suite != self.reports[0].1.suite)
    }
}
