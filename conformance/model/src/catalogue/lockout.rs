//! The failures that block an e-mail. Times are milliseconds.

use crate::steps::LockoutSteps;

/// The failures that are no older than the window at that time; oldest first.
fn within_window<'a>(steps: &LockoutSteps, failures: &'a [i64], now: i64) -> &'a [i64] {
    let recent = failures.iter().position(|at| now - at <= steps.window_ms).unwrap_or(failures.len());
    &failures[recent..]
}

/// When the latest block ends, or ended, by the times of the failures; `None` when there was none. The third failure within 60 minutes
/// blocks until 15 minutes after the last one. One failure after the other is gone through.
pub fn block_end(steps: &LockoutSteps, failures: &[i64]) -> Option<i64> {
    let mut end = None;
    for (index, at) in failures.iter().enumerate() {
        let recent = within_window(steps, &failures[..=index], *at);
        // A failure during a block, where there are such, prolongs it however many the hour holds.
        if recent.len() >= steps.failures || end.is_some_and(|end| *at < end) {
            end = (steps.start)(recent).map(|start| start + steps.block_ms);
        }
    }
    end
}
