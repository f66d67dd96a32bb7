//! The result of a bench as one page: its figures, latencies over time and by frequency. No script, no network.

use askama::Template;

use crate::bench::result::{BenchResult, Latency, MixResult};
use crate::bench::terminal::rate_of;
use crate::report::html::{STYLE, rendered};

/// A drawing, and the part of it within the axes.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 8.0;
const PLOT_WIDTH: f64 = WIDTH - LEFT - 8.0;
const PLOT_HEIGHT: f64 = HEIGHT - TOP - 20.0;

#[derive(Template)]
#[template(path = "bench/page.html")]
struct Page<'r> {
    result: &'r BenchResult,
}

pub(crate) fn text(result: &BenchResult) -> String {
    rendered(&Page { result })
}

/// A plot: its vertical axis of decades, the marks below it by their place from 0 to 1, and its lines.
struct Drawing {
    label: &'static str,
    up: Decades,
    marks: Vec<(f64, String)>,
    warming_width: Option<f64>,
    /// Classes and points.
    lines: Vec<(&'static str, String)>,
    columns: Vec<Column>,
}

struct Column {
    title: String,
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

struct Decades {
    first: f64,
    count: f64,
}

impl Decades {
    fn over(least: f64, most: f64) -> Self {
        let first = least.max(1e-3).log10().floor();
        Self { first, count: (most.max(1e-3).log10().ceil() - first).max(1.0) }
    }

    fn part(&self, value: f64) -> f64 {
        ((value.max(1e-3).log10() - self.first) / self.count).clamp(0.0, 1.0)
    }

    fn y(&self, value: f64) -> f64 {
        TOP + PLOT_HEIGHT * (1.0 - self.part(value))
    }

    fn marks(&self) -> impl Iterator<Item = f64> {
        let first = self.first;
        (0..=self.count as u32).map(move |decade| 10_f64.powf(first + f64::from(decade)))
    }
}

fn over_time(mix: &MixResult) -> Drawing {
    let warm_up_s = if mix.warming.is_empty() { 0.0 } else { mix.warm_up_s };
    let whole_s = warm_up_s + mix.lasted_s;
    let phase = |slices: &[Option<Latency>], from: f64, lasted: f64| -> Vec<(f64, Latency)> {
        let step = lasted / slices.len().max(1) as f64;
        let at = |index: usize| (from + step * (index as f64 + 0.5)) / whole_s;
        slices.iter().enumerate().filter_map(|(index, slice)| Some((at(index), (*slice)?))).collect()
    };
    let phases = [phase(&mix.warming, 0.0, warm_up_s), phase(&mix.slices, warm_up_s, mix.lasted_s)];
    let all = || phases.iter().flatten().map(|(_, slice)| slice);
    let least = all().map(|slice| slice.p50).fold(f64::INFINITY, f64::min);
    let up = Decades::over(least.min(1.0), all().map(|slice| slice.max).fold(1e-3, f64::max));
    let figures: [(&str, fn(&Latency) -> f64); 3] =
        [("max", |slice| slice.max), ("p99", |slice| slice.p99), ("p50", |slice| slice.p50)];
    let mut lines = Vec::new();
    for (phase, (class, of)) in phases.iter().flat_map(|phase| figures.map(|figure| (phase, figure))) {
        let point = |(at, slice): &(f64, Latency)| format!("{:.1},{:.1} ", LEFT + PLOT_WIDTH * at, up.y(of(slice)));
        lines.push((class, phase.iter().map(point).collect()));
    }
    let marks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| (part, format!("{:.1}", whole_s * part))).into();
    let warming_width = Some(PLOT_WIDTH * warm_up_s / whole_s);
    Drawing { label: "Latency over time", up, marks, warming_width, lines, columns: Vec::new() }
}

fn by_frequency(mix: &MixResult) -> Option<Drawing> {
    let seen: Vec<(f64, u64)> = mix.histogram.iter().copied().skip_while(|(_, count)| *count == 0).collect();
    let along = Decades::over(seen.first()?.0, seen.last()?.0);
    let up = Decades::over(1.0, seen.iter().map(|(_, count)| *count as f64).fold(1.0, f64::max));
    let column = |(ms, count): &(f64, u64)| {
        // A bin begins at four fifths of its end. Even a bin of one request must be visible.
        let (from, to) = (along.part(ms / 1.25), along.part(*ms));
        let height = (PLOT_HEIGHT * up.part(*count as f64)).max(1.5);
        let (x, y, width) = (LEFT + PLOT_WIDTH * from, TOP + PLOT_HEIGHT - height, PLOT_WIDTH * (to - from) - 0.5);
        Column { title: format!("{count} up to {ms} ms"), x, y, width, height }
    };
    let columns = seen.iter().filter(|(_, count)| *count > 0).map(column).collect();
    let marks = along.marks().map(|value| (along.part(value), value.to_string())).collect();
    Some(Drawing { label: "Requests by latency", up, marks, warming_width: None, lines: Vec::new(), columns })
}
