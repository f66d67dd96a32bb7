//! Runs selected cases against a target: side by side where they may be, alone where they must be.
//!
//! Knows no report and no command line; sends events to a [`Listener`].

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::case::{Case, Need};
use crate::clock;
use crate::context::case_context::Record;
use crate::context::session::Session;
use crate::contract::verdict::CaseError;
use crate::fixture::books;
use crate::http::chain;
use crate::invariants::tally::Watcher;
use crate::mutex::locked;
use crate::printable::Printable;
use crate::runner::event::{Event, Listener};
use crate::runner::expected_failures::Expected;
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::{answers, rate_limit, traffic};

#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// How many cases run at a time, at least 1.
    pub jobs: usize,
    /// Upper bound of `jobs` for a remote target: two jobs for each millisecond of its quickest answer.
    pub jobs_max: usize,
    pub failures_max: Option<u32>,
    /// Expected failures, which do not count for `failures_max`.
    pub known: Arc<Expected>,
    /// How often to try a failed case again; if it then passes, it is flaky.
    pub retries: u32,
    pub fails_flaky: bool,
    /// Whether no other client uses the target.
    pub is_exclusive: bool,
    pub keeps_traffic: bool,
    pub keeps_samples: bool,
    /// How long a supervised run may take; it then ends with the cases judged so far. Other runs ignore it.
    pub time_limit: Option<Duration>,
}

impl Plan {
    /// Defaults for exclusive use: no retries; keeps traffic of failures only.
    pub fn exclusive() -> Self {
        Self { jobs: 4, is_exclusive: true, ..Self::default() }
    }

    /// Whether a case counts towards `failures_max`.
    pub fn counts(&self, case: &CaseOutcome) -> bool {
        case.verdict == Verdict::Fail && !self.known.expects(case)
    }
}

pub(super) struct Run<'a> {
    pub(super) session: &'a Session,
    pub(super) watcher: Arc<Watcher>,
    pub(super) cases: &'a [&'a Case],
    pub(super) plan: &'a Plan,
    pub(super) listener: &'a dyn Listener,
    pub(super) stop: &'a AtomicBool,
    started: Instant,
    started_at_ms: i64,
    failures: AtomicU32,
    /// `None` once the outcome was taken: cases that end later are dropped.
    ended: Mutex<Option<Vec<(usize, CaseOutcome)>>>,
    unanswered: Mutex<Unanswered>,
    traffic_budget: traffic::Budget,
    /// Cases that got no answer in time while others ran, with their outcomes.
    late: Mutex<Vec<(usize, &'a Case, CaseOutcome)>>,
    /// The longest chain of requests of the run that waited for one another.
    chain: AtomicU32,
}

/// Exchanges in a row without an answer.
#[derive(Debug, Default)]
struct Unanswered {
    exchanges: u32,
    /// Exchanges among them that ran into the deadline, so that the target may still work.
    late: u32,
    /// The last case with an answer.
    answered: Option<String>,
    /// Why the run is over.
    stop_reason: Option<Printable>,
}

/// This many exchanges in a row without an answer end the run.
const UNANSWERED_MAX: u32 = 20;

impl Unanswered {
    fn count(&mut self, outcome: &CaseOutcome) {
        for exchange in &outcome.exchanges {
            if exchange.is_answered {
                (self.exchanges, self.late) = (0, 0);
                self.answered = Some(outcome.id.clone());
            } else {
                self.exchanges += 1;
                self.late += u32::from(exchange.received.as_ref().is_err_and(|why| why.is_late));
            }
        }
        if self.exchanges >= UNANSWERED_MAX && self.stop_reason.is_none() {
            let after = self.answered.as_ref().map_or("before any case".to_owned(), |id| format!("after case {id}"));
            let why = if self.late == self.exchanges {
                format!(
                    "the target is too slow, or hangs, {after}: no answer in time to {} requests in a row",
                    self.late
                )
            } else {
                format!("the target stopped answering {after}: {} requests in a row", self.exchanges)
            };
            self.stop_reason = Some(why.into());
        }
    }
}

pub fn run(session: &Session, cases: &[&Case], plan: &Plan) -> RunOutcome {
    run_until(session, cases, plan, &(), &AtomicBool::new(false))
}

/// As [`run`]; once `stop` is set, finishes the running cases and ends.
pub fn run_until(
    session: &Session,
    cases: &[&Case],
    plan: &Plan,
    listener: &dyn Listener,
    stop: &AtomicBool,
) -> RunOutcome {
    let run = Run::new(session, cases, plan, listener, stop);
    run.judge_all();
    run.outcome()
}

