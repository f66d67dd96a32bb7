//! The parts of the model that the documents leave open: each is kept under every accepted reading at once, and says nothing
//! where they disagree.

use crate::fixture::time::{HOUR_MS, MINUTE_MS, SECOND_MS};

/// How near to a limit nothing is predicted: an answer takes less.
const EDGE_MS: i64 = 6 * SECOND_MS;
pub(super) const WINDOW_MS: i64 = HOUR_MS;
pub(super) const BLOCK_MS: i64 = 15 * MINUTE_MS;
pub(super) const TRUST_MS: i64 = 30 * 24 * HOUR_MS;
const FAILURES_MAX: usize = 3;

/// Whether something is past a limit; `None` near it.
pub(super) fn is_past(age_ms: i64, limit_ms: i64) -> Option<bool> {
    ((age_ms - limit_ms).abs() > EDGE_MS).then_some(age_ms > limit_ms)
}

/// What all say, or nothing.
fn agreed(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let first = answers.next()??;
    answers.all(|answer| answer == Some(first)).then_some(first)
}

/// The block of an e-mail under one reading.
#[derive(Debug, Clone)]
struct Lockout {
    /// A success clears the failures.
    success_clears: bool,
    /// A check refused by the block counts as a failure.
    refusal_counts: bool,
    /// When a block has ended the count starts anew.
    end_clears: bool,
    /// A block ends early when one of its failures is an hour old.
    lifts_by_age: bool,
    /// Enabling and disabling clear the failures.
    toggle_clears: bool,
    failures: Vec<i64>,
    until: Option<i64>,
}

impl Lockout {
    fn recent(&self, now: i64) -> usize {
        let is_recent = |at: &&i64| now - **at <= WINDOW_MS;
        self.failures.iter().filter(is_recent).count()
    }

    fn is_blocked(&self, now: i64) -> Option<bool> {
        for at in &self.failures {
            is_past(now - at, WINDOW_MS)?;
            is_past(now - at, BLOCK_MS)?;
        }
        let holds = self.until.is_some_and(|until| now < until);
        Some(holds && !(self.lifts_by_age && self.recent(now) < FAILURES_MAX))
    }

    fn fail(&mut self, now: i64) {
        if self.end_clears && self.until.is_some_and(|until| now >= until) {
            self.clear();
        }
        self.failures.push(now);
        if self.recent(now) >= FAILURES_MAX {
            self.until = Some(now + BLOCK_MS);
        }
    }

    fn clear(&mut self) {
        self.failures.clear();
        self.until = None;
    }
}

/// The block of an e-mail under every reading.
#[derive(Debug)]
pub(super) struct Lockouts(Vec<Lockout>);

impl Lockouts {
    pub(super) fn new() -> Self {
        let reading = |bits: u8| Lockout {
            success_clears: bits & 1 != 0,
            refusal_counts: bits & 2 != 0,
            end_clears: bits & 4 != 0,
            lifts_by_age: bits & 8 != 0,
            toggle_clears: bits & 16 != 0,
            failures: Vec::new(),
            until: None,
        };
        Self((0..32).map(reading).collect())
    }

    pub(super) fn is_blocked(&self, now: i64) -> Option<bool> {
        agreed(self.0.iter().map(|lockout| lockout.is_blocked(now)))
    }

    pub(super) fn fail(&mut self, now: i64) {
        self.0.iter_mut().for_each(|lockout| lockout.fail(now));
    }

    pub(super) fn refuse(&mut self, now: i64) {
        let counting = self.0.iter_mut().filter(|lockout| lockout.refusal_counts);
        counting.for_each(|lockout| lockout.fail(now));
    }

    pub(super) fn succeed(&mut self) {
        let clearing = self.0.iter_mut().filter(|lockout| lockout.success_clears);
        clearing.for_each(Lockout::clear);
    }

    pub(super) fn toggle(&mut self) {
        let clearing = self.0.iter_mut().filter(|lockout| lockout.toggle_clears);
        clearing.for_each(Lockout::clear);
    }

    /// The failures by the letter: those that no reading but its own forgets.
    pub(super) fn failures(&self) -> &[i64] {
        self.0.first().map_or(&[], |lockout| &lockout.failures)
    }
}

/// A device under one reading.
#[derive(Debug, Clone)]
struct Trusted {
    /// A login that skipped the second factor counts as a use.
    login_refreshes: bool,
    /// So does a login while two-factor is disabled.
    plain_login_refreshes: bool,
    enabling_removes: bool,
    disabling_removes: bool,
    last_used: Option<i64>,
}

/// A device under every reading.
#[derive(Debug)]
pub(super) struct Device {
    readings: Vec<Trusted>,
    /// Whether it was removed, and not trusted since.
    pub(super) was_removed: bool,
}

impl Device {
    pub(super) fn new() -> Self {
        let reading = |bits: u8| Trusted {
            login_refreshes: bits & 1 != 0,
            enabling_removes: bits & 2 != 0,
            disabling_removes: bits & 4 != 0,
            plain_login_refreshes: bits & 8 != 0,
            last_used: None,
        };
        Self { readings: (0..16).map(reading).collect(), was_removed: false }
    }

    pub(super) fn is_trusted(&self, now: i64) -> Option<bool> {
        agreed(self.readings.iter().map(|reading| match reading.last_used {
            Some(at) => is_past(now - at, TRUST_MS).map(|is_past| !is_past),
            None => Some(false),
        }))
    }

    pub(super) fn trust(&mut self, now: i64) {
        self.was_removed = false;
        for reading in &mut self.readings {
            reading.last_used = Some(now);
        }
    }

    pub(super) fn remove(&mut self) {
        self.was_removed = true;
        for reading in &mut self.readings {
            reading.last_used = None;
        }
    }

    /// A login from the device needed no code.
    pub(super) fn skip(&mut self, now: i64, is_enabled: bool) {
        for reading in &mut self.readings {
            let refreshes = if is_enabled { reading.login_refreshes } else { reading.plain_login_refreshes };
            if refreshes && reading.last_used.is_some() {
                reading.last_used = Some(now);
            }
        }
    }

    pub(super) fn toggle(&mut self, is_enabling: bool) {
        for reading in &mut self.readings {
            let removes = if is_enabling { reading.enabling_removes } else { reading.disabling_removes };
            if removes {
                reading.last_used = None;
            }
        }
    }

    /// By the letter.
    pub(super) fn last_used(&self) -> Option<i64> {
        self.readings.first()?.last_used
    }
}
