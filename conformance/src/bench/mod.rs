//! Load by URL: named mixes of requests, sent when they are due and not when the target is ready for them.
//!
//! A request's latency counts from the moment it was due, so that a target that stalls cannot hide the requests that waited
//! meanwhile (coordinated omission). Judges nothing.

mod connection;
mod load;
mod load_rate;
pub(crate) mod mix;
pub(crate) mod plan;
pub(crate) mod result;

use std::io;
use std::time::Duration;

use crate::bench::load::{Load, Measured};
use crate::bench::load_rate::LoadRate;
use crate::bench::mix::{Mix, Prepared};
use crate::bench::plan::Plan;
use crate::bench::result::MixResult;
use crate::random;
use crate::target::profile::Target;

/// Sends one mix to a target: warm-up, measurement, tidying up.
///
/// # Errors
/// A sentence: what the mix needs cannot be prepared, or the target cannot be reached.
pub(crate) fn measure(target: &Target, mix: Mix, plan: &Plan) -> Result<MixResult, String> {
    let prepared = Prepared::new(target, mix, &random::nonce(), plan.timeout)?;
    let load = Load::new(&prepared, plan);
    let run = |rate, lasting| load.run(rate, lasting).map_err(|error: io::Error| format!("{}: {error}", mix.name()));
    let warm_up = run(LoadRate::AsFastAsPossible, plan.warm_up)?;
    let capacity = warm_up.per_second();
    let rate = plan.rate.unwrap_or((capacity / 2.0).max(1.0));
    let measured = run(LoadRate::PerSecond(rate), plan.lasting)?;
    tidy_up(&load, &prepared, [&warm_up, &measured])?;
    Ok(MixResult::new(mix, plan, capacity, rate, &measured))
}

/// Deletes the books that were created.
fn tidy_up(load: &Load, prepared: &Prepared, measured: [&Measured; 2]) -> Result<(), String> {
    let created = measured.iter().flat_map(|measured| &measured.created).copied().chain(prepared.book).collect();
    let deleting = load.deleting(created);
    deleting
        .run(LoadRate::AsFastAsPossible, Duration::MAX)
        .map(drop)
        .map_err(|error| format!("deleting books: {error}"))
}
