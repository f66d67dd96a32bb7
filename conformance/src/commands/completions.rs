//! `completions` and `man`: shell completions and manual pages of both programs, made by clap's own crates. Judge nothing.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Command;
use clap_complete::Shell;

use crate::commands::{CommandError, printed};
use crate::implementation::reference::reference_command_line;

#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
    /// Of `libros-server` instead
    #[arg(long)]
    server: bool,
}

#[derive(Debug, clap::Args)]
pub struct ManArgs {
    /// Write a page for each command into this folder [default: the page of the program alone, on standard output]
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// Of `libros-server` instead
    #[arg(long)]
    server: bool,
}

pub fn completions(args: &CompletionsArgs, suite: Command) -> Result<u8, CommandError> {
    let mut program = chosen(suite, args.server)?;
    let (name, mut script) = (program.get_name().to_owned(), Vec::new());
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    printed(io::stdout().lock().write_all(&script))
}

pub fn man(args: &ManArgs, suite: Command) -> Result<u8, CommandError> {
    let program = chosen(suite, args.server)?;
    let Some(folder) = &args.dir else {
        return printed(clap_mangen::Man::new(program).render(&mut io::stdout().lock()));
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(program, folder))
        .map_err(|error| CommandError::usage(format!("cannot write into {}: {error}", folder.display())))?;
    Ok(0)
}

fn chosen(suite: Command, is_server: bool) -> Result<Command, CommandError> {
    if !is_server {
        return Ok(suite);
    }
    reference_command_line().ok_or_else(|| CommandError::usage("this program was built without the reference server"))
}
