//! The report a person reads at a terminal.

use std::io::{self, Write};

use crate::outcome::{RunOutcome, Verdict};

/// Writes it.
///
/// # Errors
/// As the writer's.
pub fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    for case in &outcome.cases {
        if matches!(case.verdict, Verdict::Pass) {
            continue;
        }
        writeln!(
            out,
            "{:8} {}  {}",
            case.verdict.word(),
            case.id,
            case.message.as_deref().unwrap_or_default()
        )?;
    }
    for verdict in Verdict::ALL {
        write!(out, "{} {}  ", outcome.count(verdict), verdict.word())?;
    }
    writeln!(out, "\n{}", outcome.verdict().word())
}
