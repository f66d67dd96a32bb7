//! The subcommands, one per file: each turns its options into calls of the library and the result into an exit code.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Command, FromArgMatches};

use crate::printable::Printable;
use crate::report::destination::{Destination, closed_pipe_is_fine, note_use};
use crate::report::lines::write_printable;
use crate::report::parsed::ParsedReport;
use crate::report::wrapping::Wrapping;

pub mod bench;
pub mod book;
pub mod compare;
pub mod completions;
mod conditions;
pub mod environment;
pub mod explain;
pub mod impostor;
pub mod init;
mod last_run;
pub mod ledger;
pub mod list;
mod naming;
pub mod nemesis;
pub mod replay;
mod reports;
mod reproduction;
mod respawn;
pub mod rules;
pub mod run;
pub mod schema;
pub mod selftest;
pub mod target_args;
pub mod watch;

#[derive(Debug)]
pub struct CommandError {
    pub code: u8,
    pub why: Printable,
}

/// Reads a file that an option names; fails with exit code 2.
pub(crate) fn read_text(path: &Path) -> Result<String, CommandError> {
    note_use(path).map_err(CommandError::usage)?;
    std::fs::read_to_string(path)
        .map_err(|error| CommandError::usage(format!("cannot read {}: {error}", path.display())))
}

/// Writes a file that an option names; fails with exit code 2.
pub(crate) fn write_text(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CommandError> {
    std::fs::write(path, text).map_err(|error| CommandError::unwritable(path, &error))
}

/// Opens a file that an option names, before the work whose result it gets; fails with exit code 2.
pub(crate) fn opened(path: &Option<PathBuf>) -> Result<Option<Destination>, CommandError> {
    path.as_deref().map(|path| Destination::open(path, false)).transpose().map_err(CommandError::usage)
}

/// Makes the text and writes it into the file, if there is one; fails with exit code 2.
pub(crate) fn write_opened(file: Option<Destination>, text: impl FnOnce() -> String) -> Result<(), CommandError> {
    let written = file.map_or(Ok(()), |file| file.write(|out| out.write_all(text().as_bytes())));
    written.map_err(CommandError::usage)
}

/// Reads a json report that an option names; fails with exit code 2.
pub(crate) fn read_report(path: &Path) -> Result<ParsedReport, CommandError> {
    ParsedReport::parse(&read_text(path)?).map_err(|why| CommandError::in_file(path, &why))
}

pub(crate) fn print_json(list: &[serde_json::Value]) -> Result<u8, CommandError> {
    let mut out = io::stdout().lock();
    printed(serde_json::to_writer_pretty(&mut out, list).map_err(io::Error::from).and_then(|()| writeln!(out)))
}

/// The exit code after text was printed, of which a program may read the rest; fails with exit code 2.
pub(crate) fn printed(written: io::Result<()>) -> Result<u8, CommandError> {
    let written = closed_pipe_is_fine(written.and_then(|()| io::stdout().flush()));
    written.map(|()| 0).map_err(|error| CommandError::usage(format!("cannot write standard output: {error}")))
}

/// Options as if typed behind the command.
pub(crate) fn parsed<A: FromArgMatches>(
    command: Command,
    words: impl IntoIterator<Item = String>,
) -> Result<A, CommandError> {
    let matches = command.no_binary_name(true).try_get_matches_from(words);
    let options = matches.and_then(|matches| A::from_arg_matches(&matches));
    options.map_err(|error| CommandError::usage(Printable::of_lines(&error.to_string())))
}

pub fn complain(why: impl Into<Printable>) {
    let mut out = Wrapping::for_terminal(io::stderr(), &io::stderr());
    // Ignores a closed standard error.
    _ = write_printable(&mut out, &Printable::from("libros-conformance: ").and(why));
}

impl CommandError {
    /// Unknown option, id or pattern, unreadable file: exit code 2.
    pub fn usage(why: impl Into<Printable>) -> Self {
        Self { code: 2, why: why.into() }
    }

    /// A file that an option names cannot be used: exit code 2.
    pub(crate) fn in_file(path: &Path, why: &str) -> Self {
        Self::usage(Printable::of_lines(&format!("{}: {why}", path.display())))
    }

    /// A file that an option names cannot be written: exit code 2.
    pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Self {
        Self::usage(format!("cannot write {}: {error}", path.display()))
    }

    pub(crate) fn broken(why: impl Into<Printable>) -> Self {
        Self { code: 70, why: why.into() }
    }

    /// Target unreachable, not ready, or its control listener failed: exit code 3.
    pub fn target(why: impl Into<Printable>) -> Self {
        Self { code: 3, why: why.into() }
    }
}
