//! The result of a bench: as JSON and back, at a terminal, and compared with another.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use crate::bench::load_rate::LoadRate;
use crate::bench::measured::Measured;
use crate::bench::mix::Mix;
use crate::bench::plan::Plan;
use crate::report::color::Palette;
use crate::report::lines::{Lines, Terminal, line};

const FORMAT: &str = "libros-bench/1";
const COLUMNS: &str =
    "mix       capacity/s     asked/s   reached/s     p50 ms     p99 ms   p99.9 ms     max ms   errors";
/// Busier threads may themselves be the bottleneck.
const LOAD_BUSY_MAX: f64 = 0.9;

/// The result for one implementation.
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
    mix: String,
    warm_up_s: f64,
    /// Answers a second while every connection sent as fast as possible.
    capacity_per_s: f64,
    /// `None`: as fast as possible.
    asked_per_s: Option<f64>,
    reached_per_s: f64,
    lasted_s: f64,
    answers: u64,
    errors: BTreeMap<String, u64>,
    /// Due, but never sent: the implementation could not keep the rate.
    unsent: u64,
    /// Part of the time that the sending threads were busy, from 0 to 1; older files lack it.
    #[serde(default)]
    load_busy: f64,
    /// In milliseconds from the moment a request was due; without a rate, from the moment it was sent.
    latency_ms: Latency,
}

#[derive(Debug, Serialize, Deserialize)]
struct Latency {
    p50: f64,
    p99: f64,
    p99_9: f64,
    max: f64,
}

impl BenchResult {
    /// A result without any mix yet.
    pub(crate) fn new(target: String, url: String, plan: &Plan, suite: String, started_at: String) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let machine = format!("{} {}, {processors} processors", std::env::consts::OS, std::env::consts::ARCH);
        let (connections, threads) = (plan.connections, plan.threads);
        let (format, mixes) = (FORMAT.to_owned(), Vec::new());
        Self { format, suite, target, url, started_at, machine, connections, threads, mixes }
    }

    /// Reads the JSON of a bench.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let result: Self = serde_json::from_str(text).map_err(|error| format!("it is no bench's json: {error}"))?;
        if result.format == FORMAT {
            Ok(result)
        } else {
            Err(format!("its format is `{}`, not `{FORMAT}`", result.format))
        }
    }

    /// Writes what was measured and how.
    pub(crate) fn write_head(&self, out: &mut Lines<'_, Terminal>, palette: Palette) -> io::Result<()> {
        let Self { target, url, connections, threads, machine, suite, .. } = self;
        let target = palette.strong(target);
        line!(
            out,
            "{} at {}: {} connections, {} threads of {}; {}",
            target,
            url,
            connections,
            threads,
            machine,
            suite
        )?;
        line!(out, "{}", COLUMNS)
    }
}

