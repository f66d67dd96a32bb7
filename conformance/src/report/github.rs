//! The report as annotations of GitHub Actions; the step summary gets the Markdown one. Both are capped, as GitHub caps them.

use std::fs::File;
use std::io;

use askama::Template;
use askama::filters::Safe;

use crate::contract::edition;
use crate::printable::spelled;
use crate::report::markdown::Markdown;
use crate::report::plural::plural;
use crate::report::undecided;
use crate::runner::cause::{Cause, causes};
use crate::runner::outcome::RunOutcome;

/// GitHub shows ten errors a step.
const ERRORS_SHOWN: usize = 10;

#[derive(Template)]
#[template(path = "report/annotations.github")]
struct Annotations<'o> {
    outcome: &'o RunOutcome,
    silence: Option<&'o str>,
    causes: Vec<Cause>,
}

/// Writes the annotations, and the summary where the environment names its file.
pub(super) fn write(out: &mut dyn io::Write, outcome: &RunOutcome) -> io::Result<()> {
    let silence = outcome.stop_reason.as_ref().and_then(|why| why.as_str().lines().next());
    Annotations { outcome, silence, causes: causes(&outcome.cases) }.write_into(out)?;
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") {
        Markdown::of(outcome).write_into(&mut File::options().create(true).append(true).open(path)?)?;
    }
    Ok(())
}

escaper! {
    /// The log of GitHub Actions, where a line may be a command: at most 1,000 characters of a value.
    Command by escaped
}

fn escaped(text: &str) -> String {
    let text: String = text.chars().take(1000).collect();
    spelled(&text).replace('%', "%25")
}

fn described(cause: &Cause) -> String {
    let likeness = cause.looks_like.as_ref().map(|likeness| format!("; looks like: {likeness}"));
    format!("{}{}", cause.text, likeness.unwrap_or_default())
}

/// A value in front of the text of a command.
fn property(text: &str) -> Safe<String> {
    Safe(escaped(text).replace(':', "%3A").replace(',', "%2C"))
}
