//! Moments on the target's clock: when something happened, and moving on to a moment of the future.
//!
//! Only for cases that need the control clock, [`Span`] aside.

use crate::case::Stop;
use crate::expect::Reply;
use crate::trial::Trial;

/// A second, in the milliseconds of [`Span`].
pub const SECOND_MS: i64 = 1_000;
/// A minute.
pub const MINUTE_MS: i64 = 60 * SECOND_MS;
/// An hour.
pub const HOUR_MS: i64 = 60 * MINUTE_MS;

/// Two readings of the target's clock (milliseconds since 1970) that a moment lies between.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Not before this.
    pub from: i64,
    /// Not after this.
    pub to: i64,
}

impl Trial<'_> {
    /// Does something, and says when on the target's clock it was done.
    ///
    /// # Errors
    /// Those of what is done, and [`Stop::Hook`] when the clock does not answer.
    pub fn timed<T>(&self, act: impl FnOnce(&Self) -> Result<T, Stop>) -> Result<(T, Span), Stop> {
        let from = self.target_now()?;
        let done = act(self)?;
        let to = self.target_now()?;
        Ok((done, Span { from, to }))
    }

    /// Moves the target's clock on to that moment.
    ///
    /// # Errors
    /// [`Stop::Blocked`] when it has passed already, [`Stop::Hook`] when the clock does not answer.
    pub fn advance_to(&self, moment_ms: i64) -> Result<(), Stop> {
        let left_ms = moment_ms - self.target_now()?;
        if left_ms < 0 {
            return Err(too_late("going to a moment"));
        }
        #[expect(clippy::cast_precision_loss, reason = "spans of a few days, far below 2^53")]
        let seconds = left_ms as f64 / 1_000.0;
        self.advance(seconds).map(|_| ())
    }

    /// Sends a request that must arrive before a deadline; a refusal of one that may have come too late proves nothing.
    ///
    /// # Errors
    /// [`Stop::Blocked`] in that case, else as sending.
    pub fn before(&self, deadline_ms: i64, send: impl FnOnce(&Self) -> Result<Reply, Stop>) -> Result<Reply, Stop> {
        let (reply, at) = self.timed(send)?;
        if reply.status() == 401 && at.to > deadline_ms {
            return Err(too_late("using a credential in its last second"));
        }
        Ok(reply)
    }
}

fn too_late(step: &str) -> Stop {
    Stop::Blocked {
        step: step.into(),
        why: "the moment had passed: this machine or the target is too slow for a margin of one second".into(),
    }
}
