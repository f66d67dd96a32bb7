//! The report a person reads at a terminal: a line a chapter, the causes of what failed, the broken rules, the last word.
//!
//! Short by default, so that one fault is one page; `-v` shows every failure.

use std::collections::BTreeMap;
use std::io;

use crate::contract::edition;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::judged::shortened;
use crate::report::lines::{Lines, Terminal, line};
use crate::report::plural::plural;
use crate::report::{failure, hostile, undecided};
use crate::runner;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{CaseOutcome, RunOutcome, RunVerdict, Verdict};

/// Causes shown with an exchange.
const CAUSES_SHOWN: usize = 4;
/// Causes told in one line after those.
const CAUSES_NAMED: usize = 8;
/// Cases named of one cause, and rules named at the end.
const IDS_NAMED: usize = 8;
const RULES_NAMED: usize = 40;

/// Writes it.
///
/// # Errors
/// As the writer's.
pub(super) fn write(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    chapters(out, outcome, palette)?;
    if outcome.is_verbose {
        for case in &outcome.cases {
            if is_red(case) {
                failure::write(out, case, outcome.is_traced, palette)?;
            } else if outcome.shows_passes {
                failure::trace(out, case, palette)?;
            }
        }
    } else {
        told_by_cause(out, outcome, palette)?;
    }
    broken_rules(out, outcome, palette)?;
    hostile_input(out, outcome, palette)?;
    notes(out, outcome, palette)?;
    answers(out, outcome, palette)?;
    skips(out, outcome, palette)?;
    last_word(out, outcome, palette)
}

fn is_red(case: &CaseOutcome) -> bool {
    !matches!(case.verdict, Verdict::Pass | Verdict::Noted | Verdict::ExpectedFail | Verdict::Skipped)
}

/// Whether an answer came too late for the case to be judged.
fn is_late(case: &CaseOutcome) -> bool {
    is_red(case) && case.exchanges.iter().any(|exchange| exchange.received.as_ref().is_err_and(|none| none.is_late))
}

/// A line for each chapter; in a short report of a red run the clean ones share one.
fn chapters(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    line!(out, "{}  seed {}, {}", palette.strong(&outcome.target), outcome.seed, edition::in_words())?;
    let mut chapters: Vec<(&str, Vec<&CaseOutcome>)> = Vec::new();
    for case in &outcome.cases {
        let chapter = case.id.split("::").next().unwrap_or_default();
        match chapters.iter_mut().find(|(name, _)| *name == chapter) {
            Some((_, cases)) => cases.push(case),
            None => chapters.push((chapter, vec![case])),
        }
    }
    let is_short = !outcome.is_verbose && outcome.cases.iter().any(is_red);
    let (clean, told): (Vec<_>, Vec<_>) =
        chapters.into_iter().partition(|(_, cases)| is_short && !cases.iter().any(|case| is_red(case)));
    for (chapter, cases) in told {
        line!(out, "  {:16} {}", chapter, counts(&cases, palette))?;
    }
    if clean.is_empty() {
        return Ok(());
    }
    let cases: Vec<_> = clean.iter().flat_map(|(_, cases)| cases.iter().copied()).collect();
    let name = format!("{} more", clean.len());
    line!(out, "  {:16} {}", name, counts(&cases, palette))
}

fn counts(cases: &[&CaseOutcome], palette: Palette) -> Printable {
    let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = cases.iter().filter(|case| case.verdict == verdict).count();
        (count > 0).then(|| shade(verdict, palette, &format!("{count} {}", verdict.word())))
    });
    Printable::joined(counts, ", ")
}

fn shade(verdict: Verdict, palette: Palette, text: &str) -> Printable {
    match verdict {
        Verdict::Pass => palette.good(text),
        Verdict::Noted | Verdict::ExpectedFail => text.into(),
        Verdict::Skipped => palette.wary(text),
        _ => palette.bad(text),
    }
}

/// The most telling causes with an exchange each, some more by name, the rest counted.
fn told_by_cause(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let causes = causes(&outcome.cases);
    let shown = causes.len().min(CAUSES_SHOWN);
    for cause in &causes[..shown] {
        let first = cause.cases().next().map(|index| &outcome.cases[index]);
        first.map_or(Ok(()), |case| failure::write(out, case, outcome.is_traced, palette))?;
        others(out, outcome, cause, palette)?;
    }
    let rest = &causes[shown..];
    for cause in rest.iter().take(CAUSES_NAMED) {
        let count = cause.cases().count();
        let id = cause.cases().next().map_or("", |index| outcome.cases[index].id.as_str());
        line!(out, "\n{} {}, {} in all", palette.bad("ALSO"), palette.strong(id), count)?;
        if let Some(rule) = &cause.rule {
            line!(out, "  rule   {}", rule)?;
        }
        line!(out, "  {}", shortened(&cause.text, 100))?;
    }
    if rest.len() > CAUSES_NAMED {
        let left = plural(rest.len() - CAUSES_NAMED, "more cause");
        line!(out, "\nand {}: -v shows every failure, --report json=FILE keeps them all", left)?;
    }
    Ok(())
}

