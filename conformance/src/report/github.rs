//! The report as annotations of GitHub Actions; the step summary gets the Markdown one. Both are capped, as GitHub caps them.

use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io;

use crate::contract::edition;
use crate::printable::spelled;
use crate::report::lines::{Lines, Medium, Show, line};
use crate::report::plural::plural;
use crate::report::{markdown, undecided};
use crate::runner::cause::causes;
use crate::runner::outcome::RunOutcome;

/// GitHub shows ten errors a step.
const ERRORS_SHOWN: usize = 10;

/// Writes the annotations, and the summary where the environment names its file.
pub(super) fn write(out: &mut Lines<'_, Commands>, outcome: &RunOutcome) -> io::Result<()> {
    // What failed before the target was gone says little.
    let silence = outcome.silence.as_ref().and_then(|why| why.as_str().lines().next());
    if let Some(why) = silence {
        line!(out, "::error title=libros-conformance::{}", why)?;
    }
    for cause in causes(&outcome.cases).iter().take(if silence.is_some() { 0 } else { ERRORS_SHOWN }) {
        let first = cause.cases().next().map_or("", |index| outcome.cases[index].id.as_str());
        let count = plural(cause.cases().count(), "case");
        let title = cause.rule.as_deref().unwrap_or(first);
        // Without a file: the rule's is no file of the repository that the workflow runs in.
        let text = cause
            .looks_like
            .as_ref()
            .map_or(cause.text.clone(), |likeness| format!("{}; looks like: {likeness}", cause.text));
        line!(out, "::error title={}::{} ({}, first {})", Property(title), text, count, first)?;
    }
    let word = outcome.verdict().word();
    let why = undecided::why(outcome).map_or_else(String::new, |why| format!(": {why}"));
    line!(out, "::notice title=libros-conformance::{} is {} ({}){}", outcome.target, word, edition::in_words(), why)?;
    if let Some(path) = std::env::var_os("GITHUB_STEP_SUMMARY") {
        let mut file = File::options().create(true).append(true).open(path)?;
        markdown::write(&mut Lines::new(&mut file), outcome)?;
    }
    Ok(())
}

/// The log of GitHub Actions, where a line may be a command.
#[derive(Debug)]
pub(super) enum Commands {}

impl Medium for Commands {
    /// At most 1,000 characters of it.
    fn spelled(text: &str) -> Cow<'_, str> {
        let text: String = text.chars().take(1000).collect();
        Cow::Owned(spelled(&text).replace('%', "%25"))
    }

    /// The commands are our own.
    fn finished(line: &str) -> Cow<'_, str> {
        Cow::Borrowed(line)
    }
}

struct Property<'t>(&'t str);

impl Show for Property<'_> {
    fn show(&self, spelled: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&spelled(self.0).replace(':', "%3A").replace(',', "%2C"))
    }
}
