//! `run`: judges a target and says the verdict.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args as _;

use crate::case::{Case, Need};
use crate::chapters::cases;
use crate::clock;
use crate::commands::conditions::{ConditionArgs, time_span};
use crate::commands::environment::with_variables;
use crate::commands::last_run::LastRun;
use crate::commands::list::print_ids;
use crate::commands::reports::{ReportArgs, Reports};
use crate::commands::respawn::{Rounds, lock_unless_restarting};
use crate::commands::target_args::{Running, TargetArgs};
use crate::commands::{CommandError, complain, naming, parsed, read_text, reproduction, write_text};
use crate::context::session::Session;
use crate::contract::edition::Since;
use crate::contract::renamed::renamings;
use crate::contract::rule::Contract;
use crate::implementation::profile::Target;
use crate::runner::expected_failures::Expected;
use crate::runner::level::Level;
use crate::runner::outcome::RunOutcome;
use crate::runner::run::Plan;
use crate::runner::select::Selection;
use crate::runner::supervised::until;
use crate::runner::{traffic, unscored};

const EXAMPLES: &str = "\
Examples:
  run paging 'list/*'                                       a chapter, and the rules of another
  run --profile my.toml --level smoke                       one case a chapter, in half a second
  run --profile my.toml --report junit=libros.xml           for a CI server
  run --profile my.toml --expected-failures known.toml      what is known to fail, with reasons
  run --profile my.toml paging --report hurl=paging.hurl    what failed, for another tool

Each option may also be set in the environment: --max-fail as LIBROS_MAX_FAIL.";

/// Options of `run`; none at all judges the reference.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten, next_help_heading = "Target [default: --reference]")]
    target: TargetArgs,
    #[command(flatten, next_help_heading = "Selection")]
    selection: SelectionArgs,
    #[command(flatten, next_help_heading = "Running")]
    running: RunningArgs,
    #[command(flatten, next_help_heading = "Reports")]
    reports: ReportArgs,
}

/// Which cases `run` and `watch` judge.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct CaseArgs {
    /// Cases, rules or chapters to judge; `*` stands for any text [default: all]
    #[arg(value_name = "CASE-RULE-OR-CHAPTER")]
    patterns: Vec<String>,
    /// Only this chapter (repeatable)
    #[arg(long, value_name = "CHAPTER")]
    chapter: Vec<String>,
    /// Leave out cases, rules or chapters (repeatable)
    #[arg(long, value_name = "CASE-RULE-OR-CHAPTER")]
    skip: Vec<String>,
    /// Only this part of the contract
    #[arg(long, value_enum, value_name = "LEVEL", default_value = "all")]
    level: Level,
}

impl CaseArgs {
    /// Selects cases that kill the target only if `restarts` is set or they are named; those named without it are reported as skipped.
    pub(super) fn selected(&self, restarts: bool) -> Result<Vec<&'static Case>, CommandError> {
        let Self { patterns, chapter, skip, level } = self;
        for sentence in renamings(patterns.iter().chain(skip)) {
            complain(sentence);
        }
        let selection = Selection { patterns: patterns.clone(), chapters: chapter.clone(), skips: skip.clone() };
        let selected = selection.select(&cases::all(), Contract::built_in()).map_err(CommandError::usage)?;
        let mut selected = level.select(selected);
        selected.retain(|case| restarts || !case.needs.contains(&Need::Restart) || patterns.contains(&case.id()));
        Ok(selected)
    }
}

#[derive(Debug, Clone, clap::Args)]
struct SelectionArgs {
    #[command(flatten)]
    cases: CaseArgs,
    /// Only the cases that failed in the last run of this folder, on its target and with its seed unless others are given
    #[arg(long)]
    last_failed: bool,
    /// Cases or rules known to fail, with reasons (TOML); they run and must fail
    #[arg(long, value_name = "FILE")]
    expected_failures: Option<PathBuf>,
    /// Score only the rules of this version of the contract; later ones are judged and reported, and fail no run
    #[arg(long, value_name = "VERSION")]
    contract: Option<String>,
    /// Update the file of expected failures: add what fails now, remove what no longer fails
    #[arg(long, requires = "expected_failures")]
    update_expected: bool,
    /// Print the selected cases, judge none
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, clap::Args)]
struct RunningArgs {
    #[command(flatten)]
    conditions: ConditionArgs,
    /// Start the command of --spawn again when it ends during the run, and go on: the case that ended it fails
    #[arg(long, requires = "spawn")]
    respawn: bool,
    /// How many cases at a time [default: 8, 16 on the reference, up to 96 where answers come from far away]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// Stop at the first failure
    #[arg(long, conflicts_with = "max_fail")]
    fail_fast: bool,
    /// Stop after this many failures
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_fail: Option<u32>,
    /// Try a failed case again; if it then passes, it is flaky and the run partial
    #[arg(long, value_name = "N", default_value_t = 0)]
    retry: u32,
    /// Let a flaky case count as failed
    #[arg(long, requires = "retry")]
    fail_flaky: bool,
    /// End the run after this time (90s, 10m, 1h) and report the cases judged so far: exit code 1 if one failed, else 130
    #[arg(long, value_name = "DURATION", value_parser = time_span)]
    time_limit: Option<Duration>,
}