/// The other cases of a cause, and how many it blocks.
fn others(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, cause: &Cause, palette: Palette) -> io::Result<()> {
    let named = |indices: &[usize]| {
        // One that another rule failed says which: it is not the one above.
        let told = |index: &usize| {
            let case = &outcome.cases[*index];
            let rule = case.mismatch.as_ref().map(|mismatch| &mismatch.rule);
            match rule.filter(|rule| Some(*rule) != cause.rule.as_ref()) {
                Some(rule) => format!("{} (rule {rule})", case.id),
                None => case.id.clone(),
            }
        };
        let ids: Vec<_> = indices.iter().take(IDS_NAMED).map(told).collect();
        let more = indices.len().saturating_sub(IDS_NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", ids.join(", "))
    };
    let first_is_failed = !cause.failed.is_empty();
    let failed = &cause.failed[usize::from(first_is_failed)..];
    let blocked = &cause.blocked[usize::from(!first_is_failed)..];
    if !failed.is_empty() {
        line!(out, "  {}", palette.faint(format!("alike  {}: {}", failed.len(), named(failed))))?;
    }
    if !blocked.is_empty() {
        line!(out, "  {}", palette.faint(format!("blocks {}: {}", plural(blocked.len(), "case"), named(blocked))))?;
    }
    Ok(())
}

fn broken_rules(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let broken: Vec<_> = outcome.rules().into_iter().filter(|rule| rule.verdict == Verdict::Fail).collect();
    if broken.is_empty() {
        return Ok(());
    }
    line!(out, "\n{}", palette.bad(plural(broken.len(), "broken rule")))?;
    let shown = if outcome.is_verbose { broken.len() } else { RULES_NAMED };
    for rules in broken[..shown.min(broken.len())].chunks(2) {
        let names: Vec<_> = rules.iter().map(|rule| format!("{:38}", rule.id)).collect();
        line!(out, "  {}", names.concat().trim_end())?;
    }
    if broken.len() > shown {
        line!(out, "  and {} more: -v names them", broken.len() - shown)?;
    }
    Ok(())
}

/// What came of hostile input, where somebody asked for it.
fn hostile_input(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let rows = hostile::rows(outcome);
    if !rows.is_empty() {
        line!(out, "\n{}", palette.strong("what came of hostile input"))?;
    }
    for row in rows {
        let text = if row.is_grave { palette.bad(row.outcome) } else { row.outcome.into() };
        line!(out, "  {:33} {}", row.input, text)?;
    }
    Ok(())
}

/// Readings of open rules: one line for all that were seen, since they judge nobody.
fn notes(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let count = outcome.rules().iter().filter(|rule| rule.verdict == Verdict::Noted).count();
    if count == 0 {
        return Ok(());
    }
    let noted = plural(count, "open rule");
    let text = format!("{noted} noted: the reading seen of each is in the json report");
    line!(out, "\n{}", palette.faint(text))
}

/// How many answers were judged besides what their cases are about, and of which classes none came.
fn answers(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    const NAMED_MAX: usize = 6;
    let judged: u32 = outcome.answers.values().map(|seen| seen.judged).sum();
    if judged == 0 {
        return Ok(());
    }
    let unmet: Vec<_> =
        runner::answers::unmet(outcome).iter().map(|(route, status)| format!("{status} of {route}")).collect();
    let not_met = match unmet.len() {
        0 => "every class of them met".to_owned(),
        1..=NAMED_MAX => format!("not met: {}", unmet.join(", ")),
        many => format!("{many} classes not met: the json report names them"),
    };
    let text = format!("{} judged; {not_met}", plural(judged as usize, "answer"));
    line!(out, "{}", palette.faint(text))
}

fn skips(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for case in outcome.cases.iter().filter(|case| case.verdict == Verdict::Skipped) {
        *reasons.entry(case.message.as_deref().unwrap_or_default()).or_default() += 1;
    }
    for (reason, count) in reasons {
        line!(out, "{}", palette.wary(format!("skipped {count}: {reason}")))?;
    }
    Ok(())
}

fn last_word(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let counts = Verdict::ALL.into_iter().filter(|verdict| outcome.count(*verdict) > 0);
    let counts: Vec<_> = counts.map(|verdict| format!("{} {}", outcome.count(verdict), verdict.word())).collect();
    let seconds = outcome.duration_ms as f64 / 1000.0;
    line!(out, "\n{} in {:.1} s: {}", plural(outcome.cases.len(), "case"), seconds, counts.join(", "))?;
    if let Some(version) = &outcome.scored_by {
        line!(out, "scored by contract {}; what came later is told and fails nobody", version)?;
    }
    let late = outcome.cases.iter().filter(|case| is_late(case)).count();
    if late > 0 {
        let hint = "--timeout SECONDS gives a slow target more, --jobs 1 asks less of it at once";
        line!(out, "{}", palette.wary(format!("no answer in time in {}: {hint}", plural(late, "case"))))?;
    }
    if let Some(why) = &outcome.silence {
        line!(out, "{}", palette.bad(why.clone()))?;
    }
    if let Some(why) = outcome.stopped_early() {
        line!(out, "{}", palette.bad(why))?;
    }
    let broken = outcome.count(Verdict::Broken);
    // Whatever else was seen, a verdict that rests on a broken case is none.
    if outcome.exit_code() == 70 {
        line!(out, "the suite itself broke in {}: please report it", plural(broken, "case"))?;
        return line!(out, "{}", palette.bad("broken"));
    }
    if let Some(why) = undecided::why(outcome) {
        line!(out, "{}", why)?;
    }
    let word = outcome.verdict().word();
    let word = match outcome.verdict() {
        RunVerdict::Conformant => palette.good(word),
        RunVerdict::Partial | RunVerdict::NothingJudged | RunVerdict::Undecided => palette.wary(word),
        RunVerdict::NotConformant | RunVerdict::Interrupted | RunVerdict::Unreachable => palette.bad(word),
    };
    line!(out, "{}", word)
}
