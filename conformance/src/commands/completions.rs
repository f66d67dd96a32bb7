//! `completions` and `man`: what a shell and a manual need to know of the command line. Judge nothing.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use crate::commands::CommandError;

const PROGRAM: &str = "libros-conformance";

/// Options of `completions`.
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// Of which shell
    shell: Shell,
}

/// Options of `man`.
#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Write a page for each command into this folder [default: the page of the program alone, on standard output]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

/// Writes the completions of a command line on standard output; the exit code.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, PROGRAM, &mut script);
    _ = io::stdout().lock().write_all(&script);
    0
}

/// Writes manual pages; the exit code.
///
/// # Errors
/// A folder that cannot be written to (2).
pub fn man(args: &ManArgs, program: Command) -> Result<u8, CommandError> {
    let Some(folder) = &args.dir else {
        // A pager that was left has seen enough.
        _ = clap_mangen::Man::new(program).render(&mut io::stdout().lock());
        return Ok(0);
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program, folder))
        .map_err(|error| CommandError::usage(format!("cannot write into {}: {error}", folder.display())))?;
    Ok(0)
}
