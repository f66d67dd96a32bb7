//! The impostor with one permitted reading, right in all else: a right implementation, which no case may fail. Never takes two
//! readings together, as the variations do.

use std::collections::BTreeSet;

use super::judging::judge;
use super::{all, complaints, in_parallel};
use crate::impostor::Options;
use crate::impostor::faults::Faults;
use crate::impostor::readings::Reading;

/// What became of one reading.
#[derive(Debug)]
pub struct ReadingResult {
    pub reading: &'static Reading,
    pub complaints: Vec<String>,
    /// What the cases saw of the rules that permit it: rule and reading.
    pub seen: BTreeSet<(String, String)>,
}

/// Judges an impostor with each of these readings by all cases, several at a time; in the order of rules.
pub fn judge_readings(chosen: &[&'static Reading], jobs: usize, inputs: u32) -> Result<Vec<ReadingResult>, String> {
    let judged = in_parallel(chosen.iter().copied(), jobs, |reading| judge_reading(reading, inputs));
    let mut done = judged.into_iter().collect::<Result<Vec<_>, _>>()?;
    done.sort_by_key(|result| (result.reading.rules, result.reading.id));
    Ok(done)
}

fn judge_reading(reading: &'static Reading, inputs: u32) -> Result<ReadingResult, String> {
    let options = Options { faults: Faults::none().reading(&[reading.id]), ..Options::default() };
    let outcome = judge(options, &all(), 1, inputs)?;
    let notes = outcome.cases.iter().flat_map(|case| &case.notes);
    let seen = notes.filter(|note| reading.rules.contains(&note.rule.as_str()));
    let seen = seen.map(|note| (note.rule.clone(), note.reading.clone())).collect();
    Ok(ReadingResult { reading, complaints: complaints(&outcome), seen })
}
