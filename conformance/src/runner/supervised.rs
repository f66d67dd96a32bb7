//! A run that ends in time when it is stopped, reaches its time limit, or loses the started command. It waits for no case that hangs.
//!
//! Judges the cases on a thread of their own, which may go on until the process ends. Judges nothing itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::clock;
use crate::context::session::Session;
use crate::printable::Printable;
use crate::runner::event::{Event, Listener};
use crate::runner::outcome::RunOutcome;
use crate::runner::run::{Plan, Run};

/// How long cases under way may take to end once the run is stopped, and a reset after that.
const GRACE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(50);

/// Says how the started command ended, and after which request; `None` while it runs.
pub type Ending<'a> = dyn Fn(&str) -> Option<Printable> + 'a;

/// As [`crate::runner::run::run`], but ends about a second after `stop` is set, the time limit passes or the started command ends.
pub fn run_supervised(
    session: &'static Session,
    cases: &'static [&'static Case],
    plan: &'static Plan,
    listener: &'static dyn Listener,
    (stop, begun): (&'static AtomicBool, Instant),
    ending: &Ending<'_>,
) -> RunOutcome {
    let run: &'static Run<'static> = Box::leak(Box::new(Run::new(session, cases, plan, listener, stop)));
    // The preflight may have taken all the time there was.
    let is_late = |elapsed: Duration| plan.time_limit.is_some_and(|limit| elapsed >= limit);
    let mut is_at_limit = is_late(begun.elapsed()) && !stop.swap(true, Ordering::Relaxed);
    let judged = on_a_thread(|| run.judge_all());
    let (mut stopped_at, mut is_forecast) = (None, false);
    while judged.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
        let elapsed = begun.elapsed();
        listener.hear(&Event::Elapsed(elapsed));
        if !is_forecast && let Some(pace) = session.throttle.pace() {
            is_forecast = true;
            if let Some(text) = forecast(cases, session.cases, plan.jobs, pace) {
                listener.hear(&Event::Forecast(&text));
            }
        }
        if is_late(elapsed) {
            is_at_limit |= !stop.swap(true, Ordering::Relaxed);
        }
        let has_ended = ending("").is_some();
        if has_ended {
            run.give_up("the started command ended");
        }
        if (has_ended || stop.load(Ordering::Relaxed)) && elapsed >= *stopped_at.get_or_insert(elapsed) + GRACE {
            // A reset that takes longer is not waited for.
            _ = on_a_thread(|| run.reset_if_changed()).recv_timeout(GRACE);
            break;
        }
    }
    let mut outcome = run.outcome();
    outcome.stop_reason = ended(&outcome, ending).or(outcome.stop_reason);
    if is_at_limit {
        outcome.is_interrupted = !outcome.is_complete;
        outcome.time_limit = plan.time_limit.filter(|_| !outcome.is_complete);
    }
    outcome
}

/// How the started command ended. Waits a moment where a request got no answer: the command may be about to end.
fn ended(outcome: &RunOutcome, ending: &Ending<'_>) -> Option<Printable> {
    const MOMENTS: u32 = 10;
    let moments = outcome.unanswered().map_or(1, |_| MOMENTS);
    (0..moments).find_map(|moment| {
        std::thread::sleep(if moment > 0 { TICK } else { Duration::ZERO });
        ending(&outcome.after_unanswered())
    })
}

/// Calls `act` on a thread and returns its result; `None` if `stop` is set or the time limit passes first. The thread then continues alone.
pub fn until<T: Send + 'static>(
    stop: &AtomicBool,
    time_limit: Option<Duration>,
    act: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (begun, ended) = (clock::stopwatch(), on_a_thread(act));
    loop {
        match ended.recv_timeout(TICK) {
            Err(RecvTimeoutError::Timeout) => {}
            ended => return ended.ok(),
        }
        if stop.load(Ordering::Relaxed) || time_limit.is_some_and(|limit| begun.elapsed() >= limit) {
            return None;
        }
    }
}

/// Starts `act` on a thread; the channel gets its result.
fn on_a_thread<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> mpsc::Receiver<T> {
    let (done, ended) = mpsc::channel();
    std::thread::spawn(move || {
        // The receiver may be gone.
        _ = done.send(act());
    });
    ended
}

/// Requests of a case on average, those that delete its books included.
const REQUESTS_A_CASE: f64 = 11.0;
/// Further requests for each input of the generated list queries. Cases of generated histories move the clock or draw fewer.
const REQUESTS_AN_INPUT: f64 = 1.0;
/// Targets that answer faster on average need no forecast.
const SLOW: Duration = Duration::from_millis(250);

/// Shorter runs need no forecast.
const FORECAST_MIN_S: f64 = 30.0;

/// Forecasts the duration of a run whose answers are slow; `pace` is their average, `inputs` the inputs of a generated case.
fn forecast(cases: &[&Case], inputs: u32, jobs: usize, pace: Duration) -> Option<String> {
    if pace < SLOW {
        return None;
    }
    let requests = |case: &&Case| {
        let is_generated = case.name.contains("generated");
        REQUESTS_A_CASE + if is_generated { REQUESTS_AN_INPUT * f64::from(inputs) } else { 0.0 }
    };
    let (alone, parallel): (Vec<_>, Vec<_>) =
        cases.iter().copied().partition(|case| case.is_alone() && !case.shares_clock());
    let total = |cases: &[&Case]| cases.iter().map(requests).sum::<f64>();
    let jobs = jobs.clamp(1, parallel.len().max(1));
    let seconds = pace.as_secs_f64() * (total(&alone) + total(&parallel) / jobs as f64);
    if seconds < FORECAST_MIN_S {
        return None;
    }
    let (answers, lasting) = (pace.as_secs_f64(), span(seconds));
    Some(format!(
        "answers take {answers:.1} s on average: this run will take up to {lasting}; --level smoke or a chapter asks for less, \
         --jobs N sets how many cases run at a time, --time-limit 10m ends the run earlier"
    ))
}

fn span(seconds: f64) -> String {
    if seconds < 90.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) }
}
