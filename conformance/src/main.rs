//! `libros-conformance`: the command line of the suite.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use libros_conformance::commands;

/// Judges implementations of the Library Catalogue Service, rule by rule.
#[derive(Debug, Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judges a target
    Run(commands::run::Args),
}

fn main() -> ExitCode {
    let ended = match Cli::parse().command {
        Command::Run(args) => commands::run::execute(&args),
    };
    match ended {
        Ok(code) => ExitCode::from(code),
        Err((code, why)) => {
            _ = writeln!(std::io::stderr(), "error: {why}");
            ExitCode::from(code)
        }
    }
}
