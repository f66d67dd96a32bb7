//! The report a person reads at a terminal: a line a chapter, each failure with all it takes to see it again, the last word.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::contract::rule::Contract;
use crate::report::color::Palette;
use crate::runner::outcome::{CaseOutcome, RunOutcome, RunVerdict, Verdict};

/// Writes it.
///
/// # Errors
/// As the writer's.
pub fn write(out: &mut dyn Write, outcome: &RunOutcome, paint: Palette) -> io::Result<()> {
    chapters(out, outcome, paint)?;
    for case in &outcome.cases {
        match case.verdict {
            Verdict::Pass | Verdict::Noted | Verdict::ExpectedFail | Verdict::Skipped => {}
            Verdict::Fail | Verdict::UnexpectedPass | Verdict::Blocked | Verdict::Flaky | Verdict::Broken => {
                failure(out, case, outcome.is_traced, paint)?;
            }
        }
    }
    notes(out, outcome, paint)?;
    skips(out, outcome, paint)?;
    last_word(out, outcome, paint)
}

fn chapters(out: &mut dyn Write, outcome: &RunOutcome, paint: Palette) -> io::Result<()> {
    writeln!(out, "{}  seed {}", paint.strong(&outcome.target), outcome.seed)?;
    let mut chapters: Vec<(&str, Vec<&CaseOutcome>)> = Vec::new();
    for case in &outcome.cases {
        let chapter = case.id.split("::").next().unwrap_or_default();
        match chapters.iter_mut().find(|(name, _)| *name == chapter) {
            Some((_, cases)) => cases.push(case),
            None => chapters.push((chapter, vec![case])),
        }
    }
    for (chapter, cases) in chapters {
        let counts = Verdict::ALL.into_iter().filter_map(|verdict| {
            let count = cases.iter().filter(|case| case.verdict == verdict).count();
            (count > 0).then(|| shade(verdict, paint, &format!("{count} {}", verdict.word())))
        });
        writeln!(out, "  {chapter:16} {}", counts.collect::<Vec<_>>().join(", "))?;
    }
    Ok(())
}

fn shade(verdict: Verdict, paint: Palette, text: &str) -> String {
    match verdict {
        Verdict::Pass => paint.good(text),
        Verdict::Noted | Verdict::ExpectedFail => text.to_owned(),
        Verdict::Skipped => paint.wary(text),
        _ => paint.bad(text),
    }
}

fn failure(out: &mut dyn Write, case: &CaseOutcome, is_traced: bool, paint: Palette) -> io::Result<()> {
    writeln!(out, "\n{} {}", paint.bad(&case.verdict.word().to_uppercase()), paint.strong(&case.id))?;
    if let Some(mismatch) = &case.mismatch {
        if let Some(rule) = Contract::built_in().rule(&mismatch.rule) {
            writeln!(out, "  rule   {} ({}; {})", rule.id, rule.level.word(), rule.source)?;
            writeln!(out, "         {}", rule.text)?;
        }
        writeln!(out, "  where  {}", mismatch.place)?;
        writeln!(out, "  want   {}", mismatch.want)?;
        writeln!(out, "  got    {}", mismatch.got)?;
    } else if let Some(message) = &case.message {
        writeln!(out, "  why    {message}")?;
    }
    traffic(out, case, is_traced, paint)?;
    writeln!(out, "  more   libros-conformance explain {}", case.id)
}

/// The last exchange to the point, or all of them whole.
fn traffic(out: &mut dyn Write, case: &CaseOutcome, is_traced: bool, paint: Palette) -> io::Result<()> {
    let Some((last, earlier)) = case.exchanges.split_last() else { return Ok(()) };
    let mut faint = |line: &str| writeln!(out, "    {}", paint.faint(line));
    if is_traced {
        for exchange in earlier {
            exchange.transcript().lines().try_for_each(&mut faint)?;
            faint("")?;
        }
        last.transcript().lines().try_for_each(&mut faint)?;
    } else {
        if !earlier.is_empty() {
            faint(&format!("(after {} earlier requests: --trace shows them)", earlier.len()))?;
        }
        let place = case.mismatch.as_ref().map_or("", |mismatch| mismatch.place.as_str());
        to_the_point(&last.transcript(), place).iter().try_for_each(|line| faint(line))?;
    }
    writeln!(out, "  again  {}", last.sent.curl())
}

/// The lines of a transcript; of headers received only the first where the answer's body is what is wrong, and of long lines
/// the beginning.
fn to_the_point(transcript: &str, place: &str) -> Vec<String> {
    const LINE_CHARS: usize = 600;
    let is_about_body = place.starts_with("body");
    let mut lines: Vec<String> = Vec::new();
    let mut left_out = 0;
    for line in transcript.lines() {
        let is_header = line.starts_with("< ") && line.contains(": ") && !line.starts_with("< {");
        if is_about_body && is_header && !line.starts_with("< Content-Type") {
            left_out += 1;
            continue;
        }
        if left_out > 0 && line == "< " {
            lines.push(format!("< ({left_out} more headers: --trace shows them)"));
        }
        lines.push(match line.char_indices().nth(LINE_CHARS) {
            None => line.to_owned(),
            Some((cut, _)) => format!("{}... (--trace shows more)", &line[..cut]),
        });
    }
    lines
}

/// Readings of open rules: one line for all that were seen, since they judge nobody.
fn notes(out: &mut dyn Write, outcome: &RunOutcome, paint: Palette) -> io::Result<()> {
    let count = outcome.rules().iter().filter(|rule| rule.verdict == Verdict::Noted).count();
    if count == 0 {
        return Ok(());
    }
    let text = format!("\n{count} open rules noted: the reading seen of each is in the json report");
    writeln!(out, "{}", paint.faint(&text))
}

fn skips(out: &mut dyn Write, outcome: &RunOutcome, paint: Palette) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for case in outcome.cases.iter().filter(|case| case.verdict == Verdict::Skipped) {
        *reasons.entry(case.message.as_deref().unwrap_or_default()).or_default() += 1;
    }
    for (reason, count) in reasons {
        writeln!(out, "{}", paint.wary(&format!("skipped {count}: {reason}")))?;
    }
    Ok(())
}

fn last_word(out: &mut dyn Write, outcome: &RunOutcome, paint: Palette) -> io::Result<()> {
    let counts = Verdict::ALL.into_iter().filter(|verdict| outcome.count(*verdict) > 0);
    let counts: Vec<_> = counts.map(|verdict| format!("{} {}", outcome.count(verdict), verdict.word())).collect();
    let seconds = outcome.duration_ms as f64 / 1000.0;
    writeln!(out, "\n{} cases in {seconds:.1} s: {}", outcome.cases.len(), counts.join(", "))?;
    if !outcome.is_complete {
        writeln!(out, "{}", paint.bad("stopped early: this report is incomplete"))?;
    }
    if !outcome.open_chapters.is_empty() {
        writeln!(out, "chapters not yet judged: {}", outcome.open_chapters.join(", "))?;
    }
    let word = outcome.verdict().word();
    let word = match outcome.verdict() {
        RunVerdict::Conformant => paint.good(word),
        RunVerdict::Partial => paint.wary(word),
        RunVerdict::NotConformant => paint.bad(word),
    };
    writeln!(out, "{word}")
}
