//! Makes the matrix of the cases that fail on each fault, by which a run names faults. Names none itself.

use std::collections::{BTreeMap, BTreeSet};

use super::judging::judge_by;
use super::proof::FaultResult;
use super::{impostor_with, in_parallel, plan_for, selftest_cases};
use crate::impostor::faults::{self, Fault, Faults};
use crate::runner::diagnosis::{self, Row};

/// Cases by the rule that they fail for, with `~` before it if they draw their inputs.
type Block = BTreeMap<String, BTreeSet<String>>;

/// The matrix with new rows for these faults, and without faults and cases that no longer exist.
pub fn renewed(chosen: &[&'static Fault], jobs: usize, inputs: u32) -> Result<String, String> {
    let known: BTreeSet<String> = selftest_cases().iter().map(|case| case.id()).collect();
    let kept = diagnosis::built_in().iter().map(|row| {
        let cases = row.cases.iter().filter(|(case, _)| known.contains(**case));
        (row.fault.id, block(cases.map(|(case, why)| (*case, *why, row.drawing.contains(case)))))
    });
    let mut blocks: BTreeMap<&str, Block> = kept.collect();
    let made = in_parallel(chosen.iter().copied(), jobs, |fault| {
        let faults = impostor_with(Faults::one(fault.id).unwrap_or_default());
        let outcome = judge_by(faults, &selftest_cases(), 1, inputs, &plan_for(fault))?;
        let failed = outcome.cases.iter();
        let failed = failed.filter_map(|case| Some((case.id.as_str(), diagnosis::failed_for(case)?, case.searches)));
        Ok((fault.id, block(failed)))
    });
    blocks.extend(made.into_iter().collect::<Result<Vec<_>, String>>()?);
    let line = |(why, cases): (String, BTreeSet<String>)| format!("\n  {why}: {}", Vec::from_iter(cases).join(" "));
    let text = |(fault, block): (&str, Block)| format!("{fault}{}\n", block.into_iter().map(line).collect::<String>());
    Ok(blocks.into_iter().map(text).collect::<Vec<_>>().join("\n"))
}

pub fn missing() -> Vec<&'static Fault> {
    let has_row = |fault: &&Fault| diagnosis::built_in().iter().any(|row| row.fault.id == fault.id);
    faults::all().filter(|fault| !has_row(fault)).collect()
}

/// The faults without a row, or whose row names other cases than those that failed.
pub fn stale(tried: &[FaultResult]) -> Vec<&'static str> {
    let drawing: BTreeSet<&str> = diagnosis::built_in().iter().flat_map(|row| &row.drawing).copied().collect();
    let is_stale = |result: &&FaultResult| {
        let row = diagnosis::built_in().iter().find(|row| row.fault.id == result.fault.id);
        let is_known = |row: &Row, case: &str| drawing.contains(case) || row.cases.contains_key(case);
        row.is_none_or(|row| !result.failed.iter().all(|case| is_known(row, case)))
    };
    tried.iter().filter(is_stale).map(|result| result.fault.id).collect()
}

/// The block of failed cases, each with what it failed for and whether it draws its inputs.
fn block<'a>(failed: impl Iterator<Item = (&'a str, &'a str, bool)>) -> Block {
    let mut block = Block::new();
    for (case, why, draws) in failed {
        let mark = if draws { "~" } else { "" };
        block.entry(format!("{mark}{why}")).or_default().insert(case.to_owned());
    }
    block
}
