//! Reports: one format a file, each written from the run's outcome alone.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::report::color::Palette;
use crate::report::destination::Destination;
use crate::report::wrapping::Wrapping;
use crate::runner::outcome::RunOutcome;

pub mod color;
pub mod destination;
mod difference;
mod failure;
mod github;
mod har;
mod hostile;
pub(crate) mod html;
pub mod human;
pub mod json;
mod judged;
pub mod junit;
mod markdown;
pub(crate) mod parsed;
pub(crate) mod plural;
pub mod progress;
mod sarif;
pub mod script;
mod tap;
mod timeline;
mod undecided;
pub(crate) mod wrapping;

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For a person at a terminal.
    Human,
    /// `libros-conformance/1`.
    Json,
    /// JUnit XML, as CI servers read it.
    Junit,
    /// One page for a browser.
    Html,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations and step summary of GitHub Actions.
    Github,
    /// Markdown.
    Markdown,
    /// TAP 14.
    Tap,
    /// HAR 1.2.
    Har,
}

/// Every format by its name.
const FORMATS: [(&str, Format); 9] = [
    ("human", Format::Human),
    ("json", Format::Json),
    ("junit", Format::Junit),
    ("html", Format::Html),
    ("sarif", Format::Sarif),
    ("github", Format::Github),
    ("md", Format::Markdown),
    ("tap", Format::Tap),
    ("har", Format::Har),
];

/// A report asked for: `FORMAT=PATH`.
#[derive(Debug, Clone)]
pub struct ReportSpec {
    /// How.
    pub format: Format,
    /// Where to; `-` is standard output.
    pub path: PathBuf,
}

impl FromStr for ReportSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, path) = text.split_once('=').unwrap_or((text, "-"));
        let Some((_, format)) = FORMATS.iter().find(|(name, _)| *name == format) else {
            let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
            return Err(format!("no report is called `{format}`; there are {}", names.join(", ")));
        };
        if path.is_empty() {
            return Err(format!("`{text}` names no file; write FORMAT=PATH"));
        }
        Ok(Self { format: *format, path: path.into() })
    }
}

impl ReportSpec {
    /// Opens its place before anything is judged.
    ///
    /// # Errors
    /// A sentence naming the file.
    pub fn open(&self) -> Result<OpenReport, String> {
        // These show traffic, and so what a target says to those it trusts.
        let is_private =
            matches!(self.format, Format::Human | Format::Json | Format::Junit | Format::Html | Format::Har);
        let is_standard = self.path == Path::new("-");
        Ok(OpenReport { format: self.format, is_standard, destination: Destination::open(&self.path, is_private)? })
    }
}

/// A report whose place is open.
#[derive(Debug)]
pub struct OpenReport {
    format: Format,
    is_standard: bool,
    destination: Destination,
}

impl OpenReport {
    /// How it is written.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Writes the report, whole or not at all; coloured on standard output where `palette` is.
    ///
    /// # Errors
    /// A sentence naming the file.
    pub fn write(self, outcome: &RunOutcome, palette: Palette) -> Result<(), String> {
        if self.format == Format::Human && self.is_standard {
            return self.destination.write(|out| {
                let mut out = Wrapping::for_report(out, &io::stdout());
                human::write(&mut out, outcome, palette)?;
                out.flush()
            });
        }
        self.destination.write(|out| write(self.format, out, outcome, Palette::PLAIN))
    }
}

fn write(format: Format, out: &mut dyn Write, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    match format {
        Format::Human => human::write(out, outcome, palette),
        Format::Json => json::write(out, outcome),
        Format::Junit => junit::write(out, outcome),
        Format::Html => html::write(out, outcome),
        Format::Sarif => sarif::write(out, outcome),
        Format::Github => github::write(out, outcome),
        Format::Markdown => markdown::write(out, outcome),
        Format::Tap => tap::write(out, outcome),
        Format::Har => har::write(out, outcome),
    }
}
