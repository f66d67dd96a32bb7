//! The lockout: three failed code checks within an hour block an e-mail until 15 minutes after the last, however old the first is by then.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use libros_server_system::clock::Timestamp;

/// How far back from the last failure others count; at this very distance they do.
// rule: lockout/window
pub(crate) const WINDOW_MS: i64 = 60 * 60 * 1000;

/// Failures in the window that block.
// rule: lockout/two-failures, lockout/three-failures
pub(crate) const FAILURES_MAX: usize = 3;

/// How long a block lasts from the last failure; at this very moment it is open again.
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
        // Nothing is noted during a block, so the last failure is the one that began it. The hour is counted back from there, not
        // from now: a block does not end early because its first failure has left the hour.
        // rule: lockout/success-keeps-failures, lockout/after-block, lockout/edges, lockout/oldest-leaves
        let before = failures.take_while(|failed| failed.plus_ms(WINDOW_MS) >= last).take(FAILURES_MAX - 1).count();
        // rule: lockout/two-failures, lockout/three-failures, lockout/from-last-failure
        before == FAILURES_MAX - 1 && now < last.plus_ms(BLOCK_MS)
    }

    /// Notes a check that took place. One refused by the block does not take place.
    pub(crate) fn note(&mut self, success: bool, now: Timestamp) {
        if self.history.len() >= HISTORY_MAX {
            self.history.pop_front();
        }
        self.history.push_back(Attempt { timestamp: now, success });
    }
}
