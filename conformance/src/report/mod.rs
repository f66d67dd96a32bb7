//! Reports: one format a file, each written from the run's outcome alone.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::report::color::Palette;
use crate::runner::outcome::RunOutcome;

pub mod color;
mod difference;
mod failure;
mod github;
mod har;
pub(crate) mod html;
pub mod human;
pub mod json;
mod judged;
pub mod junit;
mod markdown;
pub(crate) mod parsed;
pub mod progress;
mod sarif;
mod tap;
mod timeline;

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
    /// Makes sure, before anything is judged, that the report can be written.
    ///
    /// # Errors
    /// A sentence naming the file.
    pub fn try_open(&self) -> Result<(), String> {
        if self.path == Path::new("-") || !self.is_plain() {
            return Ok(());
        }
        let beside = self.beside();
        File::create(&beside).and_then(|_| std::fs::remove_file(&beside)).map_err(|error| self.named(&error))
    }

    /// Writes the report. A plain file is written beside its place first, so that a report is never half there.
    ///
    /// # Errors
    /// A sentence naming the file.
    pub fn write(&self, outcome: &RunOutcome) -> Result<(), String> {
        if self.path == Path::new("-") {
            let out = io::stdout();
            let palette = Palette::for_terminal(&out);
            return write(self.format, &mut out.lock(), outcome, palette).or_else(|error| closed_pipe_is_fine(&error));
        }
        let name = |error: io::Error| self.named(&error);
        let beside = if self.is_plain() { self.beside() } else { self.path.clone() };
        let file = if self.is_plain() { File::create(&beside) } else { File::options().write(true).open(&beside) };
        let mut file = BufWriter::new(file.map_err(name)?);
        write(self.format, &mut file, outcome, Palette::PLAIN).and_then(|()| file.flush()).map_err(name)?;
        if self.is_plain() { std::fs::rename(&beside, &self.path).map_err(name) } else { Ok(()) }
    }

    /// Whether its place is a plain file or free: devices, pipes and links are written to, never replaced.
    fn is_plain(&self) -> bool {
        std::fs::symlink_metadata(&self.path).map_or(true, |place| place.is_file())
    }

    fn beside(&self) -> PathBuf {
        let mut beside = self.path.clone().into_os_string();
        beside.push(".part");
        beside.into()
    }

    fn named(&self, error: &io::Error) -> String {
        format!("cannot write the report {}: {error}", self.path.display())
    }
}

/// A reader that went away (`| head`) is no fault.
fn closed_pipe_is_fine(error: &io::Error) -> Result<(), String> {
    if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(format!("cannot write: {error}")) }
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
