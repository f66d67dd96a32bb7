//! `schema`: prints the JSON Schema (2020-12) of a format: the json report, the profile, the list of expected failures.

use std::io::{self, Write as _};

use crate::commands::{CommandError, printed};

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

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let schema = match args.format {
        Format::Report => include_str!("../../../seeds/schemas/report.json"),
        Format::Profile => include_str!("../../../seeds/schemas/profile.json"),
        Format::Expected => include_str!("../../../seeds/schemas/expected.json"),
    };
    printed(io::stdout().lock().write_all(schema.as_bytes()))
}
