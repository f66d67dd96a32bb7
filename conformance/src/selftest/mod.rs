//! Judges the suite: the impostor and its legal variations must pass, and on every fault a case must fail that names the broken rule.
//!
//! A crash, a time-out, a blocked case or a mismatch of another rule is no detection. A fault that breaks several rules needs a case
//! for each. Every judged case must fail on some fault of its own rules. Permitted readings can be tried alone.

pub mod chosen;
pub mod judging;
pub mod matrix;
pub mod proof;
pub mod queries;
pub mod spoilings;

#[cfg(test)]
mod accepted;
#[cfg(test)]
mod sent;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{LazyLock, Mutex};

use crate::case::{Case, Need};
use crate::chapters::cases;
use crate::http::chain::on_threads;
use crate::impostor::faults::{self, Fault, Faults};
use crate::impostor::readings::Reading;
use crate::impostor::{Options, Platform};
use crate::mutex::locked;
use crate::random;
use crate::runner::outcome::{CaseOutcome, RunOutcome};
use crate::runner::run::Plan;

use judging::{judge, judge_by};
use proof::{Failed, Failing, FaultResult, Proof, judges};

#[derive(Debug, Default)]
pub struct Findings {
    pub clean: Vec<String>,
    pub variations: BTreeMap<u64, Vec<String>>,
    /// Platform and what did not pass with its habits.
    pub platforms: BTreeMap<&'static str, Vec<String>>,
    pub readings: Vec<ReadingResult>,
    pub faults: Vec<FaultResult>,
    pub cases: Failing,
    /// Faults on which other cases failed than the matrix of [`matrix`] says.
    pub stale: Vec<&'static str>,
    pub queries: Vec<queries::Rate>,
    pub spoilings: Vec<(spoilings::Spoiling, spoilings::Noticed)>,
}

impl Findings {
    pub fn proofs(&self) -> impl Iterator<Item = &Proof> {
        self.faults.iter().flat_map(|result| &result.proofs)
    }

    pub fn killed(&self) -> usize {
        self.faults.iter().filter(|result| result.is_killed()).count()
    }

    pub fn is_clean(&self) -> bool {
        self.clean.is_empty()
            && self.variations.values().all(Vec::is_empty)
            && self.platforms.values().all(Vec::is_empty)
            && self.readings.iter().all(|result| result.complaints.is_empty())
            && self.faults.iter().all(FaultResult::is_killed)
            && self.cases.without_a_fault.is_empty()
            && self.queries.iter().all(queries::Rate::is_enough)
            && self.spoilings.iter().all(|(_, noticed)| *noticed != spoilings::Noticed::Not)
    }
}

#[derive(Debug)]
pub struct ReadingResult {
    pub reading: &'static Reading,
    pub complaints: Vec<String>,
    /// The readings that cases noted of the rules that permit it: rule and reading.
    pub seen: BTreeSet<(String, String)>,
}

/// The faults of a list of `apart.toml`, by the list's name.
static APART: LazyLock<BTreeMap<String, Vec<String>>> =
    LazyLock::new(|| toml::from_str(include_str!("apart.toml")).expect("apart.toml has lists of faults"));

fn is_listed(list: &str, fault: &Fault) -> bool {
    APART[list].iter().any(|id| id == fault.id)
}

/// Every case, except those that kill their target (the impostor runs in this process) and probes, which run only if named.
fn selftest_cases() -> Vec<&'static Case> {
    cases::all().into_iter().filter(|case| !case.needs.contains(&Need::Restart) && !case.is_opt_in()).collect()
}

/// Judges the clean impostor by the cases that must fail on these faults, or by all; returns those that fail, which then prove nothing.
pub fn judge_clean(chosen: Option<&[&'static Fault]>, inputs: u32) -> Result<Vec<String>, String> {
    let is_meant = |case: &&Case| chosen.is_none_or(|chosen| chosen.iter().any(|fault| judges(case, fault)));
    let judging: Vec<&Case> = selftest_cases().into_iter().filter(is_meant).collect();
    Ok(complaints(&judge(Options::default(), &judging, random::seed(), inputs)?))
}

/// Judges the impostor with every freedom used at once, by the seeds 1 to `count`, side by side; returns what did not pass under each.
pub fn judge_variations(count: u64, inputs: u32) -> Result<BTreeMap<u64, Vec<String>>, String> {
    const AT_ONCE: usize = 5;
    let judged = in_parallel(1..=count, AT_ONCE, |seed| {
        let options = Options { vary: Some(seed), ..Options::default() };
        Ok((seed, complaints(&judge(options, &selftest_cases(), seed, inputs)?)))
    });
    judged.into_iter().collect()
}

/// Judges the impostor with the habits of each platform; returns what did not pass on each.
pub fn judge_platforms(inputs: u32) -> Result<BTreeMap<&'static str, Vec<String>>, String> {
    let judged = in_parallel(Platform::ALL, Platform::ALL.len(), |platform| {
        let options = Options { platform: Some(platform), ..Options::default() };
        Ok((platform.name(), complaints(&judge(options, &selftest_cases(), 1, inputs)?)))
    });
    judged.into_iter().collect()
}

