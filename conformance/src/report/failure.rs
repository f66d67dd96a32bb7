//! One failure as a person reads it: the rule, what was wanted and what came, the exchange, and how to see it again.

use std::io;

use crate::contract::excerpt::excerpts;
use crate::contract::rule::Contract;
use crate::contract::violation::Want;
use crate::report::color::Palette;
use crate::report::judged::{self, Line, shortened};
use crate::report::lines::{Lines, Terminal, line};
use crate::report::plural::plural;
use crate::report::{beside, difference, timeline};
use crate::runner::outcome::CaseOutcome;

/// Longest value shown of want and got, in characters.
const VALUE_CHARS: usize = 600;

/// Exchanges shown beside the one judged, where several show the failure together.
const COMPARED_SHOWN: usize = 3;

/// Writes it; `is_traced` shows all traffic of the case.
pub(super) fn write(
    out: &mut Lines<'_, Terminal>,
    case: &CaseOutcome,
    is_traced: bool,
    palette: Palette,
) -> io::Result<()> {
    line!(out, "\n{} {}", palette.bad(case.verdict.word().to_uppercase()), palette.strong(&case.id))?;
    details(out, case, is_traced, palette)?;
    line!(out, "  more   libros-conformance explain {}", case.id)
}

/// What is behind its head line.
pub(crate) fn details(
    out: &mut Lines<'_, Terminal>,
    case: &CaseOutcome,
    is_traced: bool,
    palette: Palette,
) -> io::Result<()> {
    if let Some(mismatch) = &case.mismatch {
        if let Some(rule) = Contract::built_in().rule(&mismatch.rule) {
            line!(out, "  rule   {} ({}; {})", rule.id, rule.level.word(), rule.source)?;
            line!(out, "         {}", rule.text)?;
            if let Some(because) = &rule.because {
                line!(out, "         because {}", because)?;
            }
        }
        let (whole_want, whole_got) = (mismatch.want.to_string(), mismatch.got.to_string());
        let [want, got] = excerpts(&whole_want, &whole_got, VALUE_CHARS);
        line!(out, "  where  {}", shortened(&mismatch.place.to_string(), VALUE_CHARS))?;
        line!(out, "  want   {}", want)?;
        line!(out, "  got    {}", got)?;
        // What is accepted is told in words, which no answer has.
        let difference = difference::told(&whole_want, &whole_got);
        if let Some(difference) = difference.filter(|_| !matches!(mismatch.want, Want::OneOf(_))) {
            line!(out, "  differ {}", difference)?;
        }
    } else if let Some(message) = &case.message {
        line!(out, "  why    {}", shortened(message, VALUE_CHARS))?;
    }
    traffic(out, case, is_traced, palette)
}

/// All traffic of a case that is no failure.
pub(super) fn trace(out: &mut Lines<'_, Terminal>, case: &CaseOutcome, palette: Palette) -> io::Result<()> {
    line!(out, "\n{} {}", case.verdict.word().to_uppercase(), palette.strong(&case.id))?;
    for exchange in &case.exchanges {
        for line in exchange.transcript().lines() {
            line!(out, "    {}", palette.faint(line))?;
        }
        line!(out)?;
    }
    Ok(())
}

/// The exchange judged, to the point, or all of them whole.
fn traffic(out: &mut Lines<'_, Terminal>, case: &CaseOutcome, is_traced: bool, palette: Palette) -> io::Result<()> {
    let Some((judged, exchange)) = case.judged_at().zip(case.judged_exchange()) else { return Ok(()) };
    for (index, line) in timeline::lines(case).iter().enumerate() {
        line!(out, "  {} {}", if index == 0 { "time  " } else { "      " }, palette.faint(line))?;
    }
    let mut tell = |line: &Line| {
        let text = if line.is_wrong { palette.bad(&line.text) } else { palette.faint(&line.text) };
        line!(out, "  {} {}", if line.is_wrong { palette.bad("!") } else { " ".into() }, text)
    };
    let plain = |text: &str| Line { is_wrong: false, text: text.to_owned() };
    let part = case.mismatch.as_ref().map(|mismatch| &mismatch.place.part);
    if is_traced {
        for (index, other) in case.exchanges.iter().enumerate() {
            other.transcript().lines().try_for_each(|line| tell(&plain(line)))?;
            if index == judged {
                judged::lines(exchange, part).iter().filter(|line| line.is_wrong).try_for_each(&mut tell)?;
            }
            tell(&plain(""))?;
        }
    } else {
        let compared: Vec<usize> =
            case.compared.iter().copied().filter(|at| *at != judged).take(COMPARED_SHOWN).collect();
        let earlier = judged - compared.iter().filter(|at| **at < judged).count();
        if earlier > 0 {
            tell(&plain(&format!("(after {}: --trace shows them)", plural(earlier, "earlier request"))))?;
        }
        for other in compared.iter().filter_map(|at| case.exchanges.get(*at)) {
            judged::lines(other, None).iter().try_for_each(&mut tell)?;
            tell(&plain(""))?;
        }
        judged::lines(exchange, part).iter().try_for_each(&mut tell)?;
        let later = case.exchanges.len() - judged - 1 - compared.iter().filter(|at| **at > judged).count();
        if later > 0 {
            tell(&plain(&format!("({} came after it)", plural(later, "more request"))))?;
        }
    }
    for (index, line) in beside::lines(case).iter().enumerate() {
        line!(out, "  {} {}", if index == 0 { "diff  " } else { "      " }, line)?;
    }
    case.curl.as_ref().or(case.again.as_ref()).map_or(Ok(()), |again| line!(out, "  again  {}", again))
}
