//! Whether one request shows a failure by itself: the same part of a new answer is wrong in the same way. Pure.

use crate::contract::violation::{Got, Mismatch, Part};
use crate::http::control::{HookCall, HookChange};
use crate::http::exchange::{Exchange, Received};
use crate::invariants;
use crate::runner::outcome::CaseOutcome;

/// The exchange to send once more: it needs nothing that an earlier one made, and makes nothing itself.
pub fn candidate(case: &CaseOutcome) -> Option<&Exchange> {
    let (judged, mismatch) = (case.judged_index()?, case.mismatch.as_ref()?);
    let is_refused = |exchange: &Exchange| exchange.received.as_ref().is_ok_and(|received| received.status >= 400);
    let is_move = |call: &HookCall| !matches!(call.change, HookChange::Read(_));
    let needs_others = !case.compared.is_empty() || mismatch.place.is_of_transcript();
    let makes = |exchange: &Exchange| !exchange.sent.is_safe() && !is_refused(exchange);
    if needs_others || case.hook_calls.iter().any(is_move) || case.exchanges[..=judged].iter().any(makes) {
        return None;
    }
    case.exchanges.get(judged).filter(|exchange| shows(mismatch, exchange))
}

/// Whether the answer breaks the same rule, or has the same wrong value in the same place.
pub fn shows(mismatch: &Mismatch, exchange: &Exchange) -> bool {
    let broken = invariants::judge(exchange).map_or_else(Vec::new, |(_, violations)| violations);
    if broken.iter().any(|violation| violation.rule == mismatch.rule && violation.place.part == mismatch.place.part) {
        return true;
    }
    let Ok(received) = &exchange.received else { return false };
    part(received, &mismatch.place.part).is_some_and(|now| now == mismatch.got)
}

/// The value of a part of the answer; `None` for a place that only a sentence describes.
fn part(received: &Received, part: &Part) -> Option<Got> {
    Some(match part {
        Part::Status => Got::from(received.status),
        Part::Header(name) => Got::from(received.header(name)),
        Part::Body(pointer) => Got::from(received.json()?.pointer(pointer).cloned()),
        Part::Described(_) => return None,
    })
}
