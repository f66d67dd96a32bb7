//! One failure as a person reads it: the rule, what was wanted and what came, the exchange, and how to see it again.

use std::io::{self, Write};

use crate::contract::rule::Contract;
use crate::report::color::Palette;
use crate::runner::outcome::CaseOutcome;

/// Longest value shown of want and got, in characters.
const VALUE_CHARS: usize = 600;
/// Longest line of an exchange shown, in characters.
const LINE_CHARS: usize = 300;

/// Writes it; `is_traced` shows all traffic of the case.
pub(super) fn write(out: &mut dyn Write, case: &CaseOutcome, is_traced: bool, palette: Palette) -> io::Result<()> {
    writeln!(out, "\n{} {}", palette.bad(&case.verdict.word().to_uppercase()), palette.strong(&case.id))?;
    if let Some(mismatch) = &case.mismatch {
        if let Some(rule) = Contract::built_in().rule(&mismatch.rule) {
            writeln!(out, "  rule   {} ({}; {})", rule.id, rule.level.word(), rule.source)?;
            writeln!(out, "         {}", rule.text)?;
        }
        writeln!(out, "  where  {}", mismatch.place)?;
        writeln!(out, "  want   {}", shortened(&mismatch.want, VALUE_CHARS))?;
        writeln!(out, "  got    {}", shortened(&mismatch.got, VALUE_CHARS))?;
    } else if let Some(message) = &case.message {
        writeln!(out, "  why    {}", shortened(message, VALUE_CHARS))?;
    }
    traffic(out, case, is_traced, palette)?;
    writeln!(out, "  more   libros-conformance explain {}", case.id)
}

/// The last exchange to the point, or all of them whole.
fn traffic(out: &mut dyn Write, case: &CaseOutcome, is_traced: bool, palette: Palette) -> io::Result<()> {
    let Some((last, earlier)) = case.exchanges.split_last() else { return Ok(()) };
    let mut faint = |line: &str| writeln!(out, "    {}", palette.faint(line));
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

/// The lines of a transcript: of headers received only Content-Type and the one that is wrong, of long lines the beginning.
fn to_the_point(transcript: &str, place: &str) -> Vec<String> {
    let wrong = place.strip_prefix("header ").map(|name| format!("< {}:", name.to_ascii_lowercase()));
    let matters = |line: &str| {
        let line = line.to_ascii_lowercase();
        line.starts_with("< content-type:") || wrong.as_ref().is_some_and(|wrong| line.starts_with(wrong))
    };
    let mut lines: Vec<String> = Vec::new();
    let mut left_out = 0;
    let mut is_body = false;
    for line in transcript.lines() {
        is_body |= line == "< ";
        let is_header = !is_body && line.starts_with("< ") && line.contains(": ");
        if is_header && !matters(line) {
            left_out += 1;
            continue;
        }
        if left_out > 0 && line == "< " {
            lines.push(format!("< ({left_out} more headers: --trace shows them)"));
            left_out = 0;
        }
        lines.push(shortened(line, LINE_CHARS));
    }
    if left_out > 0 {
        lines.push(format!("< ({left_out} more headers: --trace shows them)"));
    }
    lines
}

/// At most so many characters of it, and how long it is.
pub(super) fn shortened(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}... ({} characters in all)", &text[..cut], text.chars().count()),
    }
}