/// Judges the impostor with each of these permitted readings alone, by all cases; results in the order of rules.
pub fn judge_readings(chosen: &[&'static Reading], jobs: usize, inputs: u32) -> Result<Vec<ReadingResult>, String> {
    let judged = in_parallel(chosen.iter().copied(), jobs, |reading| {
        let outcome = judge(impostor_with(Faults::none().reading(&[reading.id])), &selftest_cases(), 1, inputs)?;
        let notes = outcome.cases.iter().flat_map(|case| &case.notes);
        let of_reading = notes.filter(|note| reading.rules.contains(&note.rule.as_str()));
        let seen = of_reading.map(|note| (note.rule.clone(), note.reading.clone())).collect();
        Ok(ReadingResult { reading, complaints: complaints(&outcome), seen })
    });
    let mut done = judged.into_iter().collect::<Result<Vec<_>, String>>()?;
    done.sort_by_key(|result| (result.reading.rules, result.reading.id));
    Ok(done)
}

fn impostor_with(faults: Faults) -> Options {
    Options { faults, ..Options::default() }
}

/// The cases that fail on the faults tried. Judges a case that failed on none again, alone: writes of other cases may have blocked it.
pub fn failing(tried: &[FaultResult], inputs: u32) -> Result<Failing, String> {
    let Failing { judged, without_a_fault } = Failing::of(&selftest_cases(), tried);
    let mut left = Vec::new();
    for id in without_a_fault {
        if !fails_alone(&id, inputs)? {
            left.push(id);
        }
    }
    Ok(Failing { judged, without_a_fault: left })
}

/// Whether a case fails on a fault of its own rules.
fn fails_alone(id: &str, inputs: u32) -> Result<bool, String> {
    let Some(case) = selftest_cases().into_iter().find(|case| case.id() == id) else { return Ok(false) };
    for fault in faults::all().filter(|fault| judges(case, fault)) {
        if judge_fault_by(&[case], fault, inputs)?.failed.contains(&case.id()) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn complaints(outcome: &RunOutcome) -> Vec<String> {
    let bad = outcome.cases.iter().filter(|case| !case.verdict.holds());
    bad.map(|case| format!("{} {}: {}", case.verdict.word(), case.id, case.message())).collect()
}

/// Tries faults, several at a time, each against the cases that judge its rules; calls `report` after each. Tries survivors again, alone.
pub fn judge_faults(
    chosen: &[&'static Fault],
    jobs: usize,
    inputs: u32,
    report: &(dyn Fn(&FaultResult) + Sync),
) -> Result<Vec<FaultResult>, String> {
    let judged = in_parallel(chosen.iter().copied(), jobs, |fault| judge_fault(fault, inputs).inspect(report));
    let mut done = judged.into_iter().collect::<Result<Vec<_>, String>>()?;
    for result in done.iter_mut().filter(|result| !result.is_killed()) {
        let again = judge_fault(result.fault, inputs)?;
        *result = FaultResult { at_second_try: again.is_killed(), ..again };
    }
    done.sort_by_key(|result| (result.fault.rule(), result.fault.id));
    Ok(done)
}

/// Maps `work` over `items` on `jobs` threads; results in any order.
pub fn in_parallel<T: Send, R: Send>(
    items: impl IntoIterator<Item = T>,
    jobs: usize,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.into_iter().collect::<VecDeque<_>>());
    let next = || locked(&queue).pop_front();
    let done = on_threads(jobs.max(1), |_| std::iter::from_fn(next).map(&work).collect::<Vec<_>>());
    done.into_iter().flatten().collect()
}

fn judge_fault(fault: &'static Fault, inputs: u32) -> Result<FaultResult, String> {
    let judging: Vec<&Case> = cases::all().into_iter().filter(|case| judges(case, fault)).collect();
    judge_fault_by(&judging, fault, inputs)
}

fn plan_for(fault: &Fault) -> Plan {
    if is_listed("undoing", fault) { Plan { jobs: 1, ..Plan::exclusive() } } else { Plan::exclusive() }
}

fn judge_fault_by(judging: &[&Case], fault: &'static Fault, inputs: u32) -> Result<FaultResult, String> {
    let faults = Faults::one(fault.id).ok_or_else(|| format!("no fault is called {}", fault.id))?;
    let outcome = judge_by(impostor_with(faults), judging, 1, inputs, &plan_for(fault))?;
    let failed = |case: &CaseOutcome| {
        Some(Failed { case: case.id.clone(), rule: case.broken_rule()?, is_generated: case.searches })
    };
    let failed: Vec<_> = outcome.cases.iter().filter_map(failed).collect();
    Ok(FaultResult::of(fault, &failed, judging.len()))
}
