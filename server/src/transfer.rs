//! The commands `export` and `import`: the store of a stopped server as JSON lines, and back.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;

use crate::store::transfer::{export, import};

/// Moves what a stopped server has stored.
#[derive(Debug, Parser)]
#[command(name = "libros-server", version)]
pub(crate) enum Transfer {
    /// Writes everything stored as JSON lines to standard output
    ///
    /// The key of the keyed hashes (the file `secret`, or that of --secret-file) is not among it: keep it apart, since without it
    /// no password and no API key opens anything.
    Export {
        /// The folder of the store
        #[arg(long, env = "LIBROS_DATA", value_name = "DIR", default_value = "libros-data")]
        data: PathBuf,
    },
    /// Fills a folder that holds no store yet from an export
    ///
    /// Bring the key of the keyed hashes, too: copy the file `secret` beside it, or name it with --secret-file.
    Import {
        /// The folder of the new store
        #[arg(long, env = "LIBROS_DATA", value_name = "DIR", default_value = "libros-data")]
        data: PathBuf,
        /// The export
        #[arg(value_name = "FILE.jsonl")]
        file: PathBuf,
    },
}

/// Whether the arguments of the program ask for one of these commands.
pub(crate) fn is_asked_for(arguments: &[OsString]) -> bool {
    arguments.first().is_some_and(|first| first == "export" || first == "import")
}

impl Transfer {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let (records, done, data) = match self {
            Self::Export { data } => (export(data, &mut BufWriter::new(io::stdout().lock()))?, "exported from", data),
            Self::Import { data, file } => {
                let input = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
                let records = import(data, BufReader::new(input)).with_context(|| file.display().to_string())?;
                (records, "imported into", data)
            }
        };
        _ = writeln!(io::stderr(), "{records} records {done} {}", data.display());
        Ok(())
    }
}
