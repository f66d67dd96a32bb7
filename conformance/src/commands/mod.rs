//! The subcommands, one a file: each turns its options into calls of the library and the outcome into an exit code.

use std::io;

use crate::printable::Printable;
use crate::report::lines::{Lines, Terminal, line};
use crate::report::wrapping::Wrapping;

pub mod bench;
pub mod book;
pub mod compare;
pub mod completions;
pub mod environment;
pub mod explain;
pub mod impostor;
pub mod init;
mod last_run;
pub mod ledger;
pub mod list;
mod reference;
pub mod replay;
mod reports;
mod reproduction;
pub mod rules;
pub mod run;
pub mod schema;
pub mod selftest;
pub mod target_args;
mod time_span;

/// Why a command ended without doing its work: an exit code, and a sentence for the user.
#[derive(Debug)]
pub struct CommandError {
    /// Exit code.
    pub code: u8,
    /// What was wrong, where, and what to do.
    pub why: Printable,
}

/// Reads a file that an option names.
///
/// # Errors
/// A file that cannot be read (2).
pub(crate) fn read_text(path: &std::path::Path) -> Result<String, CommandError> {
    std::fs::read_to_string(path)
        .map_err(|error| CommandError::usage(format!("cannot read {}: {error}", path.display())))
}

/// Says on standard error what was wrong.
pub fn complain(why: impl Into<Printable>) {
    let mut out = Wrapping::for_terminal(io::stderr(), &io::stderr());
    let out = &mut Lines::<Terminal>::new(&mut out);
    // A closed stderr leaves nobody to tell.
    _ = line!(out, "libros-conformance: {}", why.into());
}

impl CommandError {
    /// Unknown option, id or pattern, unreadable file: exit code 2.
    pub fn usage(why: impl Into<Printable>) -> Self {
        Self { code: 2, why: why.into() }
    }

    /// The suite itself is at fault: exit code 70.
    pub(crate) fn broken(why: impl Into<Printable>) -> Self {
        Self { code: 70, why: why.into() }
    }

    /// Target unreachable, not ready, or its hook failed: exit code 3.
    pub fn target(why: impl Into<Printable>) -> Self {
        Self { code: 3, why: why.into() }
    }
}
