//! The report a person reads at a terminal: a line a chapter, the causes of what failed, the broken rules, the last word.
//!
//! Short by default: as much as fits on a screen. `-v` shows every failure.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use askama::Template;

use crate::contract::edition;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::failure::{Details, Extent, Failure};
use crate::report::judged::{self, fitted};
use crate::report::lines::write_lines;
use crate::report::plural::{counts, plural};
use crate::report::wrapping::rows;
use crate::report::{hostile, undecided};
use crate::runner;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::rule_outcome::RuleOutcome;

const ROWS: usize = 40;
const COLUMNS: usize = 80;
const CHAPTERS_NAMED: usize = 3;
const SILENT_CHARS: usize = 74;
const LATE_HINT: &str = "--timeout SECONDS gives a slow target more, --jobs 1 asks less of it at once";

pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    if let (Some(why), false) = (&outcome.stop_reason, outcome.is_verbose) {
        let failed = outcome.cases.iter().filter(|case| case.mismatch.is_some()).count();
        return write_lines(out, &Silence { outcome, why, failed, palette });
    }
    if outcome.is_verbose {
        return write_lines(out, &Human::of(outcome, &Extent::long(outcome.is_traced), palette));
    }
    let mut text = Vec::new();
    for extent in &Extent::SHORT {
        text.clear();
        write_lines(&mut text, &Human::of(outcome, extent, palette))?;
        if rows(&String::from_utf8_lossy(&text), COLUMNS) <= ROWS {
            break;
        }
    }
    out.write_all(&text)
}

/// A run that ended because the target stopped answering, in a sentence: the failures before that say little.
#[derive(Template)]
#[template(path = "report/silence.lines")]
struct Silence<'o> {
    outcome: &'o RunOutcome,
    why: &'o Printable,
    failed: usize,
    palette: Palette,
}

/// The whole report; the extent says how long its parts are.
#[derive(Template)]
#[template(path = "report/human.lines")]
struct Human<'o> {
    outcome: &'o RunOutcome,
    extent: &'o Extent,
    palette: Palette,
    causes: Vec<Cause>,
    /// How many causes are open rules and not shown: beside a cause that recurs alone, open rules mostly fail because of it.
    open: usize,
}

impl<'o> Human<'o> {
    fn of(outcome: &'o RunOutcome, extent: &'o Extent, palette: Palette) -> Self {
        let (open, mut causes): (Vec<_>, Vec<_>) = causes(&outcome.cases).into_iter().partition(Cause::is_open);
        if causes.first().is_some_and(|first| !first.held_alone(&outcome.cases)) {
            return Self { outcome, extent, palette, causes, open: open.len() };
        }
        causes.extend(open);
        causes.sort_by_key(|cause| cause.held_alone(&outcome.cases));
        Self { outcome, extent, palette, causes, open: 0 }
    }

