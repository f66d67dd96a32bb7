//! The report as TAP 14: a line a case, with a YAML block beneath what did not pass.

use std::borrow::Cow;
use std::fmt;
use std::io;

use serde_json::Value;

use crate::contract::edition;
use crate::printable::spelled;
use crate::report::lines::{Lines, Medium, Show, line};
use crate::runner::outcome::{CaseOutcome, RunOutcome};
use crate::runner::verdict::Verdict;

pub(super) fn write(out: &mut Lines<'_, Tap>, outcome: &RunOutcome) -> io::Result<()> {
    line!(out, "TAP version 14\n1..{}", outcome.cases.len())?;
    line!(out, "# {}, seed {}", edition::in_words(), outcome.seed)?;
    for (number, case) in (1..).zip(&outcome.cases) {
        tell(out, number, case)?;
    }
    if let Some(why) = outcome.stopped_early() {
        line!(out, "Bail out! {}", why)?;
    }
    Ok(())
}

fn tell(out: &mut Lines<'_, Tap>, number: usize, case: &CaseOutcome) -> io::Result<()> {
    let message = case.message.as_deref().unwrap_or_default();
    let id = &case.id;
    match case.verdict {
        Verdict::Pass | Verdict::Noted => line!(out, "ok {} - {}", number, id),
        Verdict::Skipped => line!(out, "ok {} - {} # SKIP {}", number, id, message),
        Verdict::ExpectedFail => line!(out, "not ok {} - {} # TODO {}", number, id, message),
        _ => {
            line!(out, "not ok {} - {}", number, id)?;
            let rule = case.mismatch.as_ref().map(|mismatch| mismatch.rule.as_str());
            line!(out, "  ---\n  verdict: {}", case.verdict.word())?;
            line!(out, "  message: {}", Quoted(message))?;
            rule.map_or(Ok(()), |rule| line!(out, "  rule: {}", Quoted(rule)))?;
            line!(out, "  ...")
        }
    }
}

/// TAP, where `#` begins a directive.
#[derive(Debug)]
pub(super) enum Tap {}

impl Medium for Tap {
    fn spelled(text: &str) -> Cow<'_, str> {
        Cow::Owned(spelled(text).replace('#', "\\#"))
    }
}

struct Quoted<'t>(&'t str);

impl Show for Quoted<'_> {
    fn show(&self, _: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Value::from(spelled(self.0)))
    }
}
