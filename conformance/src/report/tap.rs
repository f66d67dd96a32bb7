//! The report as TAP 14: a line a case, with a YAML block beneath what did not pass.

use std::io::{self, Write};

use serde_json::Value;

use crate::contract::edition;
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};

/// Writes it.
///
/// # Errors
/// When the writer fails.
pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    writeln!(out, "TAP version 14\n1..{}", outcome.cases.len())?;
    writeln!(out, "# {}, seed {}", edition::told(), outcome.seed)?;
    for (number, case) in (1..).zip(&outcome.cases) {
        line(out, number, case)?;
    }
    if !outcome.is_complete {
        writeln!(out, "Bail out! stopped early: this report is incomplete")?;
    }
    Ok(())
}

fn line(out: &mut dyn Write, number: usize, case: &CaseOutcome) -> io::Result<()> {
    let message = case.message.as_deref().unwrap_or_default();
    // A directive ends at the line.
    let reason = message.replace(['\n', '\r'], " ").replace('#', "\\#");
    let id = &case.id;
    match case.verdict {
        Verdict::Pass | Verdict::Noted => writeln!(out, "ok {number} - {id}"),
        Verdict::Skipped => writeln!(out, "ok {number} - {id} # SKIP {reason}"),
        Verdict::ExpectedFail => writeln!(out, "not ok {number} - {id} # TODO {reason}"),
        _ => {
            writeln!(out, "not ok {number} - {id}")?;
            let rule = case.mismatch.as_ref().map(|mismatch| mismatch.rule.as_str());
            writeln!(out, "  ---\n  verdict: {}", case.verdict.word())?;
            writeln!(out, "  message: {}", Value::from(message))?;
            rule.map_or(Ok(()), |rule| writeln!(out, "  rule: {}", Value::from(rule)))?;
            writeln!(out, "  ...")
        }
    }
}
