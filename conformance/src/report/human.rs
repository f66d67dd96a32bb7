//! The report a person reads at a terminal: a line a chapter, the causes of what failed, the broken rules, the last word.
//!
//! Short by default, so that one fault is one page; `-v` shows every failure.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io;

use crate::contract::edition;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::failure::{self, Extent};
use crate::report::judged::{self, shortened};
use crate::report::lines::{Lines, Terminal, line};
use crate::report::plural::plural;
use crate::report::{hostile, undecided};
use crate::runner;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{CaseOutcome, RunOutcome, RunVerdict, Verdict};

/// Causes shown in a few lines each after the first, which is shown with its exchange.
const CAUSES_NAMED: usize = 4;
/// Cases and rules named in one line, and chapters shown.
const IDS_NAMED: usize = 4;
const RULES_NAMED: usize = 8;
const CHAPTERS_SHOWN: usize = 4;
/// Longest line of a request without an answer, in characters.
const SILENT_CHARS: usize = 150;

/// Writes it.
///
/// # Errors
/// As the writer's.
pub(super) fn write(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    if let (Some(why), false) = (&outcome.silence, outcome.is_verbose) {
        return silence(out, outcome, why, palette);
    }
    chapters(out, outcome, palette)?;
    if outcome.is_verbose {
        let extent = Extent::long(outcome.is_traced);
        for case in &outcome.cases {
            if is_red(case) {
                failure::write(out, case, None, &extent, palette)?;
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

/// A line for each chapter; in a short report of a red run for those that fail most, and one for the others.
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
    let (mut more, mut told): (Vec<_>, Vec<_>) =
        chapters.into_iter().partition(|(_, cases)| is_short && !cases.iter().any(|case| is_red(case)));
    if is_short && told.len() > CHAPTERS_SHOWN {
        told.sort_by_key(|(_, cases)| Reverse(cases.iter().filter(|case| is_red(case)).count()));
        more.extend(told.drain(CHAPTERS_SHOWN..));
    }
    for (chapter, cases) in told {
        line!(out, "  {:16} {}", chapter, counts(&cases, palette))?;
    }
    if more.is_empty() {
        return Ok(());
    }
    let cases: Vec<_> = more.iter().flat_map(|(_, cases)| cases.iter().copied()).collect();
    let name = format!("{} more", more.len());
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

/// The most telling cause with its exchange, some more in a few lines each, the rest counted.
fn told_by_cause(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let (open, mut causes): (Vec<_>, Vec<_>) = causes(&outcome.cases).into_iter().partition(Cause::is_open);
    // Open rules that fail beside another cause mostly fail because of it.
    let open = if causes.is_empty() { std::mem::replace(&mut causes, open).len() } else { open.len() };
    for (index, cause) in causes.iter().take(1 + CAUSES_NAMED).enumerate() {
        let Some(case) = cause.cases().next().map(|first| &outcome.cases[first]) else { continue };
        if index == 0 {
            failure::write(out, case, Some(cause), &Extent::SHORT, palette)?;
            others(out, outcome, cause, palette)?;
            continue;
        }
        let count = cause.cases().count();
        let others = if count > 1 { format!(" and {}", plural(count - 1, "more case")) } else { String::new() };
        line!(out, "\n{} {}{}", palette.bad("ALSO"), palette.strong(&case.id), others)?;
        let rule = cause.rule.as_deref().map_or_else(String::new, |rule| format!("{rule}: "));
        match &cause.looks_like {
            Some(likeness) => line!(out, "  {}looks like: {}", rule, likeness.to_string())?,
            None => line!(out, "  {}{}", rule, shortened(&cause.text, 100))?,
        }
    }
    let left = causes.len().saturating_sub(1 + CAUSES_NAMED);
    let more = [(left, "more cause"), (open, "failing open rule")];
    let more: Vec<_> = more.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    if !more.is_empty() {
        line!(out, "\nand {}: -v shows every failure", more.join(", "))?;
    }
    Ok(())
}

/// A run that ended because the target did, in a sentence: what failed before says little.
fn silence(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, why: &Printable, palette: Palette) -> io::Result<()> {
    line!(out, "{}", palette.bad(why.clone()))?;
    if let Some((_, exchange)) = outcome.unanswered() {
        for told in judged::lines(exchange, None, SILENT_CHARS) {
            line!(out, "    {}", palette.faint(told.text))?;
        }
    }
    let failed = outcome.cases.iter().filter(|case| case.mismatch.is_some()).count();
    let before =
        if failed > 0 { format!("; {} failed before: -v shows them", plural(failed, "case")) } else { String::new() };
    line!(out, "\n{} of {} cases were judged{}", outcome.cases.len(), outcome.selected, before)?;
    line!(out, "{}", palette.bad(outcome.verdict().word()))
}

/// The other cases of a cause, and how many it blocks.
fn others(out: &mut Lines<'_, Terminal>, outcome: &RunOutcome, cause: &Cause, palette: Palette) -> io::Result<()> {
    let first = cause.cases().next();
    for (label, indices) in [("alike", &cause.failed), ("blocks", &cause.blocked)] {
        let others: Vec<&CaseOutcome> =
            indices.iter().filter(|index| Some(**index) != first).map(|index| &outcome.cases[*index]).collect();
        if !others.is_empty() {
            let ids: Vec<&str> = others.iter().take(IDS_NAMED).map(|case| case.id.as_str()).collect();
            let more = others.len().saturating_sub(IDS_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let text = format!("{label:6} {}: {}{more}", others.len(), ids.join(", "));
            line!(out, "  {}", palette.faint(text))?;
        }
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
    line!(out, "{}", palette.faint(text))?;
    if outcome.is_traced {
        line!(out, "{}", palette.faint(format!("requests waited for one after the other: {}", outcome.chain)))?;
    }
    Ok(())
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
