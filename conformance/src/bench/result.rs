//! The result of a bench: writes and reads it as JSON, and says what makes its figures doubtful. Measures nothing.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::bench::machine::Use;
use crate::bench::measured::{Measured, SLICES};
use crate::bench::mix::Mix;
use crate::bench::plan::{LoadRate, Plan};

const FORMAT: &str = "libros-bench/1";
/// A load that keeps its threads busier may itself be the bottleneck.
const LOAD_BUSY_MAX: f64 = 0.9;
/// More processors than this used by others, stolen or waited for make figures doubtful.
const OTHERS_BUSY_MAX: f64 = 0.2;
const STOLEN_MAX: f64 = 0.02;
const WAITED_MAX: f64 = 0.5;
/// How far two measurements moments apart may differ, as a part of the larger.
const DIFFERENCE_MAX: f64 = 0.2;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct BenchResult {
    format: String,
    pub(crate) suite: String,
    pub(crate) target: String,
    pub(crate) url: String,
    pub(crate) started_at: String,
    /// Operating system, architecture and processors of the machine that sent; the implementation may run on another.
    pub(crate) machine: String,
    pub(crate) connections: usize,
    pub(crate) threads: usize,
    pub(crate) mixes: Vec<MixResult>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MixResult {
    pub(super) mix: String,
    pub(super) warm_up_s: f64,
    /// Answers a second while every connection sent as fast as possible, once warm.
    pub(super) capacity_per_s: f64,
    /// `None` if requests were sent as fast as possible.
    pub(super) asked_per_s: Option<f64>,
    pub(super) reached_per_s: f64,
    pub(super) lasted_s: f64,
    answers: u64,
    pub(super) errors: BTreeMap<String, u64>,
    /// Due, but never sent: the implementation could not keep the rate.
    unsent: u64,
    /// Books that it created and could not delete; older files lack it.
    #[serde(default)]
    pub(super) undeleted: u64,
    /// Part of the time that the sending threads were busy, from 0 to 1; older files lack it, and all below but the latencies.
    #[serde(default)]
    load_busy: f64,
    /// In milliseconds from the moment a request was due; without a rate, from the moment it was sent.
    pub(super) latency_ms: Latency,
    /// The later half of the measurement beside the first.
    #[serde(default)]
    halves: Option<[Half; 2]>,
    /// The machine before anything was sent, and during the measurement.
    #[serde(default)]
    machine_before: Option<Use>,
    #[serde(default)]
    machine_during: Option<Use>,
    /// Latencies by slice of time: of the warm-up, and of the measurement.
    #[serde(default)]
    pub(super) warming: Vec<Option<Latency>>,
    #[serde(default)]
    pub(super) slices: Vec<Option<Latency>>,
    /// Milliseconds, and how many requests took at most so long and longer than the one before.
    #[serde(default)]
    pub(super) histogram: Vec<(f64, u64)>,
}

#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Latency {
    pub(super) p50: f64,
    pub(super) p99: f64,
    pub(super) p99_9: f64,
    pub(super) max: f64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Half {
    ended_per_s: f64,
    p50_ms: f64,
}

impl BenchResult {
    pub(crate) fn new(target: String, url: String, plan: &Plan, suite: String, started_at: String) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let machine = format!("{} {}, {processors} processors", std::env::consts::OS, std::env::consts::ARCH);
        let (connections, threads) = (plan.connections.into(), plan.threads());
        let (format, mixes) = (FORMAT.to_owned(), Vec::new());
        Self { format, suite, target, url, started_at, machine, connections, threads, mixes }
    }

    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let result: Self = serde_json::from_str(text).map_err(|error| format!("it is no bench's json: {error}"))?;
        if result.format != FORMAT {
            return Err(format!("its format is `{}`, not `{FORMAT}`", result.format));
        }
        Ok(result)
    }
}

