//! `run`: judges a target and says the verdict.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::case::Need;
use crate::cases;
use crate::clock;
use crate::commands::CommandError;
use crate::context::session::Session;
use crate::contract::rule::Contract;
use crate::http::connection::Connection;
use crate::random;
use crate::report::progress::Progress;
use crate::report::{Format, ReportSpec};
use crate::runner::event::{Listener, Silence};
use crate::runner::expected_failures::Expected;
use crate::runner::outcome::{RunOutcome, Verdict};
use crate::runner::run::{Plan, run};
use crate::runner::select::Selection;
use crate::target::control::Control;
use crate::target::process::{Launched, REFERENCE_PROFILE};
use crate::target::profile::{Interface, Target};
use crate::target::restart::Restarter;

/// Options of `run`; none at all judges the reference.
#[derive(Debug, Clone, clap::Args)]
pub struct Args {
    #[command(flatten)]
    whom: TargetArgs,
    /// Cases or rules to judge; `*` stands for any text [default: all]
    #[arg(value_name = "CASE-OR-RULE")]
    patterns: Vec<String>,
    /// Only this chapter (repeatable)
    #[arg(long, value_name = "CHAPTER")]
    chapter: Vec<String>,
    /// Leave out cases or rules (repeatable)
    #[arg(long, value_name = "CASE-OR-RULE")]
    skip: Vec<String>,
    /// Write a report: human, json or junit; PATH - is standard output, where the human one goes
    /// unless another does (repeatable)
    #[arg(long, value_name = "FORMAT=PATH")]
    report: Vec<ReportSpec>,
    /// Cases known to fail, with reasons (TOML); they run and must fail
    #[arg(long, value_name = "FILE")]
    expected_failures: Option<PathBuf>,
    /// What generated cases draw from [default: another one each time, told in the report]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many inputs a generated case tries
    #[arg(long, value_name = "N", default_value_t = 256)]
    cases: u32,
    /// How many cases at a time
    #[arg(short, long, value_name = "N", default_value_t = 8)]
    jobs: usize,
    /// Stop at the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Try a failed case again; one that then passes is flaky
    #[arg(long, value_name = "N", default_value_t = 0)]
    retry: u32,
    /// At the end kill the target that was started, start it again, and see what it kept
    #[arg(long, conflicts_with = "url")]
    restart: bool,
    /// How long to wait for the target to be ready
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    wait: u64,
    /// How long one exchange may take
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    timeout: u64,
    /// Record the traffic of every case, and show all of it with each failure
    #[arg(long)]
    trace: bool,
    /// Write the requests of every failed case as curl commands
    #[arg(long, value_name = "FILE")]
    curl: Option<PathBuf>,
}

/// Which implementation.
#[derive(Debug, Clone, clap::Args)]
#[group(multiple = true)]
struct TargetArgs {
    /// Start the reference on free ports, judge it, stop it (the default)
    #[arg(long, conflicts_with_all = ["url", "profile", "spawn"])]
    reference: bool,
    /// URL of a catalogue with the reference's credentials; other interfaces and hooks want a profile
    #[arg(long, conflicts_with_all = ["profile", "spawn"])]
    url: Option<String>,
    /// Profile of the target (`init` writes one)
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// Start this command, judge it, stop it; its URLs come from the profile or its line `ready <name>=<url> ...`
    #[arg(long, value_name = "COMMAND")]
    spawn: Option<String>,
}

/// Judges; the exit code.
///
/// # Errors
/// Whatever kept it from judging.
pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let plan_of = |is_exclusive| Plan {
        jobs: args.jobs.max(1),
        fail_fast: args.fail_fast,
        retries: args.retry,
        is_exclusive,
        keeps_traffic: args.trace,
    };
    let all = cases::all();
    let selection =
        Selection { patterns: args.patterns.clone(), chapters: args.chapter.clone(), skips: args.skip.clone() };
    let mut selected = selection.of(&all, Contract::built_in()).map_err(CommandError::usage)?;
    // A target is killed only for who asks for it; a case that is named says by itself what it needs.
    selected.retain(|case| args.restart || !case.needs.contains(&Need::Restart) || args.patterns.contains(&case.id()));
    let expected = match &args.expected_failures {
        Some(path) => Expected::parse(&read(path)?, &all)
            .map_err(|why| CommandError::usage(format!("{}: {why}", path.display())))?,
        None => Expected::default(),
    };
    let (target, launched) = args.whom.find(Duration::from_secs(args.wait))?;
    if args.restart && launched.is_none() {
        return Err(CommandError::usage("--restart wants a target that the suite starts: --spawn, or --reference"));
    }
    let is_exclusive = launched.is_some();
    // Stopped when the run is over, whichever of the two it is then.
    let launched = Arc::new(Mutex::new(launched));
    let session = session(args, target, Arc::clone(&launched))?;
    let plan = plan_of(is_exclusive || session.control.is_some());
    let stop = interrupt()?;
    let progress = Progress::default();
    let listener: &dyn Listener = if shows_human(args) { &progress } else { &Silence };
    let mut outcome = run(&session, &selected, &plan, listener, &stop);
    drop(launched.lock().unwrap_or_else(PoisonError::into_inner).take());
    let today = clock::iso(clock::unix_ms());
    for case in &mut outcome.cases {
        expected.apply(case, &today[..10]);
    }
    report(args, &outcome)?;
    Ok(outcome.exit_code())
}

