//! `replay`: plays cases on a target and on the reference, and says how each ends on both.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use clap::{Args as _, Command};

use crate::case::Case;
use crate::chapters::cases;
use crate::commands::conditions::ConditionArgs;
use crate::commands::last_run::LastRun;
use crate::commands::reproduction::Reference;
use crate::commands::run::interrupt;
use crate::commands::target_args::{Running, TargetArgs};
use crate::commands::{CommandError, complain, parsed, reproduction};
use crate::context::session::Session;
use crate::contract::renamed::{present, renamings};
use crate::contract::rule::Contract;
use crate::mutex::locked;
use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::destination::closed_pipe_is_fine;
use crate::report::failure::{Details, Extent};
use crate::report::lines::{write_lines, write_printable};
use crate::report::wrapping::Wrapping;
use crate::runner::outcome::CaseOutcome;
use crate::runner::play::play;
use crate::runner::replayed::{Before, Replayed, compared, exit_code};
use crate::runner::select::suggestion;
use crate::runner::traffic;

const EXIT_CODES: &str = "\
Exit codes:
  0    holds on the target now
  1    fails on the target
  2    unknown option or case
  3    differs from before: a step before the one judged failed; or the target is unreachable
  4    nothing could be played
  130  interrupted";

/// Options of `replay`; those that are not given are the last run's.
#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub struct Args {
    /// Cases to play [default: all that failed in the last run of this folder]
    #[arg(value_name = "CASE")]
    asked: Vec<String>,
    /// Show all traffic of what fails
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    options: Options,
}

/// The options that `last_run` keeps.
#[derive(Debug, Clone, clap::Args)]
struct Options {
    #[command(flatten, next_help_heading = "Target [default: the last run's of this folder]")]
    target: TargetArgs,
    #[command(flatten, next_help_heading = "Running [default: as in that run]")]
    conditions: ConditionArgs,
}

struct Part {
    case: &'static Case,
    before: Option<Before>,
}

impl Part {
    fn again(before: Before) -> Option<Self> {
        Some(Self { case: cases::find(&before.played)?, before: Some(before) })
    }
}

pub fn execute(args: &Args) -> Result<u8, CommandError> {
    let is_given = args.options.target.is_given();
    let last = match LastRun::read() {
        Ok(last) => {
            Some((parsed::<Options>(Options::augment_args(Command::new("replay")), last.options)?, last.failed))
        }
        Err(_) if is_given && !args.asked.is_empty() => None,
        Err(CommandError { code, why }) => {
            let why = why.and("; or name a case and its target (--profile, --url, --spawn, --reference)");
            return Err(CommandError { code, why });
        }
    };
    let mut options = args.options.clone();
    let mut failed = Vec::new();
    if let Some((its, its_failed)) = last {
        options.conditions = options.conditions.or(&its.conditions);
        // An earlier run of another target proves nothing.
        if !is_given || its.target.is_same(&options.target) {
            failed = its_failed;
        }
        if !is_given {
            options.target = its.target;
        }
    }
    let parts = parts(&args.asked, failed)?;
    let (target, launched) = options.target.start_or_find()?;
    let is_started = launched.is_some();
    let running: Running = Arc::new(Mutex::new(launched));
    let stop = interrupt()?;
    let session = options.conditions.session(&options.target, target, Arc::clone(&running))?;
    let player = Player {
        is_exclusive: is_started || session.control.is_some(),
        reference: Reference::like(&session),
        session,
        stop,
        is_traced: args.trace,
    };
    let mut replayed = Vec::new();
    for part in parts {
        let Some(one) = player.replay(part)? else { break };
        replayed.push(one);
        let mut running = locked(&running);
        if let Some(ended) = running.as_mut().and_then(|launched| launched.ended()) {
            complain(ended);
            break;
        }
    }
    Ok(if stop.load(Ordering::Relaxed) { 130 } else { exit_code(&replayed) })
}

/// The cases with these ids, or all that failed if there are none. A case that broke several rules for all answers comes once for each.
fn parts(ids: &[String], failed: Vec<Before>) -> Result<Vec<Part>, CommandError> {
    renamings(ids.iter()).into_iter().for_each(complain);
    let mut parts = Vec::new();
    for id in ids {
        let id = present(id);
        let case = cases::find(id).ok_or_else(|| {
            let hint = suggestion(id, &cases::all(), Contract::built_in());
            CommandError::usage(format!("no case is called `{id}`{hint}"))
        })?;
        let before = parts.len();
        let is_named = |before: &&Before| before.played == id || before.case == id;
        parts.extend(failed.iter().filter(is_named).cloned().filter_map(Part::again));
        if parts.len() == before {
            parts.push(Part { case, before: None });
        }
    }
    if ids.is_empty() {
        parts.extend(failed.into_iter().filter_map(Part::again));
    }
    if parts.is_empty() {
        return Err(CommandError::usage(
            "no failure of this target is remembered in this folder; name a case to replay it",
        ));
    }
    Ok(parts)
}

struct Player {
    session: Session,
    is_exclusive: bool,
    reference: Result<Reference, Printable>,
    stop: &'static AtomicBool,
    is_traced: bool,
}

impl Player {
    /// Plays the case and says how it ended; `None` if it was interrupted.
    fn replay(&self, Part { case, before }: Part) -> Result<Option<Replayed>, CommandError> {
        let Some(played) = play(&self.session, case, self.is_exclusive, self.stop) else { return Ok(None) };
        let rule = before.as_ref().and_then(Before::rule);
        let own = if before.is_some() { played.judged_by(rule) } else { played.judged_by_any() };
        let holds = own.verdict.holds();
        if let Some(before) = before.as_ref().filter(|before| holds && before.case != before.played)
            && let Some(case) = cases::find(&before.case)
        {
            // The answer came in another case then; the case of the rule itself may show it too.
            let before = Some(Before { played: before.case.clone(), ..before.clone() });
            return self.replay(Part { case, before });
        }
        let mut own = [own];
        traffic::redact(&self.session, &mut own);
        let [mut own] = own;
        let rule = own.broken_rule().or(rule);
        let reference = match &self.reference {
            Ok(reference) => reference.play(case, rule, self.stop).ok_or("it was interrupted"),
            Err(why) => Err(why.as_str()),
        };
        let replayed = compared(&own, reference.as_ref().map_err(|why| *why), before.as_ref());
        if let Ok(outcome) = reference {
            own.on_reference = reproduction::compare_with_reference(&own, outcome, &self.session.nonce);
        }
        closed_pipe_is_fine(self.show(before.as_ref().map_or(&own.id, |before| &before.case), &own, &replayed))
            .map_err(|error| CommandError::broken(format!("cannot write the result: {error}")))?;
        Ok(Some(replayed))
    }

    fn show(&self, id: &str, own: &CaseOutcome, replayed: &Replayed) -> io::Result<()> {
        let palette = Palette::for_terminal(&io::stdout());
        let sentence =
            if replayed.exit_code == 0 { palette.good(&replayed.sentence) } else { palette.bad(&replayed.sentence) };
        // In a pipe the sentence stays in one line, since programs read it.
        let mut head = Wrapping::for_terminal(io::stdout().lock(), &io::stdout());
        write_printable(&mut head, &palette.strong(id).and(": ").and(sentence))?;
        drop(head);
        if !matches!(replayed.exit_code, 1 | 3) {
            return Ok(());
        }
        let mut out = Wrapping::for_report(io::stdout().lock(), &io::stdout());
        write_lines(&mut out, &Details { case: own, extent: &Extent::long(self.is_traced), palette })
    }
}
