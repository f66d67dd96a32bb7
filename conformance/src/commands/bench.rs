//! `bench`: sends load to any implementation, a named mix at a time, and says how fast it answers.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::ValueEnum as _;

use crate::bench::mix::Mix;
use crate::bench::plan::Plan;
use crate::bench::result::BenchResult;
use crate::bench::terminal::{Comparison, Foot, Head, Row};
use crate::bench::{measure, page};
use crate::clock;
use crate::commands::run::interrupt;
use crate::commands::{CommandError, opened, printed, read_text, write_opened};
use crate::contract::edition;
use crate::implementation::profile::{Interface, Target};
use crate::implementation::reference;
use crate::report::color::Palette;
use crate::report::lines::write_lines;

const EXAMPLES: &str = "\
Examples:
  bench my.toml --mix list,read --rate 500      how long clients wait at 500 requests a second
  bench my.toml --mix list --rate max           how many answers a second there are at most
  bench --compare before.json after.json        two results of --json, side by side";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A catalogue URL, with the reference's credentials, or the profile of a target
    #[arg(value_name = "URL-OR-PROFILE", required_unless_present = "compare")]
    target: Option<String>,
    /// What to send [default: all of them, one after the other]
    #[arg(long, value_enum, value_delimiter = ',', value_name = "MIX")]
    mix: Vec<Mix>,
    #[command(flatten)]
    plan: Plan,
    /// Write the result as JSON, for --compare
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the result as a page with plots
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Compare two results
    #[arg(long, num_args = 2, value_delimiter = ',', value_names = ["BEFORE.json", "AFTER.json"], conflicts_with = "target")]
    compare: Option<Vec<PathBuf>>,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let (out, palette) = (&mut io::stdout().lock(), Palette::for_terminal(&io::stdout()));
    if let Some([before, after]) = args.compare.as_deref() {
        return printed(write_lines(out, &Comparison { before: &read(before)?, after: &read(after)? }));
    }
    let target = target(args.target.as_deref().unwrap_or_default())?;
    if target.address(Interface::Catalogue).is_some_and(|address| address.is_secure) {
        return Err(CommandError::usage("bench wants an http:// address: TLS would be measured with the target"));
    }
    let url = target.address(Interface::Catalogue).map_or_else(String::new, |address| address.url());
    // Before the load, which may last for hours.
    let (json, html) = (opened(&args.json)?, opened(&args.html)?);
    let started_at = clock::iso(clock::unix_ms());
    let mut result = BenchResult::new(target.name.clone(), url, &args.plan, edition::label(), started_at);
    _ = write_lines(out, &Head { result: &result, palette });
    let stop = interrupt()?;
    let chosen = if args.mix.is_empty() { Mix::value_variants() } else { &args.mix };
    for mix in chosen {
        let Some(measured) = measure(&target, *mix, &args.plan, stop).map_err(CommandError::target)? else {
            break;
        };
        _ = write_lines(out, &Row { mix: &measured, palette });
        result.mixes.push(measured);
    }
    _ = write_lines(out, &Foot { plan: &args.plan, palette });
    let text = serde_json::to_string_pretty(&result).map_err(|error| CommandError::broken(error.to_string()))? + "\n";
    write_opened(json, || text)
        .and(write_opened(html, || page::text(&result)))
        .map(|()| if stop.load(Ordering::Relaxed) { 130 } else { 0 })
}

fn target(text: &str) -> Result<Target, CommandError> {
    if text.contains("://") {
        let mut target = reference::catalogue_at(text).map_err(CommandError::usage)?;
        target.name = "target".to_owned();
        return Ok(target);
    }
    let path = Path::new(text);
    Target::parse(&read_text(path)?).map_err(|why| CommandError::in_file(path, &why))
}

fn read(path: &Path) -> Result<BenchResult, CommandError> {
    BenchResult::parse(&read_text(path)?).map_err(|why| CommandError::in_file(path, &why))
}
