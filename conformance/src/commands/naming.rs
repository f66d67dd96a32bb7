//! Checks each `looks like`: plays failing cases on an impostor with that fault, and rejects the fault if most of them end differently.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::case::Need;
use crate::chapters::cases;
use crate::clock;
use crate::context::session::Session;
use crate::impostor::faults::Faults;
use crate::impostor::{Impostor, Options};
use crate::runner::diagnosis::{self, Row, is_alike};
use crate::runner::outcome::{CaseOutcome, RunOutcome, Verdict};
use crate::runner::play::play;
use crate::selftest::judging;

/// How many equally fitting faults to try, and how many cases to play on each.
const FAULTS_MAX: usize = 6;
const CASES_MAX: usize = 3;
const TIME_MAX: Duration = Duration::from_secs(2);

pub(crate) fn reject_contradicted(outcome: &mut RunOutcome, session: &Session, stop: &AtomicBool) {
    let begun = clock::stopwatch();
    let mut tried = BTreeSet::new();
    // Once a fault is rejected, other faults fit.
    while let Some(row) = next(&outcome.cases, &tried)
        && begun.elapsed() < TIME_MAX
        && !stop.load(Ordering::Relaxed)
    {
        tried.insert(row.fault.id);
        if let Some(at) = contradicting(&outcome.cases, row, session, stop) {
            outcome.cases[at].contradicts.push(row.fault.id);
        }
    }
}

fn next(cases: &[CaseOutcome], tried: &BTreeSet<&str>) -> Option<&'static Row> {
    let fitting = diagnosis::fitting(cases).into_iter().flat_map(|rows| rows.into_iter().take(FAULTS_MAX));
    fitting.into_iter().find(|row| !tried.contains(row.fault.id))
}

/// The first case that ends differently on the fault than on the target, if most of those that fail on it do.
fn contradicting(cases: &[CaseOutcome], row: &Row, session: &Session, stop: &AtomicBool) -> Option<usize> {
    let fails_on_it = |(_, case): &(usize, &CaseOutcome)| {
        let tells_where = case.mismatch.is_some() || case.verdict == Verdict::Blocked;
        tells_where && diagnosis::failed_for(case).is_some_and(|why| row.cases.get(case.id.as_str()) == Some(&why))
    };
    let mut failing: Vec<(usize, &CaseOutcome)> = cases.iter().enumerate().filter(fails_on_it).collect();
    failing.sort_by_key(|(_, case)| (case.mismatch.is_none(), case.rules.len()));
    let options = Options { faults: Faults::one(row.fault.id)?, ..Options::default() };
    let impostor = Impostor::start(options).ok()?;
    let own = judging::session(&impostor, session.seed, session.cases).ok()?;
    let sees_it = |case: &CaseOutcome| {
        let case_played = cases::find(case.case_to_replay())?;
        if case_played.needs.contains(&Need::Restart) {
            return None;
        }
        let there = play(&own, case_played, true, stop)?;
        let Some(mismatch) = &case.mismatch else { return Some(step(case) == step(&there.outcome)) };
        let there = there.judged_by(Some(mismatch.rule));
        let is_there = there.mismatch.as_ref().is_some_and(|there| is_alike(mismatch, there));
        Some(is_there && members(case) == members(&there))
    };
    let seen: Vec<(usize, bool)> =
        failing.iter().take(CASES_MAX).filter_map(|(at, case)| Some((*at, sees_it(case)?))).collect();
    let other = seen.iter().filter(|(_, is_seen)| !is_seen);
    let is_rejected = 2 * other.clone().count() > seen.len();
    other.map(|(at, _)| *at).next().filter(|_| is_rejected)
}

/// The step that blocked the case, with what it wanted, without the body that it received.
fn step(case: &CaseOutcome) -> Option<&str> {
    case.message().split('{').next().filter(|_| case.verdict == Verdict::Blocked)
}

/// The members of the judged answer; `None` for a refusal, whose members are free.
fn members(case: &CaseOutcome) -> Option<BTreeSet<String>> {
    let received = case.judged_exchange()?.received.as_ref().ok().filter(|received| received.status < 400)?;
    Some(received.json()?.as_object()?.keys().cloned().collect())
}
