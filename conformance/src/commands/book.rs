//! `book`: the contract as pages for a browser, rule by rule, with a target's verdicts beside them where a report is given.

use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::book;
use crate::chapters::cases;
use crate::commands::{CommandError, read_report, write_text};
use crate::contract::rule::Contract;

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Write the pages into this folder; create it if it is missing
    #[arg(long, value_name = "DIR", default_value = "libros-book")]
    html: PathBuf,
    /// A json report: its verdicts and readings are shown beside the rules
    #[arg(long, value_name = "REPORT.json")]
    report: Option<PathBuf>,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let report = args.report.as_deref().map(read_report).transpose()?;
    let cases = cases::all();
    let pages = book::pages(Contract::built_in(), &cases, report.as_ref());
    std::fs::create_dir_all(&args.html).map_err(|error| CommandError::unwritable(&args.html, &error))?;
    for (file, text) in &pages {
        write_text(&args.html.join(file), text)?;
    }
    let first = args.html.join("index.html");
    _ = writeln!(io::stdout().lock(), "wrote {} pages and their style: open {}", pages.len() - 1, first.display());
    Ok(0)
}
