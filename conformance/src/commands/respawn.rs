//! The rounds of a run: without `--respawn` one, with it another after each end of the started command. The case whose request ended the
//! command fails; other cases that got no answer are judged again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard, TryLockError};
use std::time::Instant;

use crate::case::Case;
use crate::commands::conditions::ConditionArgs;
use crate::commands::target_args::{Running, TargetArgs};
use crate::commands::{CommandError, complain};
use crate::context::session::Session;
use crate::http::exchange::Exchange;
use crate::implementation::process::Launched;
use crate::mutex::locked;
use crate::printable::Printable;
use crate::report::progress::Progress;
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::run::Plan;
use crate::runner::supervised::run_supervised;

/// How often a run starts the command again. A request that ends it takes two starts if other cases run at the same time.
const STARTS_MAX: u32 = 10;

pub(super) struct Rounds<'a> {
    pub(super) target: &'a TargetArgs,
    pub(super) conditions: &'a ConditionArgs,
    pub(super) goes_on: bool,
    pub(super) running: &'a Running,
    pub(super) stop: &'static AtomicBool,
    pub(super) begun: Instant,
    pub(super) plan: Plan,
    pub(super) shows_progress: bool,
    pub(super) session: &'static Session,
    pub(super) starts: u32,
}

struct End {
    why: Printable,
    /// The cases that got no answer, the one that most likely ended the command first.
    unanswered: Vec<String>,
}

impl Rounds<'_> {
    pub(super) fn judge(&mut self, selected: &[&'static Case]) -> RunOutcome {
        let mut whole = self.round(selected.to_vec(), self.plan.failures_max);
        let mut end = self.end_of(&whole, self.plan.failures_max);
        while let Some(last) = end {
            end = self.go_on(&mut whole, &last, selected).unwrap_or_else(|why| {
                whole.stop_reason = Some(why);
                None
            });
            whole.cases.sort_by_cached_key(|outcome| selected.iter().position(|case| case.id() == outcome.id));
        }
        whole
    }

    /// Judges cases until the command ends, or as many have failed as may.
    fn round(&self, cases: Vec<&'static Case>, failures_max: Option<u32>) -> RunOutcome {
        // `None` while a case restarts the target.
        let ending = |after: &str| lock_unless_restarting(self.running)?.as_mut()?.ended_after(after);
        let progress = Box::leak(Box::new(Progress::new(self.shows_progress)));
        let plan = Box::leak(Box::new(Plan { failures_max, ..self.plan.clone() }));
        run_supervised(self.session, Vec::leak(cases), plan, progress, (self.stop, self.begun), &ending)
    }

    /// Starts the command again, finds out which case ended it, and judges the others; returns the next end.
    fn go_on(&mut self, whole: &mut RunOutcome, end: &End, cases: &[&'static Case]) -> Result<Option<End>, Printable> {
        self.start_again(&end.why)?;
        whole.stop_reason = None;
        let suspect = &end.unanswered[0];
        fail(whole, suspect, &end.why);
        let is_one_of_several = |case: &&&Case| end.unanswered.len() > 1 && end.unanswered.contains(&case.id());
        let mut suspect_alone = None;
        for case in cases.iter().filter(is_one_of_several) {
            let mut alone = self.round(vec![case], self.plan.failures_max);
            let end_alone = self.end_of(&alone, self.plan.failures_max);
            if case.id() == *suspect && end_alone.is_none() {
                // The suspect stays failed unless another case ends the command alone.
                suspect_alone = Some(alone);
                continue;
            }
            whole.cases.retain(|outcome| end_alone.is_none() || !end.unanswered.contains(&outcome.id));
            if let Some(end_alone) = &end_alone {
                fail(&mut alone, &case.id(), &end_alone.why);
            }
            whole.add(alone);
            if let Some(end_alone) = end_alone {
                suspect_alone.into_iter().for_each(|acquitted| whole.add(acquitted));
                self.start_again(&end_alone.why)?;
                break;
            }
        }
        let is_unjudged = |case: &&Case| !whole.cases.iter().any(|outcome| outcome.id == case.id());
        let unjudged: Vec<&'static Case> = cases.iter().copied().filter(is_unjudged).collect();
        let left = self.plan.failures_max.map(|most| most.saturating_sub(self.failures(whole)));
        if unjudged.is_empty() || left == Some(0) {
            return Ok(None);
        }
        let round = self.round(unjudged, left);
        let next = self.end_of(&round, left);
        whole.add(round);
        Ok(next)
    }

    /// How the command ended in the round of this outcome; `None` if it did not, or the run is over.
    fn end_of(&self, outcome: &RunOutcome, failures_max: Option<u32>) -> Option<End> {
        let unanswered = unanswered(outcome);
        let has_failed = failures_max.is_some_and(|most| self.failures(outcome) >= most);
        let is_over = has_failed || self.stop.load(Ordering::Relaxed);
        if !self.goes_on || unanswered.is_empty() || is_over {
            return None;
        }
        let why = lock_unless_restarting(self.running)?.as_mut()?.ended_after(&outcome.after_unanswered())?;
        Some(End { why, unanswered })
    }

    fn failures(&self, outcome: &RunOutcome) -> u32 {
        outcome.cases.iter().filter(|case| self.plan.counts(case)).count() as u32
    }

    /// Fails if the command ended too often or does not start.
    fn start_again(&mut self, why: &Printable) -> Result<(), Printable> {
        if self.starts == STARTS_MAX {
            return Err(why.clone().and_line(format!("the run ends: it was started again {STARTS_MAX} times before")));
        }
        self.starts += 1;
        complain(why.clone().and_line("it is started again, and the run goes on"));
        self.restart()
    }

    /// Kills the command and starts it again; the session is then one with the new process.
    pub(super) fn restart(&mut self) -> Result<(), Printable> {
        let session = || {
            let target = self.target.launch_again(self.session.target(), self.running)?;
            self.conditions.session(self.target, target, Arc::clone(self.running))
        };
        let again = session().map_err(|error: CommandError| error.why)?;
        let before = self.session;
        self.session = Box::leak(Box::new(Session {
            seed: before.seed,
            nonce: before.nonce.clone(),
            holds_second_factor: before.holds_second_factor,
            issued: std::mem::take(&mut *locked(&before.issued)).into(),
            ..again
        }));
        Ok(())
    }
}

/// The cases that failed without an answer; the one whose request was lost first comes first.
fn unanswered(outcome: &RunOutcome) -> Vec<String> {
    let lost_one = |case: &CaseOutcome| case.is_hook_failure || case.exchanges.iter().any(Exchange::is_lost);
    let failed = outcome.cases.iter().filter(|case| case.verdict.has_failed() && lost_one(case));
    let mut unanswered: Vec<String> = failed.map(|case| case.id.clone()).collect();
    let first = outcome.unanswered().map(|(case, _)| &case.id);
    unanswered.sort_by_key(|id| Some(id) != first);
    unanswered
}

fn fail(outcome: &mut RunOutcome, id: &str, why: &Printable) {
    let Some(case) = outcome.cases.iter_mut().find(|case| case.id == id) else { return };
    case.judged = case.exchanges.iter().position(Exchange::is_lost).or(case.judged);
    case.verdict = Verdict::Fail;
    (case.mismatch, case.is_hook_failure) = (None, false);
    case.message = why.as_str().lines().next().map(str::to_owned);
}

/// Locks the process of the target; `None` while a case restarts it.
pub(super) fn lock_unless_restarting(running: &Running) -> Option<MutexGuard<'_, Option<Launched>>> {
    match running.try_lock() {
        Ok(guard) => Some(guard),
        Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}
