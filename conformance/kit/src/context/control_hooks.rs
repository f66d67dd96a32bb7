//! What a case asks of the control listener: the clock, which several cases may share, and the initial state.
//!
//! Without a control listener it reads the clock from an answer. Sends no request that a case judges.

use std::sync::atomic::Ordering;

use super::case_context::{CaseContext, locked};
use crate::clock;
use crate::http::control::{Control, HookCall, HookChange};
use crate::verdict::{CaseError, CaseResult};

impl<'a> CaseContext<'a> {
    /// What the target thinks the time is, in milliseconds since 1970: from its control clock, else by the Date of an answer, else
    /// this machine's.
    pub fn target_now(&self) -> Result<i64, CaseError> {
        match self.session.control() {
            Some(control) => {
                let now = control.now().map_err(CaseError::Hook)?;
                self.note_reading(now - clock::unix_ms());
                Ok(now)
            }
            None => Ok(clock::unix_ms() + self.clock_ahead_ms()),
        }
    }

    /// How far the target's clock is ahead, by what an answer says of its own time; most platforms let it.
    fn clock_ahead_ms(&self) -> i64 {
        let read = || {
            let sent = clock::unix_ms();
            let exchange = self.get("/libros?limit=1").key(self.test_key()).send_unrecorded().ok()?;
            let date = clock::parse_http_date(&exchange.received.ok()?.header("Date")?)?;
            Some(clock::ahead_ms(date, sent, clock::unix_ms()))
        };
        *self.session.clock_ahead_ms.get_or_init(|| read().unwrap_or_default())
    }

    /// Runs `work` on several threads if the implementation is far away, else on this one; it may move the clock if the case does.
    pub fn in_lanes(&self, work: impl Fn() + Sync) {
        const LANES_MAX: u128 = 16;
        // One lane for every 3 ms: near implementations are busy with one.
        let away = self.session.throttle.quickest().map_or(0, |quickest| quickest.as_millis() / 3);
        let lanes = usize::try_from(away.clamp(1, LANES_MAX)).unwrap_or(1);
        match self.session.control().filter(|_| self.shares_clock) {
            _ if lanes == 1 => work(),
            Some(control) => self.session.clock.share(control, lanes, lanes, work),
            None => std::thread::scope(|scope| (0..lanes).for_each(|_| _ = scope.spawn(&work))),
        }
    }

    /// Moves the target's clock ahead; only for cases that need the control clock.
    pub fn advance(&self, seconds: f64) -> CaseResult {
        let is_blurred = self.moved(seconds)?;
        self.is_blurred.fetch_or(is_blurred, Ordering::Relaxed);
        Ok(())
    }

    /// The same for a case that reads the clock afterwards: it may go on some time later.
    pub fn advance_at_least(&self, seconds: f64) -> CaseResult {
        self.moved(seconds).map(|_| ())
    }

    fn moved(&self, seconds: f64) -> Result<bool, CaseError> {
        let is_blurred = self.session.clock.advance(self.control()?, seconds).map_err(CaseError::Hook)?;
        self.note_hook_call(HookChange::Advance(seconds));
        Ok(is_blurred)
    }

    /// Puts the target into its initial state; only for cases that need the reset.
    pub fn reset(&self) -> CaseResult {
        self.take_books();
        self.control()?.reset().map_err(CaseError::Hook)?;
        self.note_hook_call(HookChange::Reset);
        Ok(())
    }

    /// Clocks that run alike need to be read once.
    fn note_reading(&self, ahead_ms: i64) {
        const SAME_MS: i64 = 500;
        let mut calls = locked(&self.hook_calls);
        let is_known = calls
            .last()
            .is_some_and(|call| matches!(call.change, HookChange::Read(known) if (known - ahead_ms).abs() < SAME_MS));
        if !is_known {
            calls.push(HookCall { after: self.client.recorded_count(), change: HookChange::Read(ahead_ms) });
        }
    }

    fn note_hook_call(&self, change: HookChange) {
        let after = self.client.recorded_count();
        locked(&self.hook_calls).push(HookCall { after, change });
    }

    fn control(&self) -> Result<&'a Control, CaseError> {
        let control = self.session.control();
        control.ok_or_else(|| CaseError::Broken("the case uses the control hook without needing it".into()))
    }
}
