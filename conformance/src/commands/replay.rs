//! `replay`: judges the last failures again, with the same target and seed.

use crate::commands::last_run::LastRun;
use crate::commands::{CommandError, run};

/// Options of `replay`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Cases to judge again [default: all that failed last]
    #[arg(value_name = "CASE")]
    cases: Vec<String>,
    /// Write a script that shows what fails again, on any target (curl and python3)
    #[arg(long, value_name = "FILE")]
    curl: Option<String>,
}

/// Judges again; returns the exit code.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let last = LastRun::read()?;
    let cases = if args.cases.is_empty() { last.failed } else { args.cases.clone() };
    if cases.is_empty() {
        return Err(CommandError::usage("nothing failed in the last run of this folder; name a case to replay it"));
    }
    let verbose = ["--verbose".to_owned()];
    let script = args.curl.clone().map(|file| ["--curl".to_owned(), file]);
    let options = last.options.into_iter().chain(verbose).chain(script.into_iter().flatten());
    run::execute(&run::Args::parsed(options.chain(cases))?)
}
