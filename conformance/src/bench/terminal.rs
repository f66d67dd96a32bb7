//! The result of a bench at a terminal, alone or beside another.

use askama::Template;

use crate::bench::plan::{LoadRate, Plan};
use crate::bench::result::{BenchResult, MixResult};
use crate::report::color::Palette;

#[derive(Template)]
#[template(path = "bench/head.lines")]
pub(crate) struct Head<'r> {
    pub(crate) result: &'r BenchResult,
    pub(crate) palette: Palette,
}

/// A line of the table, and the errors and doubts below it.
#[derive(Template)]
#[template(path = "bench/mix.lines")]
pub(crate) struct Row<'r> {
    pub(crate) mix: &'r MixResult,
    pub(crate) palette: Palette,
}

impl Row<'_> {
    fn errors(&self) -> u64 {
        self.mix.errors.values().sum()
    }
}

pub(super) fn rate_of(mix: &MixResult) -> String {
    LoadRate(mix.asked_per_s).to_string()
}

#[derive(Template)]
#[template(path = "bench/foot.lines")]
pub(crate) struct Foot<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) palette: Palette,
}

/// Two results mix by mix, and how many times faster or slower the second is.
#[derive(Template)]
#[template(path = "bench/comparison.lines")]
pub(crate) struct Comparison<'r> {
    pub(crate) before: &'r BenchResult,
    pub(crate) after: &'r BenchResult,
}

impl Comparison<'_> {
    fn after(&self, was: &MixResult) -> Option<&MixResult> {
        self.after.mixes.iter().find(|is| is.mix == was.mix)
    }

    fn only_after(&self) -> impl Iterator<Item = &MixResult> {
        let is_new = |is: &&MixResult| self.before.mixes.iter().all(|was| was.mix != is.mix);
        self.after.mixes.iter().filter(is_new)
    }
}

fn rows(was: &MixResult, is: &MixResult) -> [String; 4] {
    let (old, new) = (&was.latency_ms, &is.latency_ms);
    let rows = [
        (was.mix.as_str(), "capacity/s", was.capacity_per_s, is.capacity_per_s, is.capacity_per_s / was.capacity_per_s),
        ("", "p50 ms", old.p50, new.p50, old.p50 / new.p50),
        ("", "p99 ms", old.p99, new.p99, old.p99 / new.p99),
        ("", "p99.9 ms", old.p99_9, new.p99_9, old.p99_9 / new.p99_9),
    ];
    rows.map(|(mix, what, was, is, speed)| format!("{mix:8}{what:12}{was:>12}{is:>12}   {}", in_words(speed)))
}

/// Whether they were asked for rates that cannot be compared.
fn differ(was: &MixResult, is: &MixResult) -> bool {
    let (asked, asked_now) = (was.asked_per_s.unwrap_or(f64::MAX), is.asked_per_s.unwrap_or(f64::MAX));
    (asked - asked_now).abs() > asked / 20.0
}

fn in_words(speed: f64) -> String {
    // Neither answered.
    if speed.is_nan() {
        return "alike".to_owned();
    }
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
