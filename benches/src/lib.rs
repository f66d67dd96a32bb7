//! Shared by the benches: generated catalogues, the queries, what the engine is compared with (a
//! naive scan, lower bounds), servers and a client. Measures nothing itself.

pub mod asker;
pub mod catalogue;
pub mod curve;
pub mod floors;
pub mod queries;
pub mod served;

/// The middle of some measurements.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