impl MixResult {
    pub(super) fn new(
        (mix, plan, rate): (Mix, &Plan, LoadRate),
        warm_up: &Measured,
        measured: &Measured,
        [machine_before, machine_during]: [Option<Use>; 2],
    ) -> Self {
        let busy =
            1.0 - measured.waited.div_duration_f64(measured.lasted * u32::try_from(plan.threads()).unwrap_or(u32::MAX));
        let lasted_s = measured.lasted.as_secs_f64();
        let half = |slices: &[Histogram<u64>]| {
            let mut whole = slices[0].clone();
            // Histograms of equal bounds always add up.
            slices[1..].iter().for_each(|slice| _ = whole.add(slice));
            Half { ended_per_s: rounded(2.0 * whole.len() as f64 / lasted_s), p50_ms: ms(whole.value_at_quantile(0.5)) }
        };
        let (first, later) = measured.slices.split_at(SLICES / 2);
        let over_time = |measured: &Measured| measured.slices.iter().map(Latency::of).collect();
        let bins = measured.latencies.iter_log(8, 1.25);
        Self {
            mix: mix.name(),
            warm_up_s: warm_up.lasted.as_secs_f64(),
            capacity_per_s: rounded(warm_up.per_second_warm()),
            asked_per_s: rate.0.map(rounded),
            reached_per_s: rounded(measured.per_second()),
            lasted_s,
            answers: measured.answers,
            errors: measured.errors.clone(),
            unsent: measured.unsent,
            undeleted: 0,
            load_busy: (busy.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0,
            latency_ms: Latency::of(&measured.latencies).unwrap_or_default(),
            halves: Some([half(first), half(later)]),
            machine_before,
            machine_during,
            warming: over_time(warm_up),
            slices: over_time(measured),
            histogram: bins.map(|bin| (ms(bin.value_iterated_to() + 1), bin.count_since_last_iteration())).collect(),
        }
    }

    /// The reasons to doubt the figures of this mix, a sentence each.
    pub(super) fn doubts(&self) -> Vec<String> {
        let percent = |part: f64| format!("{:.0} % of the time", part * 100.0);
        let mut doubts = Vec::new();
        if self.unsent > 0 {
            let unsent = self.unsent;
            doubts.push(format!("{unsent} requests were due and never sent: the target does not keep this rate"));
        }
        if self.undeleted > 0 {
            doubts.push(format!("{} of the books it created could not be deleted, and stay", self.undeleted));
        }
        if self.load_busy > LOAD_BUSY_MAX {
            let busy = percent(self.load_busy);
            doubts.push(format!(
                "the load itself was busy {busy}: the target may do more (--threads, or another machine)"
            ));
        }
        if let Some(before) = self.machine_before.filter(|before| before.busy > OTHERS_BUSY_MAX) {
            let busy = percent(before.busy);
            doubts.push(format!(
                "before anything was sent the processors were busy {busy}: other work takes part of them"
            ));
        }
        if let Some(during) = self.machine_during {
            if during.stolen > STOLEN_MAX {
                let stolen = percent(during.stolen);
                doubts.push(format!("another virtual machine had the processors {stolen} (steal)"));
            }
            // Without a rate, load and target keep every processor busy by themselves.
            if let Some(waited) = during.waited.filter(|waited| *waited > WAITED_MAX && self.asked_per_s.is_some()) {
                doubts.push(format!("the machine was overloaded: work waited for a processor {}", percent(waited)));
            }
        }
        if let Some([first, later]) = self.halves {
            let (was, is, what) = match self.asked_per_s {
                Some(_) => (first.p50_ms, later.p50_ms, "ms at the median"),
                None => (first.ended_per_s, later.ended_per_s, "answers a second"),
            };
            if (was - is).abs() > DIFFERENCE_MAX * was.max(is) {
                doubts.push(format!("unsteady: {was} {what} in the first half, {is} in the second: measure again"));
            }
        }
        doubts
    }
}

impl Latency {
    fn of(latencies: &Histogram<u64>) -> Option<Self> {
        let at = |quantile| ms(latencies.value_at_quantile(quantile));
        let max = ms(latencies.max());
        (!latencies.is_empty()).then(|| Self { p50: at(0.5), p99: at(0.99), p99_9: at(0.999), max })
    }
}

fn ms(us: u64) -> f64 {
    us as f64 / 1_000.0
}

fn rounded(per_second: f64) -> f64 {
    if per_second < 100.0 { (per_second * 10.0).round() / 10.0 } else { per_second.round() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_of_a_busy_machine_and_unsteady_ones_are_doubted() {
        let doubts = |asked: Option<f64>, busy: f64, waited: f64, medians: [f64; 2], ended: [f64; 2]| {
            let half = |index: usize| json!({ "ended_per_s": ended[index], "p50_ms": medians[index] });
            let used = json!({ "busy": busy, "stolen": busy / 10.0, "waited": waited });
            let mix: MixResult = serde_json::from_value(json!({
                "mix": "list", "warm_up_s": 1.0, "capacity_per_s": 9.0, "asked_per_s": asked, "reached_per_s": 9.0,
                "lasted_s": 1.0, "answers": 9, "errors": {}, "unsent": 0, "load_busy": 0.1,
                "latency_ms": { "p50": 1.0, "p99": 1.0, "p99_9": 1.0, "max": 1.0 },
                "halves": [half(0), half(1)], "machine_before": used, "machine_during": used,
            }))
            .unwrap();
            mix.doubts().iter().map(|doubt| doubt.split(' ').take(2).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
        };
        assert!(doubts(Some(9.0), 0.1, 0.3, [1.0, 1.1], [9.0, 1.0]).is_empty());
        let all = ["before anything", "another virtual", "the machine", "unsteady: 1"];
        assert_eq!(doubts(Some(9.0), 0.9, 0.9, [1.0, 1.3], [9.0, 9.0]), all);
        // Without a rate the answers a second are compared, and waiting work is no reason for doubt.
        assert_eq!(doubts(None, 0.1, 0.9, [1.0, 9.0], [8.0, 6.0]), ["unsteady: 8"]);
    }
}
