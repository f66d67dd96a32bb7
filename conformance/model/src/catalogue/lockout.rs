//! The failures that block an e-mail. Times are milliseconds.

use crate::steps::LockoutSteps;

/// The end of the latest block, by the times of the failures. The third within 60 minutes blocks until 15 minutes after it.
pub fn block_end(steps: &LockoutSteps, failures: &[i64]) -> Option<i64> {
    let mut end = None;
    for (index, at) in failures.iter().enumerate() {
        let first = failures.iter().position(|earlier| at - earlier <= steps.window_ms).unwrap_or(index);
        let recent = &failures[first..=index];
        // A failure during a block prolongs it, whatever its count. Only a fault counts such failures.
        if recent.len() >= steps.failures || end.is_some_and(|end| *at < end) {
            end = (steps.start)(recent).map(|start| start + steps.block_ms);
        }
    }
    end
}