    fn failure(&self, case: &'o CaseOutcome, cause: Option<&'o Cause>) -> Failure<'o> {
        Failure { cause, details: Details { case, extent: self.extent, palette: self.palette } }
    }

    fn first_of(&self, cause: &Cause) -> &'o CaseOutcome {
        &self.outcome.cases[cause.cases().next().unwrap_or_default()]
    }

    fn chapters(&self) -> Vec<(&str, &[CaseOutcome])> {
        let chapters = self.outcome.cases.chunk_by(|one, other| one.chapter() == other.chapter());
        chapters.map(|cases| (cases[0].chapter(), cases)).collect()
    }

    /// The chapters of a short report of a red run, in one line.
    fn failing_chapters(&self) -> Option<String> {
        let failed = |case: &&CaseOutcome| case.verdict.is_red() && case.verdict != Verdict::Blocked;
        let red_count = |cases: &[CaseOutcome]| cases.iter().filter(failed).count();
        let mut counts: Vec<_> = self.chapters().into_iter().map(|(name, cases)| (name, red_count(cases))).collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let (red, green) = counts.split_at(counts.partition_point(|(_, count)| *count > 0));
        if self.outcome.is_verbose || red.is_empty() {
            return None;
        }
        let named: Vec<_> = red.iter().take(CHAPTERS_NAMED).map(|(name, count)| format!("{name} ({count})")).collect();
        let unless_none = |count, text: String| if count > 0 { text } else { String::new() };
        let more = red.len().saturating_sub(CHAPTERS_NAMED);
        let more = unless_none(more, format!(" and {}", plural(more, "more chapter")));
        let rest = unless_none(green.len(), format!("; none in {}", plural(green.len(), "other chapter")));
        Some(format!("{}{more}{rest}", named.join(", ")))
    }

    fn alike(&self, cause: &Cause) -> Vec<String> {
        let first = cause.cases().next();
        let line = |(label, indices): (&str, &Vec<usize>)| {
            let others: Vec<_> = indices.iter().filter(|index| Some(**index) != first).collect();
            let ids = others.iter().take(self.extent.cases).map(|index| self.outcome.cases[**index].id.as_str());
            let ids = ids.collect::<Vec<_>>().join(", ");
            let more = others.len().saturating_sub(self.extent.cases);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            (!others.is_empty()).then(|| format!("{label:6} {}: {ids}{more}", others.len()))
        };
        [("alike", &cause.failed), ("blocks", &cause.blocked)].into_iter().filter_map(line).collect()
    }

    /// The causes behind the first.
    fn named_causes(&self) -> Vec<String> {
        let line = |cause: &Cause| {
            let (first, rule) = (self.first_of(cause), cause.rule.unwrap_or(&cause.text));
            let alone = if first.held_alone() { ", alone it held" } else { "" };
            let about = format!("{}{alone}", plural(cause.cases().count(), "case"));
            match &cause.looks_like {
                Some(likeness) => format!("looks like: {} ({rule}, {about})", likeness.fault.text),
                None if cause.failed.is_empty() => fitted(&format!("blocked {}: {}", first.id, first.message()), 200),
                None => fitted(&format!("{rule} ({about}): {}, {}", first.id, cause.text), 200),
            }
        };
        self.causes.iter().skip(1).take(self.extent.causes).map(line).collect()
    }

    fn unnamed_causes(&self) -> String {
        let left = self.causes.len().saturating_sub(1).saturating_sub(self.extent.causes);
        let more = [(left, "more cause"), (self.open, "failing open rule")];
        let more = more.iter().filter(|(count, _)| *count > 0).map(|(count, noun)| plural(*count, noun));
        more.collect::<Vec<_>>().join(", ")
    }

    fn broken_rules(&self) -> Vec<RuleOutcome> {
        self.outcome.rules().into_iter().filter(|rule| rule.verdict == Verdict::Fail).collect()
    }

    fn held_alone(&self) -> usize {
        self.outcome.cases.iter().filter(|case| case.held_alone()).count()
    }

    fn noted(&self) -> usize {
        self.outcome.rules().iter().filter(|rule| rule.verdict == Verdict::Noted).count()
    }

    /// How many answers were judged by their class, and which classes had no answer.
    fn judged_answers(&self) -> Option<String> {
        const NAMED_MAX: usize = 6;
        let judged: u32 = self.outcome.answers.values().map(|seen| seen.judged).sum();
        let unmet: Vec<_> =
            runner::answers::unmet(self.outcome).iter().map(|(route, status)| format!("{status} of {route}")).collect();
        let classes = match unmet.len() {
            0 => ", of every class".to_owned(),
            1..=NAMED_MAX => format!("; no answer of {}", unmet.join(", ")),
            many => format!("; {many} classes had no answer: the json report names them"),
        };
        (judged > 0).then(|| format!("{} judged{classes}", plural(judged as usize, "answer")))
    }

    fn skips(&self) -> BTreeMap<&str, usize> {
        let mut reasons = BTreeMap::new();
        for case in self.outcome.cases.iter().filter(|case| case.verdict == Verdict::Skipped) {
            *reasons.entry(case.message()).or_default() += 1;
        }
        reasons
    }

    fn seconds(&self) -> f64 {
        self.outcome.duration_ms as f64 / 1000.0
    }

    /// How many red cases got no answer in time.
    fn late(&self) -> usize {
        self.outcome.cases.iter().filter(|case| case.verdict.is_red() && case.is_late()).count()
    }
}

/// The first `count` rules, two in a line.
fn in_columns(rules: &[RuleOutcome], count: usize) -> Vec<String> {
    let line = |rules: &[RuleOutcome]| rules.iter().map(|rule| format!("{:38}", rule.id)).collect::<String>();
    rules[..count].chunks(2).map(|rules| line(rules).trim_end().to_owned()).collect()
}

fn shaded_counts(cases: &[CaseOutcome], palette: Palette) -> Printable {
    let counts = Verdict::ALL.iter().filter_map(|&verdict| {
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
