//! The report a person reads at a terminal: a line a chapter, the causes of what failed, the broken rules, the last word.
//!
//! Short by default: as much as fits on a screen. `-v` shows every failure.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::contract::edition;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::failure::{self, Extent};
use crate::report::judged::{self, fitted};
use crate::report::lines::{Lines, line};
use crate::report::plural::{counts, plural};
use crate::report::wrapping::rows;
use crate::report::{hostile, undecided};
use crate::runner;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{CaseOutcome, RunOutcome};
use crate::runner::verdict::{RunVerdict, Verdict};

const ROWS: usize = 40;
const COLUMNS: usize = 80;
const CHAPTERS_NAMED: usize = 3;
const SILENT_CHARS: usize = 74;

pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    if let (Some(why), false) = (&outcome.silence, outcome.is_verbose) {
        return silence(&mut Lines::new(out, palette), outcome, why);
    }
    if outcome.is_verbose {
        return to_extent(&mut Lines::new(out, palette), outcome, &Extent::long(outcome.is_traced));
    }
    let mut text = Vec::new();
    for extent in &Extent::SHORT {
        text.clear();
        to_extent(&mut Lines::new(&mut text, palette), outcome, extent)?;
        if rows(&String::from_utf8_lossy(&text), COLUMNS) <= ROWS {
            break;
        }
    }
    out.write_all(&text)
}

/// The whole of it, its parts as long as that.
fn to_extent(out: &mut Lines<'_>, outcome: &RunOutcome, extent: &Extent) -> io::Result<()> {
    chapters(out, outcome)?;
    if outcome.is_verbose {
        for case in &outcome.cases {
            if is_red(case) {
                failure::write(out, case, None, extent)?;
            } else if outcome.shows_passes {
                failure::trace(out, case)?;
            }
        }
    } else {
        told_by_cause(out, outcome, extent)?;
    }
    broken_rules(out, outcome, extent)?;
    hostile_input(out, outcome)?;
    seen_besides(out, outcome)?;
    skips(out, outcome)?;
    last_word(out, outcome)
}

fn is_red(case: &CaseOutcome) -> bool {
    !matches!(case.verdict, Verdict::Pass | Verdict::Noted | Verdict::ExpectedFail | Verdict::Skipped)
}

/// Whether an answer came too late for the case to be judged.
fn is_late(case: &CaseOutcome) -> bool {
    is_red(case) && case.exchanges.iter().any(|exchange| exchange.received.as_ref().is_err_and(|none| none.is_late))
}

/// A line for each chapter; in a short report of a red run one for all.
fn chapters(out: &mut Lines<'_>, outcome: &RunOutcome) -> io::Result<()> {
    line!(out, "{}  seed {}, {}", out.palette.strong(&outcome.target), outcome.seed, edition::in_words())?;
    let mut chapters: Vec<(&str, Vec<&CaseOutcome>)> = Vec::new();
    for case in &outcome.cases {
        let chapter = case.id.split("::").next().unwrap_or_default();
        match chapters.iter_mut().find(|(name, _)| *name == chapter) {
            Some((_, cases)) => cases.push(case),
            None => chapters.push((chapter, vec![case])),
        }
    }
    let red = chapters.iter().map(|(name, cases)| (*name, cases.iter().filter(|case| is_red(case)).count()));
    let mut red: Vec<(&str, usize)> = red.filter(|(_, count)| *count > 0).collect();
    if outcome.is_verbose || red.is_empty() {
        return chapters
            .iter()
            .try_for_each(|(name, cases)| line!(out, "  {:16} {}", *name, shaded_counts(cases, out.palette)));
    }
    red.sort_by_key(|(_, count)| Reverse(*count));
    let named: Vec<_> = red.iter().take(CHAPTERS_NAMED).map(|(name, count)| format!("{name} ({count})")).collect();
    let more = red.len().saturating_sub(CHAPTERS_NAMED);
    let more = if more > 0 { format!(" and {}", plural(more, "more chapter")) } else { String::new() };
    let held = plural(chapters.len() - red.len(), "other chapter");
    line!(out, "  {} {}{}; all is well in {}", out.palette.bad("failures in"), named.join(", "), more, held)
}