impl<'a> Run<'a> {
    pub(super) fn new(
        session: &'a Session,
        cases: &'a [&'a Case],
        plan: &'a Plan,
        listener: &'a dyn Listener,
        stop: &'a AtomicBool,
    ) -> Self {
        listener.hear(&Event::RunStarted { cases: cases.len() });
        session.throttle.allow(plan.jobs, plan.jobs_max);
        Self {
            session,
            watcher: Arc::new(Watcher::new(plan.keeps_samples)),
            cases,
            plan,
            listener,
            stop,
            started: clock::stopwatch(),
            started_at_ms: clock::unix_ms(),
            failures: AtomicU32::new(0),
            ended: Mutex::new(Some(Vec::new())),
            unanswered: Mutex::default(),
            traffic_budget: traffic::Budget::default(),
            late: Mutex::default(),
            chain: AtomicU32::new(0),
        }
    }

    /// Judges the cases, then puts the clock back.
    pub(super) fn judge_all(&self) {
        let before = chain::length();
        let has_clock = self.session.control().is_some();
        let shares_clock = |case: &Case| case.shares_clock() && (has_clock || case.is_alone());
        let numbered = || self.cases.iter().copied().enumerate();
        let parallel: Vec<_> = numbered().filter(|(_, case)| !case.is_alone() && !shares_clock(case)).collect();
        let blurred = self.side_by_side(parallel, numbered().filter(|(_, case)| shares_clock(case)).collect());
        self.judge_late();
        let mut alone = self.sharing_clock(blurred.into());
        alone.extend(numbered().filter(|(_, case)| case.is_alone() && !shares_clock(case)));
        alone.sort_by_key(|(_, case)| {
            let needs = |need| case.needs.contains(&need);
            (needs(Need::Restart), needs(Need::Nameless), !needs(Need::Reset))
        });
        for (index, case) in alone {
            if self.is_over() {
                break;
            }
            self.judge_and_end(index, case);
        }
        self.reset_if_changed();
        self.chain.store(chain::length() - before, Ordering::Relaxed);
    }

    /// The outcome of the cases that have ended; drops cases that end later.
    pub(super) fn outcome(&self) -> RunOutcome {
        let mut cases = self.take_ended();
        self.listener.hear(&Event::RunEnded);
        let seen = self.watcher.take();
        answers::judge(&mut cases, &seen);
        let target = &self.session.target;
        RunOutcome {
            target: target.name.clone(),
            urls: target.urls.iter().map(|(interface, at)| (interface.key().to_owned(), at.url())).collect(),
            control: target.control.clone(),
            nonce: self.session.nonce.clone(),
            seed: self.session.seed,
            started_at_ms: self.started_at_ms,
            duration_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            selected: self.cases.len(),
            is_complete: cases.len() == self.cases.len(),
            chain: self.chain.load(Ordering::Relaxed),
            is_traced: self.plan.keeps_traffic,
            stop_reason: locked(&self.unanswered).stop_reason.clone(),
            is_interrupted: self.stop.load(Ordering::Relaxed),
            answers: seen.classes,
            samples: seen.samples,
            cases,
            ..RunOutcome::default()
        }
    }

    /// The outcomes of the cases that have ended, in the order of the tables; drops cases that end later.
    pub(super) fn take_ended(&self) -> Vec<CaseOutcome> {
        let mut ended = locked(&self.ended).take().unwrap_or_default();
        ended.sort_by_key(|(index, _)| *index);
        ended.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// Resets the target after cases that moved its clock or made a user without an e-mail: either would fail the next run. Only a reset
    /// puts a clock back.
    pub(super) fn reset_if_changed(&self) {
        let leaves_traces = |case: &&Case| {
            [Need::Clock, Need::Time, Need::Reset, Need::Nameless].iter().any(|n| case.needs.contains(n))
        };
        if let Some(control) = self.session.control()
            && self.cases.iter().any(leaves_traces)
        {
            _ = self.session.clock.put_back(|| control.reset());
        }
    }

    pub(super) fn give_up(&self, why: &str) {
        locked(&self.unanswered).stop_reason.get_or_insert_with(|| why.into());
    }

    pub(super) fn is_over(&self) -> bool {
        let has_failed = self.plan.failures_max.is_some_and(|most| self.failures.load(Ordering::Relaxed) >= most);
        self.stop.load(Ordering::Relaxed) || has_failed || locked(&self.unanswered).stop_reason.is_some()
    }

    pub(super) fn judge_and_end(&self, index: usize, case: &Case) {
        self.end(index, self.skipped(case).unwrap_or_else(|| self.judge(case)));
    }

    /// As [`Self::judge_and_end`], beside other cases. Defers a case that gets no answer in time, since the others may have slowed the target.
    pub(super) fn judge_or_defer(&self, index: usize, case: &'a Case) {
        let outcome = self.skipped(case).unwrap_or_else(|| self.judge(case));
        if outcome.verdict.is_red() && outcome.is_late() {
            locked(&self.late).push((index, case, outcome));
        } else {
            self.end(index, outcome);
        }
    }

    /// Judges the deferred cases again, alone, until three of them have hung.
    fn judge_late(&self) {
        const HANGS_MAX: u32 = 3;
        let mut hangs = 0;
        for (index, case, late) in mem::take(&mut *locked(&self.late)) {
            let again = if hangs == HANGS_MAX || self.is_over() { late } else { self.judge(case) };
            hangs += u32::from(again.is_late());
            self.end(index, again);
        }
    }

    pub(super) fn end(&self, index: usize, outcome: CaseOutcome) {
        let mut ended = locked(&self.ended);
        let Some(ended) = ended.as_mut() else { return };
        if outcome.is_hook_failure && self.stop.load(Ordering::Relaxed) {
            // What stopped the run may have stopped the target.
            return;
        }
        self.listener.hear(&Event::CaseEnded(&outcome));
        if self.plan.counts(&outcome) {
            self.failures.fetch_add(1, Ordering::Relaxed);
        }
        ended.push((index, outcome));
    }

    /// The outcome of a case whose needs are not met; `None` if they are.
    pub(super) fn skipped(&self, case: &Case) -> Option<CaseOutcome> {
        let missing = case.needs.iter().find_map(|need| match need {
            Need::Clock if self.session.control.is_none() => Some("needs the control listener's clock".to_owned()),
            Need::Reset if self.session.control.is_none() => Some("needs the control listener's reset".to_owned()),
            Need::Exclusive if !self.plan.is_exclusive => {
                Some("needs exclusive use of the target (a control listener, --spawn or --reference)".to_owned())
            }
            Need::Restart if self.session.restarter.is_none() => {
                Some("needs --restart and a target that the suite starts (--spawn or --reference)".to_owned())
            }
            Need::Interface(interface) if !self.session.target.offers(*interface) => {
                Some(format!("the target does not offer `{interface}`"))
            }
            _ => None,
        });
        missing.map(|why| CaseOutcome::without_traffic(case.id(), case.rules, Verdict::Skipped, Some(why)))
    }

    fn judge(&self, case: &Case) -> CaseOutcome {
        let id = case.id();
        self.listener.hear(&Event::CaseStarted { id: &id });
        let (first, _) = self.attempt(case);
        if first.verdict.has_failed() && (0..self.plan.retries).any(|_| self.attempt(case).0.verdict.holds()) {
            let message = Some(format!("failed, then passed on retry: {}", first.message()));
            if self.plan.fails_flaky {
                return CaseOutcome { message, ..first };
            }
            return CaseOutcome { verdict: Verdict::Flaky, message, mismatch: None, ..first };
        }
        first
    }

    /// Runs the case once; returns the outcome, and whether the case continued too late to judge edges.
    pub(super) fn attempt(&self, case: &Case) -> (CaseOutcome, bool) {
        let started = clock::stopwatch();
        let cx = case.context(self.session, Arc::<Watcher>::clone(&self.watcher));
        let judged = catch_unwind(AssertUnwindSafe(|| (case.judge)(&cx)));
        let judged = judged
            .unwrap_or_else(|panic| Err(CaseError::Broken(format!("the case panicked: {}", panic_message(&*panic)))));
        books::delete_owned(&cx);
        let Record { exchanges, observations: notes, hook_calls, is_blurred, draws, searches } = cx.into_record();
        let blank = CaseOutcome::without_traffic(case.id(), case.rules, Verdict::Pass, None);
        let mut outcome =
            CaseOutcome { about: case.about.trim_start(), exchanges, notes, hook_calls, draws, searches, ..blank };
        outcome.duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        outcome.set(judged);
        let turned_away = if self.is_over() { None } else { rate_limit::reason_to_stop(&outcome, self.session) };
        locked(&self.unanswered).count(&outcome);
        if let Some(why) = turned_away {
            self.give_up(&why);
        }
        traffic::note_issued(self.session, &outcome.exchanges);
        if !self.plan.keeps_traffic && outcome.verdict.holds() {
            outcome.exchanges.clear();
        }
        self.traffic_budget.admit(&mut outcome.exchanges);
        (outcome, is_blurred)
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}
