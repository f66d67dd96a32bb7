//! The report as annotations of GitHub Actions; the step summary gets the Markdown one. Both are capped, as GitHub caps them.

use std::fs::File;
use std::io::{self, Write};

use crate::contract::{edition, locations};
use crate::report::plural::plural;
use crate::report::{markdown, undecided};
use crate::runner::cause::causes;
use crate::runner::outcome::RunOutcome;

/// GitHub shows ten errors a step.
const ERRORS_SHOWN: usize = 10;

/// Writes the annotations, and the summary where the environment names its file.
///
/// # Errors
/// When a writer fails.
pub(super) fn write(out: &mut dyn Write, outcome: &RunOutcome) -> io::Result<()> {
    for cause in causes(&outcome.cases).iter().take(ERRORS_SHOWN) {
        let first = cause.cases().next().map_or("", |index| outcome.cases[index].id.as_str());
        let count = plural(cause.cases().count(), "case");
        let title = cause.rule.as_deref().unwrap_or(first);
        let place = cause.rule.as_deref().and_then(locations::rule).and_then(|place| place.rsplit_once(':'));
        let place = place.map_or(String::new(), |(file, line)| format!("file={},line={line},", property(file)));
        let text = data(&format!("{} ({count}, first {first})", cause.text));
        writeln!(out, "::error {place}title={}::{text}", property(title))?;
    }
    let word = outcome.verdict().word();
    let why = undecided::why(outcome).map_or_else(String::new, |why| data(&format!(": {why}")));
    writeln!(out, "::notice title=libros-conformance::{} is {word} ({}){why}", data(&outcome.target), edition::told())?;
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") {
        let mut file = File::options().create(true).append(true).open(path)?;
        markdown::write(&mut file, outcome)?;
    }
    Ok(())
}

/// The text of a workflow command.
fn data(text: &str) -> String {
    let text: String = text.chars().take(1000).collect();
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
