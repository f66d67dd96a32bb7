//! The comparison at a terminal: the changes between two reports in at most ten lines, a matrix of more.

use std::io;

use crate::compare::changes::Changes;
use crate::compare::grid::{self, Row};
use crate::compare::matrix;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::lines::{Lines, line};
use crate::report::parsed::{ParsedReport, Standing};
use crate::report::plural::plural;

/// Ids named in a line, and rules shown with want and got.
const IDS_NAMED: usize = 3;
const RULES_TOLD: usize = 2;

pub(crate) fn changes(
    out: &mut Lines<'_>,
    [before, after]: [&ParsedReport; 2],
    changes: &Changes,
    is_verbose: bool,
) -> io::Result<()> {
    for (word, report) in [("before", before), ("after ", after)] {
        let stopped = if report.complete { "" } else { ", stopped early" };
        let (name, result) = (out.palette.strong(&report.target.name), result(&report.result, out.palette));
        line!(out, "{}  {}, {}, {}{}: {}", word, name, report.started_at, report.suite.in_words(), stopped, result)?;
    }
    if !changes.is_one_contract {
        line!(
            out,
            "{}",
            out.palette.wary("suite or contract differ: cases and rules may have come or gone with them")
        )?;
    }
    if changes.is_empty() {
        return line!(out, "nothing changed");
    }
    // At most ten lines: each other line leaves one less for rules.
    let taken = usize::from(!changes.is_one_contract) + usize::from(!changes.blocked.is_empty());
    let rules_told = if is_verbose { changes.broken.len() } else { RULES_TOLD.saturating_sub(taken) };
    tell(out, out.palette.bad("broken  "), ["rule", "rules"], &changes.broken, is_verbose)?;
    for rule in changes.broken.iter().take(rules_told) {
        if let Some(mismatch) = after.mismatch(rule) {
            let (want, got) = (brief(&mismatch.want), brief(&mismatch.got));
            line!(out, "          {}", out.palette.faint(format!("{rule}: want {want}, got {got}")))?;
        }
    }
    let blocked = ["rule", "rules"].map(|noun| format!("{noun} by a step that failed before"));
    tell(out, out.palette.bad("blocked "), [&blocked[0], &blocked[1]], &changes.blocked, is_verbose)?;
    tell(out, out.palette.bad("failing "), ["more case", "more cases"], &changes.cases_broken, is_verbose)?;
    tell(out, out.palette.good("mended  "), ["rule", "rules"], &changes.mended, is_verbose)?;
    let gone = out.palette.wary("gone    ");
    if changes.vanished.is_empty() {
        let [one, many] = ["rule", "rules"].map(|noun| format!("{noun} no longer judged, or expected to fail now"));
        tell(out, gone, [&one, &many], &changes.unjudged, is_verbose)?;
    } else {
        let judged = format!("{} no longer judged", plural(changes.unjudged.len(), "rule"));
        let [one, many] = ["case vanished", "cases vanished"].map(|noun| format!("{noun}, {judged}"));
        tell(out, gone, [&one, &many], &changes.vanished, is_verbose)?;
    }
    tell(out, "new     ", ["case", "cases"], &changes.appeared, is_verbose)?;
    let others: Vec<String> =
        changes.readings.iter().map(|(rule, was, is)| format!("{rule}: {} -> {}", brief(was), brief(is))).collect();
    tell(out, "readings", ["open rule", "open rules"], &others, is_verbose)
}

fn tell(
    out: &mut Lines<'_>,
    word: impl Into<Printable>,
    noun: [&str; 2],
    items: &[String],
    is_verbose: bool,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    let shown = if is_verbose { items.len() } else { items.len().min(IDS_NAMED) };
    let left = items.len() - shown;
    let more = if left > 0 { format!(" and {left} more: -v names them") } else { String::new() };
    let noun = noun[usize::from(items.len() > 1)];
    line!(out, "{}  {} {}: {}{}", word.into(), items.len(), noun, items[..shown].join(", "), more)
}

fn brief(text: &str) -> String {
    const CHARS: usize = 60;
    match text.char_indices().nth(CHARS) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}...", &text[..cut]),
    }
}

fn result(word: &str, palette: Palette) -> Printable {
    match word {
        "conformant" => palette.good(word),
        "partial" | "nothing-judged" | "undecided" => palette.wary(word),
        _ => palette.bad(word),
    }
}

/// Writes the matrix: a column per report, a row per chapter, and with `is_verbose` every rule below its chapter.
pub(crate) fn matrix(
    out: &mut Lines<'_>,
    reports: &[ParsedReport],
    labels: &[String],
    is_verbose: bool,
    columns: usize,
) -> io::Result<()> {
    for (index, (label, report)) in labels.iter().zip(reports).enumerate() {
        let stopped = if report.complete { "" } else { ", stopped early" };
        let (label, result) = (out.palette.strong(label), result(&report.result, out.palette));
        line!(out, "{:>2}  {}, {}{}: {}", index + 1, label, report.suite.in_words(), stopped, result)?;
    }
    if reports.iter().any(|report| report.suite != reports[0].suite) {
        line!(out, "{}", out.palette.wary("suites or contracts differ: a number counts only beside those of its own"))?;
    }
    line!(out, "\nrules that hold, of those judged")?;
    let mut rows = Vec::new();
    for (chapter, cells) in matrix::by_chapter(reports) {
        let own = format!("{chapter}/");
        rows.push(Row { name: chapter, cells: cells.iter().map(|cell| (cell.text(), cell.red > 0)).collect() });
        if is_verbose {
            for rule in matrix::rules(reports).into_iter().filter(|rule| rule.starts_with(&own)) {
                let verdicts = reports.iter().map(|report| report.verdict(rule).unwrap_or("-"));
                let is_red = |word: &str| Standing::of(word) == Standing::Red && word != "-";
                let cells = verdicts.map(|word| (word.to_owned(), is_red(word))).collect();
                rows.push(Row { name: format!("  {rule}"), cells });
            }
        }
    }
    grid::write(out, labels, &rows, columns)
}
