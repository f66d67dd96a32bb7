//! Draws growth curves as SVG: time by number of books, both logarithmic, one line per query.

use std::fmt::Write as _;

/// A line: the label at its end, and milliseconds by number of books, ascending.
pub type Line = (&'static str, Vec<(f64, f64)>);

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 45.0;
/// From a ten-thousandth of a millisecond to ten seconds.
const DECADES: (f64, f64) = (-4.0, 4.0);
const COLORS: [&str; 7] = ["#4477aa", "#ee6677", "#228833", "#aa8800", "#66ccee", "#aa3377", "#666666"];

/// Draws the lines; `sizes` are the numbers of books, ascending.
pub fn draw(title: &str, sizes: &[f64], lines: &[Line]) -> String {
    let (first, last) = (sizes.first().copied().unwrap_or(1.0).log10(), sizes.last().copied().unwrap_or(10.0).log10());
    let x = |books: f64| LEFT + (books.log10() - first) / (last - first).max(1.0) * (WIDTH - LEFT - RIGHT);
    let y = |ms: f64| {
        let place = (ms.log10().clamp(DECADES.0, DECADES.1) - DECADES.0) / (DECADES.1 - DECADES.0);
        HEIGHT - BOTTOM - place * (HEIGHT - TOP - BOTTOM)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n<text x=\"{LEFT}\" y=\"18\">{title}</text>\n"
    );
    let mut line = |text: std::fmt::Arguments<'_>| {
        _ = writeln!(svg, "{text}");
    };
    for decade in DECADES.0 as i32..=DECADES.1 as i32 {
        let (at, end) = (y(10f64.powi(decade)), WIDTH - RIGHT);
        line(format_args!("<path d=\"M{LEFT} {at:.1}H{end:.1}\" stroke=\"#ddd\"/>"));
        let ms = 10f64.powi(decade);
        line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{ms} ms</text>", LEFT - 6.0, at + 4.0));
    }
    for size in sizes {
        let (at, below) = (x(*size), HEIGHT - BOTTOM + 18.0);
        line(format_args!("<text x=\"{at:.1}\" y=\"{below:.1}\" text-anchor=\"middle\">{size} books</text>"));
    }
    // Moves labels apart that would overlap.
    let mut ends: Vec<(f64, usize)> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((y(line.1.last()?.1), at))).collect();
    ends.sort_by(|left, right| left.0.total_cmp(&right.0));
    let mut lowest = f64::NEG_INFINITY;
    for (end, at) in ends {
        let color = COLORS[at % COLORS.len()];
        let points: Vec<String> =
            lines[at].1.iter().map(|(books, ms)| format!("{:.1},{:.1}", x(*books), y(*ms))).collect();
        lowest = end.max(lowest + 12.0);
        line(format_args!("<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\"/>", points.join(" ")));
        let (name, beside) = (lines[at].0, WIDTH - RIGHT + 6.0);
        line(format_args!("<text x=\"{beside:.1}\" y=\"{:.1}\" fill=\"{color}\">{name}</text>", lowest + 4.0));
    }
    svg + "</svg>\n"
}
