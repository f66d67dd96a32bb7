//! The report as Markdown: the verdict, the chapters, the causes. For a comment or a step summary.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::contract::edition;
use crate::report::plural::plural;
use crate::report::{hostile, undecided};
use crate::runner::cause::causes;
use crate::runner::outcome::{RunOutcome, Verdict};

const CAUSES_TOLD: usize = 20;

/// Writes it.
///
/// # Errors
/// When the writer fails.
pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let counts = Verdict::ALL.into_iter().filter(|verdict| outcome.count(*verdict) > 0);
    let counts: Vec<_> = counts.map(|verdict| format!("{} {}", outcome.count(verdict), verdict.word())).collect();
    writeln!(out, "## {}: {}\n", plain(&outcome.target), outcome.verdict().word())?;
    writeln!(
        out,
        "{}: {}. Seed {}, {}.\n",
        plural(outcome.cases.len(), "case"),
        counts.join(", "),
        outcome.seed,
        edition::told()
    )?;
    if !outcome.is_complete {
        writeln!(out, "**Stopped early: this report is incomplete.**\n")?;
    }
    if let Some(why) = undecided::why(outcome) {
        writeln!(out, "{}.\n", plain(&why))?;
    }
    tell_causes(out, outcome)?;
    tell_hostile_input(out, outcome)?;
    tell_chapters(out, outcome)
}

fn tell_causes(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let causes = causes(&outcome.cases);
    if causes.is_empty() {
        return Ok(());
    }
    writeln!(out, "### What failed\n\n| cases | rule | what came | first case |\n|---:|---|---|---|")?;
    for cause in causes.iter().take(CAUSES_TOLD) {
        let first = cause.cases().next().map_or("", |index| outcome.cases[index].id.as_str());
        let rule = cause.rule.as_ref().map_or(String::new(), |rule| format!("`{rule}`"));
        writeln!(out, "| {} | {rule} | {} | `{first}` |", cause.cases().count(), plain(&cause.text))?;
    }
    if causes.len() > CAUSES_TOLD {
        writeln!(out, "\nand {}", plural(causes.len() - CAUSES_TOLD, "more cause"))?;
    }
    writeln!(out)
}

fn tell_hostile_input(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let rows = hostile::rows(outcome);
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "### Hostile input\n\n| input | what came of it |\n|---|---|")?;
    for row in rows {
        let mark = if row.is_grave { "**" } else { "" };
        writeln!(out, "| {} | {mark}{}{mark} |", plain(&row.input), plain(&row.outcome))?;
    }
    writeln!(out)
}

fn tell_chapters(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    let mut chapters: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for case in &outcome.cases {
        let row = chapters.entry(case.id.split("::").next().unwrap_or_default()).or_default();
        row[match case.verdict {
            Verdict::Pass => 0,
            Verdict::Noted => 1,
            Verdict::Skipped | Verdict::ExpectedFail => 2,
            _ => 3,
        }] += 1;
    }
    writeln!(out, "| chapter | pass | noted | skipped or expected | red |\n|---|---:|---:|---:|---:|")?;
    for (chapter, [pass, noted, aside, red]) in chapters {
        writeln!(out, "| {chapter} | {pass} | {noted} | {aside} | {red} |")?;
    }
    Ok(())
}

/// One line of a table cell, at most 200 characters, without anything that Markdown or HTML would read.
fn plain(text: &str) -> String {
    let text: String = text.chars().take(200).collect();
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|").replace('`', "'");
    text.replace(['\n', '\r'], " ")
}
