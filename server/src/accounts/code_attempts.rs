//! The lockout: three failed code checks within an hour close an e-mail until 15 minutes after the last of them, even when
//! the first of them is more than an hour old by then.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;

/// How far back from the last failure others count; at this very distance they do.
// rule: lockout/window
pub(crate) const WINDOW_MS: i64 = 60 * 60 * 1000;

/// Failures in the window that block.
// rule: lockout/two-failures, lockout/three-failures
pub(crate) const FAILURES_MAX: usize = 3;

/// How long a block lasts from the last failure; at this very moment it is open again.
// rule: lockout/lasts, lockout/ends
pub(crate) const BLOCK_MS: i64 = 15 * 60 * 1000;

/// Checks kept in the history of one e-mail.
pub(crate) const HISTORY_MAX: usize = 50;

/// One check of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Attempt {
    pub(crate) timestamp: Timestamp,
    /// Whether the code was right.
    pub(crate) success: bool,
}

/// The last code checks of one e-mail, oldest first: successes and failures alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub(crate) struct CodeAttempts {
    history: VecDeque<Attempt>,
}

impl CodeAttempts {
    /// Whether code checks fail at once.
    #[must_use]
    pub(crate) fn is_blocked(&self, now: Timestamp) -> bool {
        let mut failures =
            self.history.iter().rev().filter(|attempt| !attempt.success).map(|attempt| attempt.timestamp);
        let Some(last) = failures.next() else {
            return false;
        };
        // Nothing is noted during a block, so the last failure is the one that began it, and as the words are that a block
        // lasts until 15 minutes after it, what the hour holds by now is not counted anew.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const START: i64 = 1_000_000_000;
    const MINUTE: i64 = 60_000;

    /// A history of failures at these milliseconds.
    fn failures(at: &[i64]) -> CodeAttempts {
        let mut attempts = CodeAttempts::default();
        for &ms in at {
            attempts.note(false, Timestamp(START + ms));
        }
        attempts
    }

    fn check(at: &[i64], now: i64, blocked: bool) {
        let is = failures(at).is_blocked(Timestamp(START + now));
        assert_eq!(is, blocked, "failures at {at:?}, now {now}");
    }

    #[test]
    fn the_third_failure_blocks_and_the_second_does_not() {
        check(&[], 0, false);
        check(&[0], 0, false);
        check(&[0, 0], 1, false);
        check(&[0, 0, 0], 0, true);
    }

    #[test]
    fn a_block_ends_at_exactly_15_minutes_after_the_last_failure() {
        check(&[0, 1, 2], 2 + 15 * MINUTE - 1, true);
        check(&[0, 1, 2], 2 + 15 * MINUTE, false);
    }

    #[test]
    fn a_failure_counts_at_exactly_60_minutes_and_no_longer() {
        check(&[0, 59 * MINUTE, 60 * MINUTE], 60 * MINUTE, true);
        check(&[0, 59 * MINUTE, 60 * MINUTE + 1], 60 * MINUTE + 1, false);
    }

    #[test]
    fn a_block_outlasts_the_hour_of_its_first_failure() {
        check(&[0, 0, 59 * MINUTE], 60 * MINUTE + 1, true);
        check(&[0, 0, 59 * MINUTE], 74 * MINUTE - 1, true);
        check(&[0, 0, 59 * MINUTE], 74 * MINUTE, false);
    }

    #[test]
    fn after_a_block_one_further_failure_within_the_hour_blocks_again() {
        let again = 16 * MINUTE;
        check(&[0, 1, 2], again, false);
        check(&[0, 1, 2, again], again + 1, true);
        check(&[0, 1, 2, again], again + 15 * MINUTE, false);
    }

    #[test]
    fn failures_before_a_success_still_count() {
        let mut attempts = failures(&[0, 1]);
        attempts.note(true, Timestamp(START + 2));
        assert!(!attempts.is_blocked(Timestamp(START + 3)));
        attempts.note(false, Timestamp(START + 3));
        assert!(attempts.is_blocked(Timestamp(START + 4)));
    }

    #[test]
    fn fifty_checks_are_kept_and_the_oldest_goes_first() {
        let mut attempts = failures(&[0, 1, 2]);
        for ms in 0..48 {
            attempts.note(true, Timestamp(START + 3 + ms));
        }
        assert_eq!(attempts.history.len(), 50);
        assert!(!attempts.is_blocked(Timestamp(START + 60)), "the first failure was pushed out");
    }

    #[test]
    fn a_history_reads_back_as_stored() {
        let kept = serde_json::to_string(&failures(&[0, 5])).expect("a text");
        assert_eq!(serde_json::from_str::<CodeAttempts>(&kept).expect("as written"), failures(&[0, 5]));
    }

    proptest! {
        /// The state machine walked: a check during a block does not take place, the third failure of an hour begins one.
        #[test]
        fn a_block_is_what_the_states_say(checks in prop::collection::vec((0_i64..40 * MINUTE, any::<bool>()), 0..20), wait in 0_i64..70 * MINUTE) {
            let mut attempts = CodeAttempts::default();
            let (mut told, mut until, mut at) = (Vec::new(), START, START);
            for (gap, success) in checks {
                at += gap;
                prop_assert_eq!(attempts.is_blocked(Timestamp(at)), at < until);
                if at < until {
                    continue;
                }
                attempts.note(success, Timestamp(at));
                if !success {
                    told.push(at);
                    let hour: Vec<&i64> = told.iter().filter(|&&failed| at - failed <= 60 * MINUTE).collect();
                    if hour.len() >= 3 {
                        until = at + 15 * MINUTE;
                    }
                }
            }
            let now = at + wait;
            prop_assert_eq!(attempts.is_blocked(Timestamp(now)), now < until);
        }
    }
}
