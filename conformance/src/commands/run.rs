//! `run`: judges a target.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::event::Silence;
use crate::hook::Control;
use crate::launch::{Launched, REFERENCE_PROFILE};
use crate::report::human;
use crate::rule::Contract;
use crate::run::{Plan, run};
use crate::select::Selection;
use crate::target::Target;
use crate::trial::Setting;
use crate::{cases, chance};

/// Options of `run`.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Starts the reference on free ports and judges it
    #[arg(long)]
    reference: bool,
    /// Profile of the target
    #[arg(long)]
    profile: Option<PathBuf>,
    /// Base URL of the catalogue; the rest as the reference's profile says
    #[arg(long)]
    url: Option<String>,
    /// Cases or rules to judge; `*` stands for any text
    patterns: Vec<String>,
    /// Chapters to judge
    #[arg(long)]
    chapter: Vec<String>,
    /// Cases or rules to leave out
    #[arg(long)]
    skip: Vec<String>,
    /// What generated cases draw from
    #[arg(long)]
    seed: Option<u64>,
    /// How many inputs a generated case tries
    #[arg(long, default_value_t = 64)]
    cases: u32,
    /// How many cases at a time
    #[arg(short, long, default_value_t = 8)]
    jobs: usize,
    /// Seconds one exchange may take
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// Prints the traffic of every case that did not pass
    #[arg(long)]
    trace: bool,
}

/// Judges; the exit code.
///
/// # Errors
/// An exit code and a sentence for the user.
pub fn execute(args: &Args) -> Result<u8, (u8, String)> {
    let launched = if args.profile.is_none() && args.url.is_none() {
        Some(Launched::reference(Duration::from_secs(20)).map_err(|why| (3, why))?)
    } else {
        None
    };
    let text = match &args.profile {
        Some(path) => {
            std::fs::read_to_string(path).map_err(|e| (2, format!("{}: {e}", path.display())))?
        }
        None => REFERENCE_PROFILE.to_owned(),
    };
    let mut target = Target::parse(&text).map_err(|why| (2, why))?;
    if let Some(launched) = &launched {
        target.place(&launched.urls).map_err(|why| (3, why))?;
    }
    if let Some(url) = &args.url {
        target.urls.clear();
        target.control = None;
        target
            .place(&[("catalogue".to_owned(), url.clone())].into())
            .map_err(|why| (2, why))?;
    }
    let timeout = Duration::from_secs(args.timeout);
    let control = target
        .control
        .as_deref()
        .map(|url| Control::new(url, timeout))
        .transpose()
        .map_err(|why| (3, why))?;
    let seed = args.seed.unwrap_or_else(chance::seed);
    let plan = Plan {
        jobs: args.jobs,
        fail_fast: false,
        retries: 0,
        is_exclusive: control.is_some(),
    };
    let setting = Setting {
        target,
        control,
        seed,
        cases: args.cases,
        timeout,
        nonce: chance::nonce(),
    };
    let selection = Selection {
        patterns: args.patterns.clone(),
        chapters: args.chapter.clone(),
        skips: args.skip.clone(),
    };
    let selected = selection
        .of(&cases::all(), Contract::built_in())
        .map_err(|why| (2, why))?;
    let outcome = run(
        &setting,
        &selected,
        &plan,
        &Silence,
        &AtomicBool::new(false),
    );
    let mut out = std::io::stdout().lock();
    if args.trace {
        for case in outcome.cases.iter().filter(|case| case.mismatch.is_some()) {
            _ = writeln!(out, "--- {}", case.id);
            for exchange in &case.exchanges {
                _ = writeln!(out, "{}", exchange.transcript());
            }
        }
    }
    _ = human::write(&mut out, &outcome);
    Ok(outcome.exit_code())
}
