//! One failure as a person reads it: the fault it looks like, the rule, what was wanted and what was received, the exchange, where
//! the reference answers otherwise, and the command that plays it again.

use std::io;

use crate::contract::excerpt::excerpts;
use crate::contract::rule::Contract;
use crate::contract::violation::{Mismatch, Want};
use crate::report::judged::{self, Line, shortened};
use crate::report::lines::{Lines, line};
use crate::report::{beside, difference, program, timeline};
use crate::runner::cause::Cause;
use crate::runner::outcome::CaseOutcome;

/// How much of a failure is shown, and of a run.
#[derive(Debug)]
pub(crate) struct Extent {
    value_chars: usize,
    line_chars: usize,
    /// Exchanges shown beside the one judged, where several show the failure together.
    compared: usize,
    moments: usize,
    differences: usize,
    has_source: bool,
    pub(super) cases: usize,
    pub(super) causes: usize,
    pub(super) rules: usize,
    is_traced: bool,
}

/// What fits into a line of 80 columns behind its indent.
const LINE_CHARS: usize = 74;

impl Extent {
    /// A failure in half a screen, and what is left of it for a run that would else be longer than a screen.
    pub(crate) const SHORT: [Self; 4] = [
        Self { compared: 1, moments: 6, differences: 2, has_source: true, ..Self::short(200, 4, 8) },
        Self { moments: 4, differences: 1, ..Self::short(120, 3, 4) },
        Self::short(110, 2, 4),
        Self::short(44, 1, 2),
    ];

    const fn short(value_chars: usize, named: usize, rules: usize) -> Self {
        let (line_chars, compared, moments, differences) = (LINE_CHARS, 0, 3, 0);
        let (cases, causes, has_source, is_traced) = (named, named, false, false);
        Self { value_chars, line_chars, compared, moments, differences, has_source, cases, causes, rules, is_traced }
    }

    /// All that helps, and with `is_traced` all traffic.
    pub(crate) const fn long(is_traced: bool) -> Self {
        let own = Self::short(600, usize::MAX, usize::MAX);
        Self { line_chars: 300, compared: 3, moments: 12, differences: 8, has_source: true, is_traced, ..own }
    }
}

/// Writes it; `cause` is that of which the case is shown as the first.
pub(super) fn write(out: &mut Lines<'_>, case: &CaseOutcome, cause: Option<&Cause>, extent: &Extent) -> io::Result<()> {
    line!(out, "\n{} {}", out.palette.bad(case.verdict.word().to_uppercase()), out.palette.strong(&case.id))?;
    if let Some(likeness) = cause.and_then(|cause| cause.looks_like.as_ref()) {
        line!(out, "  {}", out.palette.strong(format!("looks like: {likeness}")))?;
    }
    details(out, case, extent)?;
    line!(out, "  more   {} explain {}", program::name(), case.id)
}

pub(crate) fn details(out: &mut Lines<'_>, case: &CaseOutcome, extent: &Extent) -> io::Result<()> {
    match &case.mismatch {
        Some(mismatch) => violation(out, case, mismatch, extent)?,
        None => {
            if let Some(message) = &case.message {
                line!(out, "  why    {}", shortened(message, extent.value_chars))?;
            }
            let kept = case.blocked_for().map(|rule| format!("{} ({}): {}", rule.id, rule.level.word(), rule.text));
            kept.map_or(Ok(()), |rule| line!(out, "  rule   {}", rule))?;
        }
    }
    traffic(out, case, extent)?;
    for (index, line) in beside::lines(case, extent.differences, extent.line_chars - 3).iter().enumerate() {
        line!(out, "  {} {}", if index == 0 { "diff  " } else { "      " }, line)?;
    }
    case.curl.as_ref().or(case.again.as_ref()).map_or(Ok(()), |again| line!(out, "  again  {}", again))
}

/// The rule, the place, what was wanted there and what was received.
fn violation(out: &mut Lines<'_>, case: &CaseOutcome, mismatch: &Mismatch, extent: &Extent) -> io::Result<()> {
    if let Some(rule) = Contract::built_in().rule(&mismatch.rule) {
        if extent.has_source {
            line!(out, "  rule   {} ({}; {})", rule.id, rule.level.word(), rule.source)?;
            line!(out, "         {}", rule.text)?;
        } else {
            line!(out, "  rule   {} ({}): {}", rule.id, rule.level.word(), rule.text)?;
        }
        if let Some(because) = rule.because.as_ref().filter(|_| extent.has_source) {
            line!(out, "         because {}", because)?;
        }
    }
    let (whole_want, whole_got) = (mismatch.want.to_string(), mismatch.got.to_string());
    let [want, got] = excerpts(&whole_want, &whole_got, extent.value_chars);
    let count = case.exchanges.len();
    let which = match case.judged_at() {
        Some(at) if count > 1 => format!(" (request {} of {count}; --trace shows all)", at + 1),
        _ => String::new(),
    };
    line!(out, "  where  {}{}", shortened(&mismatch.place.to_string(), extent.value_chars), which)?;
    line!(out, "  want   {}", want)?;
    line!(out, "  got    {}", got)?;
    // A sentence about what is accepted has no character in common with an answer.
    let difference = difference::told(&whole_want, &whole_got);
    match difference.filter(|_| !matches!(mismatch.want, Want::OneOf(_))) {
        Some(difference) => line!(out, "  differ {}", difference),
        None => Ok(()),
    }
}

/// All traffic of a case that is no failure.
pub(super) fn trace(out: &mut Lines<'_>, case: &CaseOutcome) -> io::Result<()> {
    line!(out, "\n{} {}", case.verdict.word().to_uppercase(), out.palette.strong(&case.id))?;
    for exchange in &case.exchanges {
        for line in exchange.transcript().lines() {
            line!(out, "    {}", out.palette.faint(line))?;
        }
        line!(out)?;
    }
    Ok(())
}

/// The exchange judged, to the point, or all of them whole.
fn traffic(out: &mut Lines<'_>, case: &CaseOutcome, extent: &Extent) -> io::Result<()> {
    let Some((judged, exchange)) = case.judged_at().zip(case.judged_exchange()) else { return Ok(()) };
    for (index, line) in timeline::lines(case, extent.moments).iter().enumerate() {
        line!(out, "  {} {}", if index == 0 { "time  " } else { "      " }, out.palette.faint(line))?;
    }
    let mut tell = |line: &Line| {
        let text = if line.is_wrong { out.palette.bad(&line.text) } else { out.palette.faint(&line.text) };
        line!(out, "  {} {}", if line.is_wrong { out.palette.bad("!") } else { " ".into() }, text)
    };
    let part = case.mismatch.as_ref().map(|mismatch| &mismatch.place.part);
    if extent.is_traced {
        for (index, other) in case.exchanges.iter().enumerate() {
            other.transcript().lines().try_for_each(|line| tell(&Line::plain(line)))?;
            if index == judged {
                let lines = judged::lines(exchange, part, extent.line_chars);
                lines.iter().filter(|line| line.is_wrong).try_for_each(&mut tell)?;
            }
            tell(&Line::plain(""))?;
        }
        return Ok(());
    }
    let compared = case.compared.iter().filter(|at| **at != judged).take(extent.compared);
    for other in compared.filter_map(|at| case.exchanges.get(*at)) {
        judged::lines(other, None, extent.line_chars).iter().try_for_each(&mut tell)?;
    }
    judged::lines(exchange, part, extent.line_chars).iter().try_for_each(&mut tell)
}
