//! `schema`: prints the JSON Schema (2020-12) of a format: the json report, the profile, the list of expected failures.

use std::io::{self, Write as _};

use crate::commands::CommandError;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which format; TOML files are described as the JSON of the same structure
    #[arg(value_enum, default_value = "report")]
    format: Format,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// What `run --report json=FILE` writes
    Report,
    /// What `run --profile FILE` reads
    Profile,
    /// What `run --expected-failures FILE` reads
    Expected,
}

impl Format {
    fn schema(self) -> &'static str {
        match self {
            Self::Report => include_str!("../../../seeds/schemas/report.json"),
            Self::Profile => include_str!("../../../seeds/schemas/profile.json"),
            Self::Expected => include_str!("../../../seeds/schemas/expected.json"),
        }
    }
}

/// Prints the schema; returns the exit code.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    // A reader that closed the pipe has seen enough.
    _ = io::stdout().lock().write_all(args.format.schema().as_bytes());
    Ok(0)
}
