//! The calls of a case to the control listener: reads and moves the clock, which several cases may share, and restores the initial state.
//!
//! Without a control listener, reads the clock from the `Date` of an answer. Sends no request that a case judges.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::case_context::CaseContext;
use super::shared_clock::Span;
use crate::clock;
use crate::http::chain;
use crate::http::control::{Control, HookCall, HookChange};
use crate::mutex::locked;
use crate::verdict::{CaseError, CaseResult};

impl<'a> CaseContext<'a> {
    /// The target's time in milliseconds since 1970: from its control clock, else from the `Date` of an answer, else this machine's.
    pub fn target_now(&self) -> Result<i64, CaseError> {
        self.target_now_within().map(Span::middle)
    }

    /// As [`Self::target_now`], but returns the span in which the time lies.
    pub fn target_now_within(&self) -> Result<Span, CaseError> {
        let Some(control) = self.session.control() else {
            let now = clock::unix_ms() + self.clock_ahead_ms();
            return Ok(Span { from: now, to: now });
        };
        let now = self.session.clock.now(control, self.shares_clock).map_err(CaseError::Hook)?;
        self.note_reading(now.middle() - clock::unix_ms());
        Ok(now)
    }

    /// How far the target's clock is ahead, by the `Date` of an answer; 0 if it has none.
    fn clock_ahead_ms(&self) -> i64 {
        let read = || {
            let sent = clock::unix_ms();
            let exchange = self.get("/libros?limit=1").key(self.test_key()).exchange_unrecorded().ok()?;
            let date = exchange.received.ok()?.header("Date").and_then(|date| clock::parse_http_date(&date));
            Some(date.map_or(0, |date| clock::ahead_ms(date, sent, clock::unix_ms())))
        };
        // A request without an answer says nothing: the next call asks again.
        let known = &self.session.clock_ahead_ms;
        if known.get().is_none()
            && let Some(ahead_ms) = read()
        {
            // Another thread may have been first.
            _ = known.set(ahead_ms);
        }
        known.get().copied().unwrap_or_default()
    }

    /// Calls `work` with each number below `works`; returns the results in order. Uses threads if the target is far or the clock shared.
    pub fn in_lanes<T: Send>(&self, works: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
        const LANES_MAX: usize = 16;
        const WAITING_MAX: usize = 96;
        let at_once = self.session.throttle.at_once();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        let taken = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < works);
        let lane = || {
            std::iter::from_fn(taken).for_each(|place| {
                let result = work(place);
                locked(&done).insert(place, result);
            });
        };
        // One lane for every 3 ms of the quickest answer: one is enough for an implementation nearby.
        let away = self.session.throttle.quickest().map_or(0, |quickest| quickest.as_millis() / 3);
        let lanes = usize::try_from(away).unwrap_or(usize::MAX).min(LANES_MAX).min(at_once);
        match self.session.control().filter(|_| self.shares_clock && at_once > 1) {
            Some(control) => self.session.clock.share(control, works.clamp(1, WAITING_MAX), at_once, lane),
            None if lanes > 1 => _ = chain::on_threads(lanes, |_| lane()),
            None => lane(),
        }
        std::mem::take(&mut *locked(&done)).into_values().collect()
    }

    /// Whether the case shares the clock, so that waiting means moving it.
    pub fn waits_beside_others(&self) -> bool {
        self.shares_clock && self.session.clock.is_shared()
    }

    /// Moves the target's clock ahead by this much, or up to a quarter more; only for cases with `Need::Clock`.
    pub fn advance(&self, seconds: f64) -> CaseResult {
        let span_ms = (seconds * 1_000.0).round() as i64;
        self.advance_within(span_ms, span_ms / 4)
    }

    /// Moves the clock ahead by `span_ms`, and by `slack_ms` more at most. A case that still comes too late judges no edge.
    pub fn advance_within(&self, span_ms: i64, slack_ms: i64) -> CaseResult {
        let is_blurred = self.advance_unmarked(span_ms, slack_ms)?;
        locked(&self.record).is_blurred |= is_blurred;
        Ok(())
    }

    /// As [`Self::advance_within`], but does not mark the case as too late for edges: it reads the clock afterwards. Returns whether the
    /// clock went beyond the slack.
    pub fn advance_unmarked(&self, span_ms: i64, slack_ms: i64) -> CaseResult<bool> {
        self.client.lend();
        let is_blurred = self.session.clock.advance(self.control()?, span_ms, slack_ms).map_err(CaseError::Hook)?;
        self.note_hook_call(HookChange::Advance(span_ms as f64 / 1_000.0));
        Ok(is_blurred)
    }

    /// Puts the target into its initial state; only for cases that need the reset.
    pub fn reset(&self) -> CaseResult {
        self.take_books();
        let control = self.control()?;
        self.session.clock.put_back(|| control.reset()).map_err(CaseError::Hook)?;
        self.note_hook_call(HookChange::Reset);
        Ok(())
    }

    /// Records a reading only if the two clocks have moved apart since the last one.
    fn note_reading(&self, ahead_ms: i64) {
        const SAME_MS: i64 = 500;
        let last = locked(&self.record).hook_calls.last().map(|call| call.change);
        if !matches!(last, Some(HookChange::Read(known)) if (known - ahead_ms).abs() < SAME_MS) {
            self.note_hook_call(HookChange::Read(ahead_ms));
        }
    }

    pub(crate) fn note_hook_call(&self, change: HookChange) {
        let after = self.client.recorded_count();
        locked(&self.record).hook_calls.push(HookCall { after, change });
    }

    fn control(&self) -> Result<&'a Control, CaseError> {
        let control = self.session.control();
        control.ok_or_else(|| {
            CaseError::Broken("the case uses the control listener, but its needs name neither clock nor reset".into())
        })
    }
}
