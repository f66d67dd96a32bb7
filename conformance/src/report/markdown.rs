//! The report as Markdown: the verdict, the chapters, the causes. For a comment or a step summary.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use crate::contract::edition;
use crate::printable::spelled;
use crate::report::lines::{Lines, Medium, Own, line};
use crate::report::plural::plural;
use crate::report::{hostile, undecided};
use crate::runner::cause::causes;
use crate::runner::outcome::RunOutcome;
use crate::runner::verdict::Verdict;

const CAUSES_TOLD: usize = 20;

pub(super) fn write(out: &mut Lines<'_, Markdown>, outcome: &RunOutcome) -> io::Result<()> {
    let counts = Verdict::ALL.into_iter().filter(|verdict| outcome.count(*verdict) > 0);
    let counts: Vec<_> = counts.map(|verdict| format!("{} {}", outcome.count(verdict), verdict.word())).collect();
    line!(out, "## {}: {}\n", outcome.target, Own(outcome.verdict().word()))?;
    line!(
        out,
        "{}: {}. Seed {}, {}.\n",
        Own(plural(outcome.cases.len(), "case")),
        Own(counts.join(", ")),
        outcome.seed,
        Own(edition::in_words())
    )?;
    if let Some(why) = outcome.stopped_early() {
        line!(out, "**{}.**\n", Own(why))?;
    }
    if let Some(why) = undecided::why(outcome) {
        line!(out, "{}.\n", why)?;
    }
    tell_causes(out, outcome)?;
    tell_hostile_input(out, outcome)?;
    tell_chapters(out, outcome)
}

fn tell_causes(out: &mut Lines<'_, Markdown>, outcome: &RunOutcome) -> io::Result<()> {
    let causes = causes(&outcome.cases);
    if causes.is_empty() {
        return Ok(());
    }
    line!(out, "### What failed\n\n| cases | rule | what came | first case |\n|---:|---|---|---|")?;
    for cause in causes.iter().take(CAUSES_TOLD) {
        let first = cause.cases().next().map_or("", |index| outcome.cases[index].id.as_str());
        let rule = cause.rule.as_deref().unwrap_or_default();
        line!(out, "| {} | {} | {} | {} |", cause.cases().count(), rule, cause.text, first)?;
    }
    if causes.len() > CAUSES_TOLD {
        line!(out, "\nand {}", Own(plural(causes.len() - CAUSES_TOLD, "more cause")))?;
    }
    line!(out)
}

fn tell_hostile_input(out: &mut Lines<'_, Markdown>, outcome: &RunOutcome) -> io::Result<()> {
    let rows = hostile::rows(outcome);
    if rows.is_empty() {
        return Ok(());
    }
    line!(out, "### Hostile input\n\n| input | what came of it |\n|---|---|")?;
    for row in rows {
        let mark = if row.is_grave { "**" } else { "" };
        line!(out, "| {} | {}{}{} |", Own(row.input), Own(mark), row.outcome, Own(mark))?;
    }
    line!(out)
}

fn tell_chapters(out: &mut Lines<'_, Markdown>, outcome: &RunOutcome) -> io::Result<()> {
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
    line!(out, "| chapter | pass | noted | skipped or expected | red |\n|---|---:|---:|---:|---:|")?;
    for (chapter, [pass, noted, aside, red]) in chapters {
        line!(out, "| {} | {} | {} | {} | {} |", Own(chapter), pass, noted, aside, red)?;
    }
    Ok(())
}

/// Markdown, in which a value is code: no link, no image, no mention and no HTML is read there.
#[derive(Debug)]
pub(super) enum Markdown {}

impl Medium for Markdown {
    /// At most 200 characters of it, for a cell of a table.
    fn spelled(text: &str) -> Cow<'_, str> {
        let text: String = text.chars().take(200).collect();
        let text = spelled(&text).replace('`', "'").replace('|', "\\|");
        if text.trim().is_empty() { Cow::Borrowed("") } else { Cow::Owned(format!("`{text}`")) }
    }
}
