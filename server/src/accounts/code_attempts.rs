//! The lockout: three failed code checks within an hour block an e-mail for 15 minutes from the last, however old the first is by then.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use libros_server_system::clock::Timestamp;

/// Failures this long before the last one still count, the limit included.
// rule: lockout/window
pub(crate) const WINDOW_MS: i64 = 60 * 60 * 1000;

/// The number of failures in the window that blocks.
// rule: lockout/two-failures, lockout/three-failures
pub(crate) const FAILURES_MAX: usize = 3;

/// How long a block lasts from the last failure, the limit excluded.
// rule: lockout/lasts, lockout/ends
pub(crate) const BLOCK_MS: i64 = 15 * 60 * 1000;

pub(crate) const HISTORY_MAX: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Attempt {
    pub(crate) timestamp: Timestamp,
    pub(crate) success: bool,
}

/// The last code checks of one e-mail, oldest first: successes and failures alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct CodeAttempts {
    history: VecDeque<Attempt>,
}

impl CodeAttempts {
    pub(crate) fn is_blocked(&self, now: Timestamp) -> bool {
        let mut failures =
            self.history.iter().rev().filter(|attempt| !attempt.success).map(|attempt| attempt.timestamp);
        let Some(last) = failures.next() else { return false };
        // A block records no attempt, so the last failure is the one that began it. The hour counts back from that failure, not from now:
        // otherwise the block would end as soon as the first failure is an hour old.
        // rule: lockout/success-keeps-failures, lockout/after-block, lockout/edges, lockout/oldest-leaves
        let before = failures.take_while(|failed| failed.plus_ms(WINDOW_MS) >= last).take(FAILURES_MAX - 1).count();
        // rule: lockout/two-failures, lockout/three-failures, lockout/from-last-failure
        before == FAILURES_MAX - 1 && now < last.plus_ms(BLOCK_MS)
    }

    /// Records a check. A check that the block refused must not be recorded.
    pub(crate) fn note(&mut self, success: bool, now: Timestamp) {
        if self.history.len() >= HISTORY_MAX {
            self.history.pop_front();
        }
        self.history.push_back(Attempt { timestamp: now, success });
    }
}