/// Whether a person is told on standard output: unless a report for programs goes there.
fn shows_human(args: &Args) -> bool {
    args.report.iter().all(|report| report.format == Format::Human || report.path != Path::new("-"))
}

impl TargetArgs {
    /// The target, ready; and the process to stop afterwards, if one was started.
    fn find(&self, wait: Duration) -> Result<(Target, Option<Launched>), CommandError> {
        let mut target = match &self.profile {
            Some(path) => {
                Target::parse(&read(path)?).map_err(|why| CommandError::usage(format!("{}: {why}", path.display())))?
            }
            None => Target::parse(REFERENCE_PROFILE).map_err(|why| CommandError { code: 70, why })?,
        };
        let launched = if let Some(line) = &self.spawn {
            let needs_urls = self.profile.is_none();
            if needs_urls {
                target.name = "spawned".into();
            }
            Some(Launched::command_line(line, wait, needs_urls).map_err(CommandError::target)?)
        } else if self.profile.is_none() && self.url.is_none() {
            Some(Launched::reference(wait).map_err(CommandError::target)?)
        } else {
            None
        };
        if let Some(url) = &self.url {
            target.name.clone_from(url);
            target.place_only(&[("catalogue".to_owned(), url.clone())].into()).map_err(CommandError::usage)?;
        }
        if let Some(told) = launched.as_ref().map(|launched| &launched.urls).filter(|urls| !urls.is_empty()) {
            target.place_only(told).map_err(CommandError::target)?;
        }
        wait_for(&target, wait)?;
        Ok((target, launched))
    }
}

/// Waits until every interface of the target takes a connection.
fn wait_for(target: &Target, wait: Duration) -> Result<(), CommandError> {
    const PAUSE: Duration = Duration::from_millis(50);
    let started = clock::stopwatch();
    for surface in Interface::ALL {
        let Some(address) = target.address(surface) else {
            continue;
        };
        while let Err(error) = Connection::open(&address.authority, Duration::from_secs(2)) {
            if started.elapsed() >= wait {
                let why = format!("cannot reach {surface} at {}: {error}; is the target up?", address.url());
                return Err(CommandError::target(why));
            }
            std::thread::sleep(PAUSE);
        }
    }
    Ok(())
}

fn session(args: &Args, target: Target, launched: Arc<Mutex<Option<Launched>>>) -> Result<Session, CommandError> {
    let timeout = Duration::from_secs(args.timeout.max(1));
    let control = control(&target, timeout)?;
    let seed = args.seed.unwrap_or_else(random::seed);
    let restarter = args.restart.then(|| restarter(args, launched, timeout));
    Ok(Session { restarter, ..Session::new(target, control, seed, args.cases.max(1), timeout) })
}

fn control(target: &Target, timeout: Duration) -> Result<Option<Control>, CommandError> {
    let Some(url) = &target.control else {
        return Ok(None);
    };
    let control = Control::new(url, timeout).map_err(CommandError::target)?;
    control.now().map_err(CommandError::target)?;
    Ok(Some(control))
}

/// Kills what was launched, and launches it again as it was.
fn restarter(args: &Args, launched: Arc<Mutex<Option<Launched>>>, timeout: Duration) -> Restarter {
    let (whom, wait) = (args.whom.clone(), Duration::from_secs(args.wait));
    Restarter::new(move || {
        let mut launched = launched.lock().unwrap_or_else(PoisonError::into_inner);
        drop(launched.take());
        let (target, again) = whom.find(wait).map_err(|ended| ended.why)?;
        *launched = again;
        let control = control(&target, timeout).map_err(|ended| ended.why)?;
        Ok((target, control))
    })
}

/// A flag that an interrupt from the keyboard, or a request to terminate, sets.
fn interrupt() -> Result<Arc<AtomicBool>, CommandError> {
    let stop = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&stop);
    ctrlc::set_handler(move || set.store(true, Ordering::Relaxed))
        .map_err(|error| CommandError { code: 70, why: format!("cannot listen for interrupts: {error}") })?;
    Ok(stop)
}

fn report(args: &Args, outcome: &RunOutcome) -> Result<(), CommandError> {
    for report in &args.report {
        report.write(outcome).map_err(CommandError::usage)?;
    }
    if args.report.iter().all(|report| report.path != Path::new("-")) {
        ReportSpec { format: Format::Human, path: "-".into() }.write(outcome).map_err(CommandError::usage)?;
    }
    if let Some(path) = &args.curl {
        let written = std::fs::write(path, curl_script(outcome));
        written.map_err(|error| CommandError::usage(format!("cannot write {}: {error}", path.display())))?;
    }
    Ok(())
}

fn curl_script(outcome: &RunOutcome) -> String {
    let mut script = String::from("#!/bin/sh\n");
    for case in outcome.cases.iter().filter(|case| matches!(case.verdict, Verdict::Fail | Verdict::Blocked)) {
        _ = writeln!(script, "\n# {}: {}", case.id, case.message.as_deref().unwrap_or_default().replace('\n', " "));
        for exchange in &case.exchanges {
            _ = writeln!(script, "{}; echo", exchange.sent.curl());
        }
    }
    script
}

fn read(path: &Path) -> Result<String, CommandError> {
    std::fs::read_to_string(path)
        .map_err(|error| CommandError::usage(format!("cannot read {}: {error}", path.display())))
}