fn shaded_counts(cases: &[&CaseOutcome], palette: Palette) -> Printable {
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

/// The most telling cause with its exchange, some more in a line each, the rest counted.
fn told_by_cause(out: &mut Lines<'_>, outcome: &RunOutcome, extent: &Extent) -> io::Result<()> {
    let (open, mut causes): (Vec<_>, Vec<_>) = causes(&outcome.cases).into_iter().partition(Cause::is_open);
    // Open rules that fail beside another cause mostly fail because of it.
    let open = if causes.is_empty() { std::mem::replace(&mut causes, open).len() } else { open.len() };
    let Some((first, others)) = causes.split_first() else { return Ok(()) };
    let Some(case) = first.cases().next().map(|first| &outcome.cases[first]) else { return Ok(()) };
    failure::write(out, case, Some(first), extent)?;
    alike(out, outcome, first, extent)?;
    let (named, left) = others.split_at(extent.causes.min(others.len()));
    if !named.is_empty() {
        line!(out)?;
    }
    for cause in named {
        let Some(case) = cause.cases().next().map(|first| &outcome.cases[first]) else { continue };
        let rule = cause.rule.as_deref().unwrap_or(&cause.text);
        let seen =
            cause.looks_like.as_ref().map_or_else(|| case.id.clone(), |it| format!("looks like: {}", it.fault.text));
        let told = format!("{rule} ({}): {seen}", plural(cause.cases().count(), "case"));
        line!(out, "{} {}", out.palette.bad("ALSO"), fitted(&told, COLUMNS - 5))?;
    }
    let more = [(left.len(), "more cause"), (open, "failing open rule")];
    let more: Vec<_> = more.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun)).collect();
    match (more.is_empty(), named.is_empty()) {
        (false, _) => line!(out, "and {}: -v shows every failure", more.join(", ")),
        (true, false) => line!(out, "-v shows every failure"),
        (true, true) => Ok(()),
    }
}

/// A run that ended because the target did, in a sentence: what failed before says little.
fn silence(out: &mut Lines<'_>, outcome: &RunOutcome, why: &Printable) -> io::Result<()> {
    line!(out, "{}", out.palette.bad(why.clone()))?;
    if let Some((_, exchange)) = outcome.unanswered() {
        for told in judged::lines(exchange, None, SILENT_CHARS) {
            line!(out, "    {}", out.palette.faint(told.text))?;
        }
    }
    let failed = outcome.cases.iter().filter(|case| case.mismatch.is_some()).count();
    let before =
        if failed > 0 { format!("; {} failed before: -v shows them", plural(failed, "case")) } else { String::new() };
    line!(out, "\n{} of {} cases were judged{}", outcome.cases.len(), outcome.selected, before)?;
    line!(out, "{}", out.palette.bad(outcome.verdict().word()))
}

fn alike(out: &mut Lines<'_>, outcome: &RunOutcome, cause: &Cause, extent: &Extent) -> io::Result<()> {
    let first = cause.cases().next();
    for (label, indices) in [("alike", &cause.failed), ("blocks", &cause.blocked)] {
        let others: Vec<&CaseOutcome> =
            indices.iter().filter(|index| Some(**index) != first).map(|index| &outcome.cases[*index]).collect();
        if !others.is_empty() {
            let ids: Vec<&str> = others.iter().take(extent.cases).map(|case| case.id.as_str()).collect();
            let more = others.len().saturating_sub(extent.cases);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let text = format!("{label:6} {}: {}{more}", others.len(), ids.join(", "));
            line!(out, "  {}", out.palette.faint(text))?;
        }
    }
    Ok(())
}

fn broken_rules(out: &mut Lines<'_>, outcome: &RunOutcome, extent: &Extent) -> io::Result<()> {
    let broken: Vec<_> = outcome.rules().into_iter().filter(|rule| rule.verdict == Verdict::Fail).collect();
    if broken.is_empty() {
        return Ok(());
    }
    let (named, left) = broken.split_at(extent.rules.min(broken.len()));
    let more = if left.is_empty() { String::new() } else { format!(", {} of them: -v names all", named.len()) };
    line!(out, "\n{}{}", out.palette.bad(plural(broken.len(), "broken rule")), more)?;
    for rules in named.chunks(2) {
        let names: Vec<_> = rules.iter().map(|rule| format!("{:38}", rule.id)).collect();
        line!(out, "  {}", names.concat().trim_end())?;
    }
    Ok(())
}

