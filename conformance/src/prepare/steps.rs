//! The steps of time-based codes on the target's clock: which one it is in, and doing something within a single one.

use std::time::Duration;

use crate::case::Stop;
use crate::now;
use crate::totp::{self, STEP_MS};
use crate::trial::Trial;

/// How far from a step's edge a moment must be that is known only to the second.
const MARGIN_MS: i64 = 2_000;

impl Trial<'_> {
    /// The step the target is in. Where its clock cannot be asked it is taken from the `Date` header, and may be the
    /// neighbour near an edge.
    ///
    /// # Errors
    /// [`Stop::Hook`] when the control clock does not answer.
    pub fn step(&self) -> Result<i64, Stop> {
        self.code_time().map(totp::step_at)
    }

    /// Prepares, then acts within one step of the target's clock, which the act is told; when an edge came in between, both
    /// are done anew. Waits, for four seconds at most, only where an edge is near and the clock cannot be asked.
    ///
    /// # Errors
    /// Those of both, and [`Stop::Blocked`] when every try met an edge.
    pub fn within_one_step<P, T>(
        &self,
        prepare: impl Fn() -> Result<P, Stop>,
        act: impl Fn(&P, i64) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        const TRIES: usize = 5;
        for _ in 0..TRIES {
            let prepared = prepare()?;
            let step = self.calm_step()?;
            let done = act(&prepared, step);
            if self.step()? == step {
                return done;
            }
        }
        Err(Stop::Blocked {
            step: "checking codes within one step of 30 seconds".into(),
            why: format!("an edge came in between {TRIES} times: the target is too slow"),
        })
    }

    /// Moves the clock into the next step, so many milliseconds after its beginning; only for cases that need
    /// [`crate::case::Need::Clock`].
    ///
    /// # Errors
    /// [`Stop::Hook`] when the hook fails.
    pub fn advance_into_step(&self, offset_ms: i64) -> Result<(), Stop> {
        let now = self.target_now()?;
        self.advance_ms((totp::step_at(now) + 1) * STEP_MS + offset_ms - now)
    }

    /// Moves the clock ahead; only for cases that need [`crate::case::Need::Clock`].
    ///
    /// # Errors
    /// [`Stop::Hook`] when the hook fails.
    pub fn advance_ms(&self, span_ms: i64) -> Result<(), Stop> {
        #[expect(clippy::cast_precision_loss, reason = "spans of a few months, far below 2^53")]
        let seconds = span_ms.max(0) as f64 / 1_000.0;
        self.advance(seconds).map(|_| ())
    }

    fn calm_step(&self) -> Result<i64, Stop> {
        loop {
            let now = self.code_time()?;
            let offset = now.rem_euclid(STEP_MS);
            let is_exact = self.setting().control.is_some();
            if is_exact || (MARGIN_MS..=STEP_MS - MARGIN_MS).contains(&offset) {
                return Ok(totp::step_at(now));
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// The target's time in milliseconds since 1970: from the control clock, else from its `Date`, else from this machine.
    ///
    /// # Errors
    /// As [`Self::step`].
    pub fn code_time(&self) -> Result<i64, Stop> {
        if self.setting().control.is_some() {
            return self.target_now();
        }
        // Any answer will do; this one costs the target nothing.
        let exchange = self.get("/2fa").send_unrecorded()?;
        let date = exchange.received.ok().and_then(|reply| reply.header("Date"));
        Ok(date.and_then(|date| now::parse_http_date(&date)).unwrap_or_else(now::unix_ms))
    }
}
