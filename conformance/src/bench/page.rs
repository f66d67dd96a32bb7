//! The result of a bench as one page: its figures, latencies over time and by frequency. No script, no network.

use std::fmt::Write as _;

use crate::bench::result::{BenchResult, Latency, MixResult};
use crate::bench::terminal::rate_of;
use crate::book::markup::escaped;
use crate::report::html::assembled;

const PAGE: &str = include_str!("page.html");
/// A drawing, and the part of it within the axes.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 44.0;
const TOP: f64 = 8.0;
const PLOT_WIDTH: f64 = WIDTH - LEFT - 8.0;
const PLOT_HEIGHT: f64 = HEIGHT - TOP - 20.0;

pub(crate) fn text(result: &BenchResult) -> String {
    let BenchResult { target, url, connections, threads, machine, suite, started_at, .. } = result;
    let [target, about] = [
        target.clone(),
        format!("{url}, {started_at}: {connections} connections, {threads} threads of {machine}; {suite}"),
    ]
    .map(|text| escaped(&text));
    let mixes: String = result.mixes.iter().map(section).collect();
    let body = format!("<h1>Speed of {target}</h1>\n<p class=\"faint\">{about}</p>\n{mixes}");
    assembled(PAGE).replacen("/*BODY*/", &body, 1)
}

fn section(mix: &MixResult) -> String {
    let Latency { p50, p99, p99_9, max } = mix.latency_ms;
    let (rate, reached, capacity) = (rate_of(mix), mix.reached_per_s, mix.capacity_per_s);
    let errors = mix.errors.iter().map(|(error, count)| format!("{count} x {error}"));
    let doubts = errors.chain(mix.doubts()).map(|doubt| format!("<li>{}</li>\n", escaped(&doubt)));
    let doubts: String = doubts.collect();
    format!(
        "<section class=\"card\">\n<h2>{name}</h2>\n\
         <p>{reached} answers a second of {rate} asked for; {capacity} as fast as possible, once warm. \
         Latency in ms: median {p50}, p99 {p99}, p99.9 {p99_9}, longest {max}.</p>\n<ul class=\"doubt\">{doubts}</ul>\n\
         <div class=\"plots\">\n<figure>{time}<figcaption>ms over seconds: <b class=\"p50\">median</b>, <b class=\"p99\">p99</b>, \
         <b class=\"max\">longest</b> of each slice; shaded: the warm-up, as fast as possible</figcaption></figure>\n\
         <figure>{bars}<figcaption>requests by ms, both axes logarithmic</figcaption></figure>\n</div>\n</section>\n",
        name = escaped(&mix.mix),
        time = over_time(mix),
        bars = by_frequency(mix),
    )
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

    fn marks(&self) -> impl Iterator<Item = f64> {
        let first = self.first;
        (0..=self.count as u32).map(move |decade| 10_f64.powf(first + f64::from(decade)))
    }
}

/// A drawing: what is drawn, a vertical axis of decades, and marks below by their place from 0 to 1.
fn drawing(up: &Decades, marks: &[(f64, String)], label: &str, drawn: &str) -> String {
    let mut svg = format!("<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">\n");
    for value in up.marks() {
        let (y, right) = (TOP + PLOT_HEIGHT * (1.0 - up.part(value)), LEFT + PLOT_WIDTH);
        _ = writeln!(svg, "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        _ = writeln!(svg, "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>", LEFT - 4.0, y + 3.0);
    }
    for (part, mark) in marks {
        let (x, y) = (LEFT + PLOT_WIDTH * part, HEIGHT - 6.0);
        let anchor = if *part == 1.0 { "end" } else { "middle" };
        _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"{anchor}\">{mark}</text>");
    }
    svg + drawn + "</svg>"
}

fn over_time(mix: &MixResult) -> String {
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
    let shaded = PLOT_WIDTH * warm_up_s / whole_s;
    let mut drawn =
        format!("<rect class=\"warming\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{shaded:.1}\" height=\"{PLOT_HEIGHT}\"/>\n");
    let lines: [(&str, fn(&Latency) -> f64); 3] =
        [("max", |slice| slice.max), ("p99", |slice| slice.p99), ("p50", |slice| slice.p50)];
    for (points, (class, of)) in phases.iter().flat_map(|phase| lines.map(|line| (phase, line))) {
        let point = |(at, slice): &(f64, Latency)| {
            format!("{:.1},{:.1} ", LEFT + PLOT_WIDTH * at, TOP + PLOT_HEIGHT * (1.0 - up.part(of(slice))))
        };
        let points: String = points.iter().map(point).collect();
        _ = writeln!(drawn, "<polyline class=\"{class}\" points=\"{points}\"/>");
    }
    let marks = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| (part, format!("{:.1}", whole_s * part)));
    drawing(&up, &marks, "Latency over time", &drawn)
}

fn by_frequency(mix: &MixResult) -> String {
    let seen: Vec<(f64, u64)> = mix.histogram.iter().copied().skip_while(|(_, count)| *count == 0).collect();
    let (Some((least, _)), Some((most, _))) = (seen.first(), seen.last()) else { return String::new() };
    let along = Decades::over(*least, *most);
    let up = Decades::over(1.0, seen.iter().map(|(_, count)| *count as f64).fold(1.0, f64::max));
    let mut drawn = String::new();
    for (ms, count) in seen.iter().filter(|(_, count)| *count > 0) {
        // A bin begins at four fifths of its end. One request still has to be seen.
        let (from, to) = (along.part(ms / 1.25), along.part(*ms));
        let height = (PLOT_HEIGHT * up.part(*count as f64)).max(1.5);
        let (x, y, width) = (LEFT + PLOT_WIDTH * from, TOP + PLOT_HEIGHT - height, PLOT_WIDTH * (to - from) - 0.5);
        let title = format!("<title>{count} up to {ms} ms</title>");
        _ = writeln!(
            drawn,
            "<rect class=\"column\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\">{title}</rect>"
        );
    }
    let marks: Vec<_> = along.marks().map(|value| (along.part(value), value.to_string())).collect();
    drawing(&up, &marks, "Requests by latency", &drawn)
}
