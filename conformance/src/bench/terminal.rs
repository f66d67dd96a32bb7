//! The result of a bench at a terminal, alone or beside another.

use std::io;

use crate::bench::load_rate::LoadRate;
use crate::bench::plan::Plan;
use crate::bench::result::{BenchResult, Latency, MixResult};
use crate::report::lines::{Lines, line};

const COLUMNS: &str =
    "mix       capacity/s     asked/s   reached/s     p50 ms     p99 ms   p99.9 ms     max ms   errors";

pub(crate) fn write_head(out: &mut Lines<'_>, result: &BenchResult) -> io::Result<()> {
    let BenchResult { target, url, connections, threads, machine, suite, .. } = result;
    let target = out.palette.strong(target);
    line!(out, "{} at {}: {} connections, {} threads of {}; {}", target, url, connections, threads, machine, suite)?;
    line!(out, "{}", COLUMNS)
}

/// Writes a line of the table, and the errors and doubts below it.
pub(crate) fn write_mix(out: &mut Lines<'_>, mix: &MixResult) -> io::Result<()> {
    let Latency { p50, p99, p99_9, max } = mix.latency_ms;
    let latencies = [p50, p99, p99_9, max].map(|ms| format!("{ms:>11.3}")).concat();
    let (asked, errors): (_, u64) = (rate_of(mix), mix.errors.values().sum());
    let MixResult { capacity_per_s, reached_per_s, .. } = mix;
    line!(out, "{:8}{:>12}{:>12}{:>12}{}{:>9}", mix.mix, capacity_per_s, asked, reached_per_s, latencies, errors)?;
    for (error, count) in &mix.errors {
        line!(out, "{}", out.palette.bad(format!("        {count} x {error}")))?;
    }
    mix.doubts().iter().try_for_each(|doubt| line!(out, "{}", out.palette.wary(format!("        {doubt}"))))
}

pub(super) fn rate_of(mix: &MixResult) -> String {
    LoadRate(mix.asked_per_s).to_string()
}

pub(crate) fn write_foot(out: &mut Lines<'_>, plan: &Plan) -> io::Result<()> {
    let measured = if plan.rate == Some(LoadRate::AS_FAST_AS_POSSIBLE) {
        "then the same, measured; latency counts from the moment a request was sent: what a client would have waited while \
         the target stalled is not in it"
    } else {
        "then requests at a steady rate; latency counts from the moment a request was due: what waited for a stalled \
         target is counted, too"
    };
    let warm_up = plan.warm_up;
    let capacity = format!("capacity: the later half of {warm_up} s of warm-up, every connection as fast as it can;");
    [capacity.as_str(), measured].iter().try_for_each(|text| line!(out, "{}", out.palette.faint(*text)))
}

/// Writes two results mix by mix, and how many times faster or slower the second is.
pub(crate) fn write_comparison(out: &mut Lines<'_>, before: &BenchResult, after: &BenchResult) -> io::Result<()> {
    for (word, bench) in [("before", before), ("after ", after)] {
        line!(out, "{}  {} at {}, {}, {}", word, bench.target, bench.started_at, bench.machine, bench.suite)?;
    }
    line!(out, "{:8}{:12}{:>12}{:>12}", "mix", "", "before", "after")?;
    for was in &before.mixes {
        let Some(is) = after.mixes.iter().find(|is| is.mix == was.mix) else {
            line!(out, "{:8}only before", was.mix)?;
            continue;
        };
        let (old, new) = (&was.latency_ms, &is.latency_ms);
        let rows = [
            ("capacity/s", was.capacity_per_s, is.capacity_per_s, is.capacity_per_s / was.capacity_per_s),
            ("p50 ms", old.p50, new.p50, old.p50 / new.p50),
            ("p99 ms", old.p99, new.p99, old.p99 / new.p99),
            ("p99.9 ms", old.p99_9, new.p99_9, old.p99_9 / new.p99_9),
        ];
        for (index, (what, was_figure, is_figure, speed)) in rows.into_iter().enumerate() {
            let mix = if index == 0 { was.mix.as_str() } else { "" };
            line!(out, "{:8}{:12}{:>12}{:>12}   {}", mix, what, was_figure, is_figure, in_words(speed))?;
        }
        let (asked, asked_now) = (was.asked_per_s.unwrap_or(f64::MAX), is.asked_per_s.unwrap_or(f64::MAX));
        if (asked - asked_now).abs() > asked / 20.0 {
            let (asked, asked_now) = (rate_of(was), rate_of(is));
            line!(
                out,
                "        latencies at {} and at {} requests a second: ask both for one --rate",
                asked,
                asked_now
            )?;
        }
        for (word, mix) in [("before", was), ("after", is)] {
            mix.doubts().iter().try_for_each(|doubt| line!(out, "        {}: {}", word, doubt))?;
        }
    }
    Ok(())
}

fn in_words(speed: f64) -> String {
    let (times, word) = if speed < 1.0 { (1.0 / speed, "slower") } else { (speed, "faster") };
    match times {
        0.0..1.05 => "alike".to_owned(),
        0.0..10.0 => format!("{times:.1} times {word}"),
        f64::INFINITY => format!("far {word}"),
        _ => format!("{times:.0} times {word}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_said_in_words() {
        let words = [0.013, 0.5, 0.96, 1.04, 1.4, 120.4].map(in_words);
        assert_eq!(
            words,
            ["77 times slower", "2.0 times slower", "alike", "alike", "1.4 times faster", "120 times faster"]
        );
    }
}
