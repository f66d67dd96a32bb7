//! Sends load to a URL: named mixes of requests, each sent when it is due, even if the implementation is slow.
//!
//! A request's latency counts from the moment it was due, so that an implementation that stalls cannot hide the
//! requests that waited meanwhile (coordinated omission). Judges nothing.

mod alarm;
mod answer;
mod connection;
mod machine;
mod measured;
pub(crate) mod mix;
pub(crate) mod page;
pub(crate) mod plan;
pub(crate) mod result;
mod sender;
pub(crate) mod terminal;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::bench::machine::{Counters, watched};
use crate::bench::mix::{Mix, Prepared};
use crate::bench::plan::{LoadRate, Plan};
use crate::bench::result::MixResult;
use crate::bench::sender::send;
use crate::implementation::profile::Target;
use crate::random;

/// Measures a mix and deletes the books it created; `None` if it was stopped.
pub(crate) fn measure(target: &Target, mix: Mix, plan: &Plan, stop: &AtomicBool) -> Result<Option<MixResult>, String> {
    let before = watched();
    let prepared = Prepared::new(target, mix, &random::nonce(), plan.timeout())?;
    let failed = |error: io::Error| format!("{}: {error}", mix.name());
    let as_fast = LoadRate::AS_FAST_AS_POSSIBLE;
    let warm_up = send(&prepared, plan, as_fast, Duration::from_secs(plan.warm_up), stop).map_err(failed)?;
    let rate = plan.rate.unwrap_or(LoadRate(Some((warm_up.per_second_warm() / 2.0).max(1.0))));
    let counters = Counters::now();
    let measured = send(&prepared, plan, rate, Duration::from_secs(plan.duration), stop).map_err(failed)?;
    let during = counters.and_then(|counters| counters.since(measured.lasted));
    let created = [&warm_up.created[..], &measured.created, prepared.book.as_slice()].concat();
    let cleaned = send(&prepared.deleting(created), plan, as_fast, Duration::MAX, &AtomicBool::new(false))
        .map_err(|error| format!("deleting books: {error}"))?;
    let mut result = MixResult::new((mix, plan, rate), &warm_up, &measured, [before, during]);
    result.undeleted = cleaned.errors.values().sum();
    Ok((!stop.load(Ordering::Relaxed)).then_some(result))
}