/// What came of hostile input, where somebody asked for it.
fn hostile_input(out: &mut Lines<'_>, outcome: &RunOutcome) -> io::Result<()> {
    let rows = hostile::rows(outcome);
    if !rows.is_empty() {
        line!(out, "\n{}", out.palette.strong("what came of hostile input"))?;
    }
    for row in rows {
        let text = if row.is_grave { out.palette.bad(row.outcome) } else { row.outcome.into() };
        line!(out, "  {:33} {}", row.input, text)?;
    }
    Ok(())
}

/// Readings of open rules that were seen, how many answers were judged besides what their cases are about, and of which classes none
/// came.
fn seen_besides(out: &mut Lines<'_>, outcome: &RunOutcome) -> io::Result<()> {
    const NAMED_MAX: usize = 6;
    let noted = outcome.rules().iter().filter(|rule| rule.verdict == Verdict::Noted).count();
    let judged: u32 = outcome.answers.values().map(|seen| seen.judged).sum();
    let unmet: Vec<_> =
        runner::answers::unmet(outcome).iter().map(|(route, status)| format!("{status} of {route}")).collect();
    let not_met = match unmet.len() {
        0 => "every class of them met".to_owned(),
        1..=NAMED_MAX => format!("not met: {}", unmet.join(", ")),
        many => format!("{many} classes not met: the json report names them"),
    };
    line!(out)?;
    if noted > 0 {
        let text = format!("{} noted: the reading seen of each is in the json report", plural(noted, "open rule"));
        line!(out, "{}", out.palette.faint(text))?;
    }
    if judged > 0 {
        line!(out, "{}", out.palette.faint(format!("{} judged; {not_met}", plural(judged as usize, "answer"))))?;
    }
    if outcome.is_traced {
        line!(out, "{}", out.palette.faint(format!("requests waited for one after the other: {}", outcome.chain)))?;
    }
    Ok(())
}

fn skips(out: &mut Lines<'_>, outcome: &RunOutcome) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for case in outcome.cases.iter().filter(|case| case.verdict == Verdict::Skipped) {
        *reasons.entry(case.message.as_deref().unwrap_or_default()).or_default() += 1;
    }
    for (reason, count) in reasons {
        line!(out, "{}", out.palette.wary(format!("skipped {count}: {reason}")))?;
    }
    Ok(())
}

fn last_word(out: &mut Lines<'_>, outcome: &RunOutcome) -> io::Result<()> {
    let seconds = outcome.duration_ms as f64 / 1000.0;
    line!(out, "{} in {:.1} s: {}", plural(outcome.cases.len(), "case"), seconds, counts(outcome))?;
    if let Some(version) = &outcome.scored_by {
        line!(out, "scored by contract {}; what later contracts added is reported but fails nothing", version)?;
    }
    let late = outcome.cases.iter().filter(|case| is_late(case)).count();
    if late > 0 {
        let hint = "--timeout SECONDS gives a slow target more, --jobs 1 asks less of it at once";
        line!(out, "{}", out.palette.wary(format!("no answer in time in {}: {hint}", plural(late, "case"))))?;
    }
    if let Some(why) = &outcome.silence {
        line!(out, "{}", out.palette.bad(why.clone()))?;
    }
    if let Some(why) = outcome.stopped_early() {
        line!(out, "{}", out.palette.bad(why))?;
    }
    let broken = outcome.count(Verdict::Broken);
    // Whatever else was seen, a verdict that rests on a broken case is none.
    if outcome.exit_code() == 70 {
        line!(out, "the suite itself broke in {}: please report it", plural(broken, "case"))?;
        return line!(out, "{}", out.palette.bad("broken"));
    }
    if let Some(why) = undecided::why(outcome) {
        line!(out, "{}", why)?;
    }
    let word = outcome.verdict().word();
    let word = match outcome.verdict() {
        RunVerdict::Conformant => out.palette.good(word),
        RunVerdict::Partial | RunVerdict::NothingJudged | RunVerdict::Undecided => out.palette.wary(word),
        RunVerdict::NotConformant | RunVerdict::Interrupted | RunVerdict::Unreachable => out.palette.bad(word),
    };
    line!(out, "{}", word)
}