impl MixResult {
    pub(super) fn new(mix: Mix, plan: &Plan, capacity: f64, rate: LoadRate, measured: &Measured) -> Self {
        let busy =
            1.0 - measured.waited.div_duration_f64(measured.lasted * u32::try_from(plan.threads).unwrap_or(u32::MAX));
        let at = |quantile: f64| measured.latencies.value_at_quantile(quantile) as f64 / 1_000.0;
        Self {
            mix: mix.name().to_owned(),
            warm_up_s: plan.warm_up.as_secs_f64(),
            capacity_per_s: rounded(capacity),
            asked_per_s: rate.per_second().map(rounded),
            reached_per_s: rounded(measured.per_second()),
            lasted_s: measured.lasted.as_secs_f64(),
            answers: measured.answers,
            errors: measured.errors.clone(),
            unsent: measured.unsent,
            load_busy: (busy.clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0,
            latency_ms: Latency {
                p50: at(0.5),
                p99: at(0.99),
                p99_9: at(0.999),
                max: measured.latencies.max() as f64 / 1_000.0,
            },
        }
    }

    /// Writes its line of the table, and the errors below it.
    pub(crate) fn write(&self, out: &mut Lines<'_, Terminal>, palette: Palette) -> io::Result<()> {
        let Latency { p50, p99, p99_9, max } = self.latency_ms;
        let errors: u64 = self.errors.values().sum();
        let asked = told_rate(self.asked_per_s);
        line!(
            out,
            "{:8}{:>12}{:>12}{:>12}{:>11.3}{:>11.3}{:>11.3}{:>11.3}{:>9}",
            self.mix,
            self.capacity_per_s,
            asked,
            self.reached_per_s,
            p50,
            p99,
            p99_9,
            max,
            errors
        )?;
        for (error, count) in &self.errors {
            line!(out, "{}", palette.bad(format!("        {count} x {error}")))?;
        }
        if self.unsent > 0 {
            let text =
                format!("        {} requests were due and never sent: the target does not keep this rate", self.unsent);
            line!(out, "{}", palette.wary(&text))?;
        }
        if self.load_busy > LOAD_BUSY_MAX {
            let percent = self.load_busy * 100.0;
            let text = format!(
                "        the load itself was busy {percent:.0} % of the time: the target may do more (--threads, or another machine)"
            );
            line!(out, "{}", palette.wary(&text))?;
        }
        Ok(())
    }
}

fn told_rate(asked_per_s: Option<f64>) -> String {
    asked_per_s.map_or(LoadRate::AsFastAsPossible, LoadRate::PerSecond).to_string()
}

fn rounded(per_second: f64) -> f64 {
    if per_second < 100.0 { (per_second * 10.0).round() / 10.0 } else { per_second.round() }
}

/// Writes below the table how to read it.
pub(crate) fn write_foot(out: &mut Lines<'_, Terminal>, plan: &Plan, palette: Palette) -> io::Result<()> {
    let warm_up = plan.warm_up.as_secs_f64();
    let measured = if plan.rate == Some(LoadRate::AsFastAsPossible) {
        "Then the same, measured; latency counts from the\n\
         moment a request was sent: what a client would have waited while the target stalled is not in it."
    } else {
        "Then requests at a steady rate; latency counts from the\n\
         moment a request was due, so that what waited for a stalled target is counted, too."
    };
    let text = format!("capacity: {warm_up} s of warm-up, every connection as fast as it can. {measured}");
    line!(out, "{}", palette.faint(&text))
}

/// Writes two results mix by mix, the second as a multiple of the first.
pub(crate) fn write_comparison(
    out: &mut Lines<'_, Terminal>,
    before: &BenchResult,
    after: &BenchResult,
) -> io::Result<()> {
    for (word, bench) in [("before", before), ("after ", after)] {
        line!(out, "{}  {} at {}, {}, {}", word, bench.target, bench.started_at, bench.machine, bench.suite)?;
    }
    line!(out, "{:8}{:>26}{:>26}{:>26}{:>26}", "mix", "capacity/s", "p50 ms", "p99 ms", "p99.9 ms")?;
    let told = |was: f64, is: f64| format!("{was} -> {is} ({:.2}x)", is / was);
    for was in &before.mixes {
        let Some(is) = after.mixes.iter().find(|is| is.mix == was.mix) else {
            line!(out, "{:8}only before", was.mix)?;
            continue;
        };
        let (old, new) = (&was.latency_ms, &is.latency_ms);
        let cells = [
            told(was.capacity_per_s, is.capacity_per_s),
            told(old.p50, new.p50),
            told(old.p99, new.p99),
            told(old.p99_9, new.p99_9),
        ];
        line!(out, "{:8}{}", was.mix, cells.map(|cell| format!(" {cell:>25}")).concat())?;
        let (asked, asked_now) = (was.asked_per_s.unwrap_or(f64::MAX), is.asked_per_s.unwrap_or(f64::MAX));
        if (asked - asked_now).abs() > asked / 20.0 {
            let (asked, asked_now) = (told_rate(was.asked_per_s), told_rate(is.asked_per_s));
            line!(
                out,
                "        latencies at {} and at {} requests a second: ask both for one --rate",
                asked,
                asked_now
            )?;
        }
    }
    Ok(())
}