impl Args {
    /// Options as if typed after `run`.
    pub fn parsed(words: impl IntoIterator<Item = String>) -> Result<Self, CommandError> {
        parsed(with_variables(Self::augment_args(clap::Command::new("run"))), words)
    }

    /// With `--last-failed`, options that are not given are taken from the last run: the target, the seed.
    fn as_last(&self) -> Result<Self, CommandError> {
        let mut args = self.clone();
        if args.selection.last_failed {
            let last: Self = parsed(Self::augment_args(clap::Command::new("run")), LastRun::read()?.options)?;
            if !args.target.is_given() || args.target.is_same(&last.target) {
                args.running.conditions = args.running.conditions.or(&last.running.conditions);
            }
            if !args.target.is_given() {
                args.target = last.target;
            }
        }
        Ok(args)
    }
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let args = &args.as_last()?;
    let selected = selected(args)?;
    if args.selection.dry_run {
        return Ok(if selected.is_empty() { 4 } else { print_ids(&selected)? });
    }
    let listed = listed_failures(&args.selection)?;
    let in_list =
        |why: String| CommandError::in_file(args.selection.expected_failures.as_deref().unwrap_or(Path::new("")), &why);
    let expected = Expected::parse(&listed, &cases::all()).map(Arc::new).map_err(in_list)?;
    if args.selection.update_expected {
        // Refuses a list that cannot be updated before the run.
        expected.updated(&listed, &[], "").map_err(in_list)?;
    }
    let later = match &args.selection.contract {
        Some(version) => Since::built_in().later_than(version).map_err(CommandError::usage)?,
        None => Vec::new(),
    };
    let reports = Reports::open(&args.reports)?;
    let Judged { mut outcome, session, stop, by_one_request } =
        judged(args, &selected, &expected, reports.shows_human)?;
    outcome.book.clone_from(&args.reports.book);
    outcome.shows_passes = args.reports.trace && !reports.keep_traffic();
    let list_written = apply_expected(&args.selection, &listed, expected, &mut outcome);
    if let Some(version) = &args.selection.contract {
        unscored::apply(&later, version, &mut outcome.cases);
        outcome.scored_by = Some(version.clone());
    }
    naming::reject_contradicted(&mut outcome, session, stop);
    traffic::redact(session, &mut outcome.cases);
    let typed = |seed| args.running.conditions.typed(&args.target, seed);
    let (plain, drawn) = (typed(None), typed(Some(session.seed)));
    reproduction::add_commands(&mut outcome, [&plain, &drawn], &by_one_request);
    if !args.target.is_reference() {
        reproduction::add_reference(&mut outcome, session, stop);
    }
    LastRun::remember(drawn, &outcome);
    reports.write(&outcome).and(list_written)?;
    Ok(outcome.exit_code())
}

/// The result of judging; the target is already stopped.
struct Judged {
    outcome: RunOutcome,
    session: &'static Session,
    /// Set once the run is interrupted.
    stop: &'static AtomicBool,
    /// Indices of the cases whose failure one request shows.
    by_one_request: Vec<usize>,
}

