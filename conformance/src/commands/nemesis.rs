//! `nemesis`: attacks a cluster as its profile says, and judges what it answered meanwhile and afterwards.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use crate::commands::run::interrupt;
use crate::commands::target_args::wait_for;
use crate::commands::{CommandError, read_text};
use crate::implementation::profile::Target;
use crate::nemesis::{Attack, Strike, page};
use crate::printable::Printable;
use crate::random;
use crate::report::color::Palette;
use crate::report::destination::Destination;
use crate::report::lines::write_printable;
use crate::report::plural::plural;
use crate::report::{Format, ReportSpec};

const EXAMPLES: &str = "\
Examples:
  nemesis --profile cluster.toml --minutes 10 --report html=attack.html
  nemesis --profile cluster.toml --seed 7                        the same faults in the same order

The profile's table [nemesis] has a shell line a fault, and what heals it: see `init`. Use a cluster made for trials: its books and users stay.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Profile of the cluster, with a table [nemesis]
    #[arg(long, value_name = "FILE")]
    profile: PathBuf,
    /// How long faults strike
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    minutes: f64,
    /// Seed of faults and operations [default: another one each run]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write the history as a page: html=FILE
    #[arg(long, value_name = "html=FILE")]
    report: Option<ReportSpec>,
    /// How long to wait for the cluster to be ready
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    wait: u64,
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let in_profile = |why: &str| CommandError::in_file(&args.profile, why);
    let target = Target::parse(&read_text(&args.profile)?).map_err(|why| in_profile(&why))?;
    let nemesis = target.nemesis.as_ref().filter(|nemesis| nemesis.faults().next().is_some());
    let none = "no fault: write one under [nemesis], such as `kill = \"...\"` (`init` shows the table)";
    let nemesis = nemesis.ok_or_else(|| in_profile(none))?;
    let lasting = Duration::try_from_secs_f64(args.minutes * 60.0).ok().filter(|lasting| !lasting.is_zero());
    let lasting = lasting.ok_or_else(|| CommandError::usage("--minutes wants a positive number"))?;
    let page = match &args.report {
        Some(ReportSpec { format: Format::Html, path }) => {
            Some(Destination::open(path, true).map_err(CommandError::usage)?)
        }
        Some(_) => return Err(CommandError::usage("nemesis writes one report: html=FILE")),
        None => None,
    };
    wait_for(&target, None, Duration::from_secs(args.wait))?;
    let stop = interrupt()?;
    let seed = args.seed.unwrap_or_else(random::seed);
    let (out, palette) = (&mut io::stdout().lock(), Palette::for_terminal(&io::stdout()));
    // Even with a closed standard output the cluster must be healed.
    _ = writeln!(out, "{}  seed {seed}", palette.strong(&target.name));
    let mut tell = |strike: &Strike| {
        let [fault, node] = [&strike.fault, &strike.node].map(|text| Printable::from(text).to_string());
        let [at, lasted, pause] = [strike.begun_us, strike.healed_us - strike.begun_us, strike.pause_us].map(seconds);
        let after = match strike.recovered_us {
            Some(recovered_us) => palette.good(format!("{:.1} s", seconds(recovered_us - strike.healed_us))),
            None => palette.bad("never"),
        };
        let text = format!("{at:7.1} s  {fault:8} {node} for {lasted:.1} s; longest pause of creates {pause:.1} s");
        _ = writeln!(out, "{text}; once healed they went on after: {after}");
    };
    let attacked = Attack::new(&target, nemesis, seed, stop).run(lasting, &mut tell).map_err(CommandError::target)?;
    for (promise, count, first) in attacked.broken() {
        let [from, to] = [first.from_us, first.to_us].map(seconds);
        let seen = format!("  {}; first from {from:.1} to {to:.1} s: ", plural(count, "time"));
        _ = writeln!(out, "\n{} {promise}", palette.bad("FAIL"));
        _ = write_printable(out, &Printable::from(seen).and(Printable::of_lines(&first.text)));
    }
    if let Some(page) = page {
        page.write(|out| out.write_all(page::text(&attacked).as_bytes())).map_err(CommandError::usage)?;
    }
    let (code, word, _) = attacked.verdict();
    _ = writeln!(out, "{}\n{word}", attacked.counts());
    Ok(code)
}

fn seconds(time_us: u64) -> f64 {
    time_us as f64 / 1e6
}
