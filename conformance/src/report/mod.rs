//! Reports: one format a file, each written from the run's outcome alone.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use askama::Template as _;
use clap::ValueEnum;

use crate::report::bounded::Bounded;
use crate::report::color::Palette;
use crate::report::destination::Destination;
use crate::report::shortened::shortened;
use crate::report::wrapping::Wrapping;
use crate::runner::outcome::RunOutcome;

/// Declares how the values of a medium are spelled in its templates; `askama.toml` has their endings.
macro_rules! escaper {
    ($(#[$about:meta])* $name:ident by $spell:expr) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $name;

        impl askama::filters::Escaper for $name {
            fn write_escaped_str<W: std::fmt::Write>(&self, mut out: W, text: &str) -> std::fmt::Result {
                out.write_str(&$spell(text))
            }
        }
    };
}

mod bounded;
pub mod color;
pub mod destination;
mod difference;
pub(crate) mod failure;
mod github;
mod har;
mod hostile;
pub(crate) mod html;
mod human;
mod hurl;
mod json;
pub(crate) mod judged;
mod junit;
pub(crate) mod lines;
mod markdown;
mod on_reference;
pub(crate) mod parsed;
pub(crate) mod plural;
pub(crate) mod program;
pub mod progress;
mod sarif;
mod shortened;
mod tap;
mod timeline;
mod undecided;
pub(crate) mod wrapping;

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Human,
    Json,
    Junit,
    Html,
    Sarif,
    Github,
    #[value(name = "md")]
    Markdown,
    Tap,
    Har,
    Hurl,
}

#[derive(Debug, Clone)]
pub struct ReportSpec {
    pub format: Format,
    /// Where to; `-` is standard output.
    pub path: PathBuf,
}

impl FromStr for ReportSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (format, path) = text.split_once('=').unwrap_or((text, "-"));
        let format = <Format as ValueEnum>::from_str(format, false).map_err(|_| {
            let known = Format::value_variants().iter().filter_map(ValueEnum::to_possible_value);
            let names: Vec<_> = known.map(|value| value.get_name().to_owned()).collect();
            format!("no report is called `{format}`; there are {}", names.join(", "))
        })?;
        if path.is_empty() {
            return Err(format!("`{text}` names no file; write FORMAT=PATH"));
        }
        Ok(Self { format, path: path.into() })
    }
}

impl ReportSpec {
    pub fn open(&self) -> Result<OpenReport, String> {
        // The other formats show traffic, which may hold secrets of the target.
        let is_private = !matches!(self.format, Format::Sarif | Format::Github | Format::Markdown | Format::Tap);
        let is_standard = self.path == Path::new("-");
        Ok(OpenReport { format: self.format, is_standard, destination: Destination::open(&self.path, is_private)? })
    }
}

#[derive(Debug)]
pub struct OpenReport {
    pub(crate) format: Format,
    is_standard: bool,
    destination: Destination,
}

impl OpenReport {
    /// Writes the report, whole or not at all; `palette` colours it on standard output.
    pub fn write(self, outcome: &RunOutcome, palette: Palette) -> Result<(), String> {
        let is_for_person = self.format == Format::Human && self.is_standard;
        let report = bounded(self.format, outcome, if is_for_person { palette } else { Palette::PLAIN })
            .map_err(|error| format!("cannot make the report: {error}"))?;
        self.destination.write(|out| {
            if !is_for_person {
                return out.write_all(&report);
            }
            let mut out = Wrapping::for_report(out, &io::stdout());
            out.write_all(&report)?;
            out.flush()
        })
    }
}

/// The report, with as much of the traffic as there is room for.
fn bounded(format: Format, outcome: &RunOutcome, palette: Palette) -> io::Result<Vec<u8>> {
    let mut out = place(format);
    let mut written = write(format, &mut out, outcome, palette);
    let mut shorter = shortened(outcome);
    while out.is_full
        && let Some(outcome) = shorter.next()
    {
        out = place(format);
        written = write(format, &mut out, &outcome, palette);
    }
    written.map(|()| out.bytes)
}

fn place(format: Format) -> Bounded {
    match format {
        Format::Json | Format::Sarif | Format::Har => Bounded::with(bounded::json),
        Format::Junit => Bounded::with(bounded::xml),
        _ => Bounded::default(),
    }
}

fn write(format: Format, out: &mut Bounded, outcome: &RunOutcome, palette: Palette) -> io::Result<()> {
    let value = match format {
        Format::Human => return human::write(out, outcome, palette),
        Format::Github => return github::write(out, outcome),
        Format::Markdown => return markdown::Markdown::of(outcome).write_into(out),
        Format::Tap => return tap::Report { outcome }.write_into(out),
        Format::Html => {
            html::Page::of(outcome).write_into(out)?;
            return writeln!(out);
        }
        Format::Hurl => return out.write_all(hurl::text(outcome).as_bytes()),
        Format::Junit => {
            junit::report(outcome).serialize(&mut *out).map_err(io::Error::other)?;
            return writeln!(out);
        }
        Format::Json => json::value(outcome),
        Format::Sarif => sarif::value(outcome),
        Format::Har => har::value(outcome),
    };
    serde_json::to_writer_pretty(&mut *out, &value)?;
    writeln!(out)
}