/// Finds or starts the target, judges the cases, plays again what failed, and stops what it started.
fn judged(
    args: &Args,
    selected: &[&'static Case],
    known: &Arc<Expected>,
    shows_progress: bool,
) -> Result<Judged, CommandError> {
    let (target, launched) = args.target.start_or_find()?;
    if args.running.conditions.restart && launched.is_none() {
        return Err(CommandError::usage("--restart wants a target that the suite starts: --spawn, or --reference"));
    }
    let is_exclusive = launched.is_some();
    // Holds the process to stop at the end, which a restart replaces.
    let running: Running = Arc::new(Mutex::new(launched));
    let (stop, begun) = (interrupt()?, clock::stopwatch());
    // Leaked: a hanging case may use the session until the program ends.
    let session: &'static Session = Box::leak(Box::new(session_until(stop, args, target, &running)?));
    let mut rounds = Rounds {
        target: &args.target,
        conditions: &args.running.conditions,
        goes_on: args.running.respawn,
        running: &running,
        stop,
        begun,
        plan: Plan { known: Arc::clone(known), ..plan(args, is_exclusive || session.control.is_some()) },
        shows_progress,
        session,
        starts: 0,
    };
    let mut outcome = rounds.judge(selected);
    outcome.is_verbose = args.reports.verbose || args.reports.trace;
    // The reader of the report cannot send a request to a target that was stopped.
    let by_one_request =
        if is_exclusive { Vec::new() } else { reproduction::shown_by_one_request(&outcome, session, stop) };
    let has_failed = outcome.cases.iter().any(|case| case.verdict.has_ever_failed());
    let is_worth_a_start = has_failed && outcome.stop_reason.is_none() && !outcome.is_interrupted;
    let can_reproduce = match &args.target.spawn {
        None => true,
        // Starts the command anew, as the line `again` does: nothing that other cases left there may matter.
        Some(_) => is_worth_a_start && rounds.restart().is_ok(),
    };
    let session = rounds.session;
    if can_reproduce {
        reproduction::reproduce(&mut outcome, session, rounds.plan.is_exclusive, stop);
    }
    stop_target(&running, &mut outcome);
    Ok(Judged { outcome, session, stop, by_one_request })
}

/// Stops the started target; its last lines of output may explain why it stopped answering.
fn stop_target(running: &Running, outcome: &mut RunOutcome) {
    // A hanging restart holds the lock; the target then ends with this process.
    let Some(mut running) = lock_unless_restarting(running) else { return };
    let Some(mut launched) = running.take() else { return };
    if launched.ended().is_none() {
        outcome.stop_reason = outcome.stop_reason.take().map(|why| why.and("; ").and(launched.end_or_last_lines()));
    }
    if outcome.is_interrupted {
        launched.shorten_patience();
    }
}

/// The text of the list of known failures; empty without a list, or for a file that is yet to be written.
fn listed_failures(selection: &SelectionArgs) -> Result<String, CommandError> {
    match &selection.expected_failures {
        Some(path) if path.exists() || !selection.update_expected => read_text(path),
        _ => Ok(String::new()),
    }
}

/// Marks the failures that are expected. With --update-expected, the list first becomes what fails now.
fn apply_expected(
    selection: &SelectionArgs,
    listed: &str,
    mut expected: Arc<Expected>,
    outcome: &mut RunOutcome,
) -> Result<(), CommandError> {
    let now = clock::iso(clock::unix_ms());
    let today = &now[..10];
    let mut written = Ok(());
    if let (Some(path), true) = (&selection.expected_failures, selection.update_expected) {
        let (updated, [added, removed]) =
            expected.updated(listed, &outcome.cases, today).map_err(|why| CommandError::in_file(path, &why))?;
        expected = Expected::parse(&updated, &cases::all()).map(Arc::new).map_err(CommandError::broken)?;
        let what = format!("{}: {added} added, {removed} removed", path.display());
        written = write_text(path, &updated).map(|()| complain(what));
    }
    expected.apply(&mut outcome.cases, today);
    written
}

fn selected(args: &Args) -> Result<Vec<&'static Case>, CommandError> {
    let mut selected = args.selection.cases.selected(args.running.conditions.restart)?;
    if args.selection.last_failed {
        let failed = LastRun::read()?.failed;
        selected.retain(|case| failed.iter().any(|before| before.case == case.id()));
        if selected.is_empty() {
            complain("nothing of this failed in the last run of this folder");
        }
    }
    Ok(selected)
}

/// Cases at a time by default, on the reference, on a target nearby and on one far away.
const JOBS_REFERENCE: usize = 16;
const JOBS_NEAR: usize = 8;
const JOBS_FAR: usize = 96;

fn plan(args: &Args, is_exclusive: bool) -> Plan {
    let near = if args.target.is_reference() { JOBS_REFERENCE } else { JOBS_NEAR };
    Plan {
        jobs: args.running.jobs.map_or(near, usize::from),
        jobs_max: args.running.jobs.map_or(JOBS_FAR, usize::from),
        failures_max: if args.running.fail_fast { Some(1) } else { args.running.max_fail },
        retries: args.running.retry,
        fails_flaky: args.running.fail_flaky,
        is_exclusive,
        keeps_traffic: args.reports.trace,
        time_limit: args.running.time_limit,
        ..Plan::default()
    }
}

/// The session; a bare one if the run is stopped before the preflight is over.
fn session_until(stop: &AtomicBool, args: &Args, target: Target, running: &Running) -> Result<Session, CommandError> {
    let seed = args.running.conditions.play.seed.unwrap_or_default();
    let bare = Session::new(target.clone(), None, seed, 1, Duration::ZERO);
    let (own, running) = (args.clone(), Arc::clone(running));
    let holds_second_factor = args.selection.cases.level.holds_second_factor();
    let session =
        move || Ok(Session { holds_second_factor, ..own.running.conditions.session(&own.target, target, running)? });
    let prepared = until(stop, args.running.time_limit, session);
    prepared.unwrap_or(Ok(bare))
}

/// A flag that an interrupt from the keyboard, or a request to terminate, sets; a second one ends the program at once.
pub(super) fn interrupt() -> Result<&'static AtomicBool, CommandError> {
    let stop: &'static AtomicBool = Box::leak(Box::default());
    let is_asked = AtomicBool::new(false);
    #[expect(clippy::exit, reason = "a second request waits for nothing")]
    let interrupted = move || {
        if is_asked.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        stop.store(true, Ordering::Relaxed);
    };
    ctrlc::set_handler(interrupted)
        .map_err(|error| CommandError::broken(format!("cannot listen for interrupts: {error}")))?;
    Ok(stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_shown_in_groups() {
        let command = Args::augment_args(clap::Command::new("run"));
        assert!(command.get_arguments().all(|arg| arg.get_help_heading().is_some()));
    }
}
