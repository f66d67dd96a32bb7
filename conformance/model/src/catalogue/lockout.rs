//! The failures that block an e-mail. Times are milliseconds.

use crate::steps::LockoutSteps;

/// When the latest block ends, or ended, by the times of the failures; `None` when there was none. The third failure within 60 minutes
/// blocks until 15 minutes after the last one. One failure after the other is gone through.
pub fn block_end(steps: &LockoutSteps, failures: &[i64]) -> Option<i64> {
    let mut end = None;
    for (index, at) in failures.iter().enumerate() {
        let first = failures.iter().position(|earlier| at - earlier <= steps.window_ms).unwrap_or(index);
        let recent = &failures[first..=index];
        // A failure during a block, where there are such, prolongs it however many the hour holds.
        if recent.len() >= steps.failures || end.is_some_and(|end| *at < end) {
            end = (steps.start)(recent).map(|start| start + steps.block_ms);
        }
    }
    end
}
