//! An attack as one page: each replica's operations over time, faults as bands, what was broken. No script, no network.

use std::fmt::Write as _;

use crate::book::markup::escaped;
use crate::clock;
use crate::nemesis::history::{Event, Outcome};
use crate::nemesis::{Attacked, Strike};
use crate::report::html::assembled;

const PAGE: &str = include_str!("page.html");
const WIDTH: f64 = 1000.0;
/// Slices of time.
const SLICES: usize = 250;
const LANE_HEIGHT: f64 = 30.0;
const RATE_HEIGHT: f64 = 90.0;
/// Of a fault, on a lane.
const BAND_HEIGHT: f64 = 7.0;
/// A band that is narrower would not be seen.
const BAND_MIN: f64 = 3.0;

/// The page.
pub(crate) fn text(attacked: &Attacked) -> String {
    let Attacked { target, seed, replicas, strikes, .. } = attacked;
    let [target, begun] = [target.clone(), clock::iso(attacked.started_at_ms)].map(|text| escaped(&text));
    let (word, class) = attacked.verdict();
    let lanes: String = replicas.iter().enumerate().map(|(node, url)| attacked.lane(node, url)).collect();
    let faults: String = strikes.iter().map(row).collect();
    let found: String = attacked.broken().map(|(promise, count, first)| {
        let [from, to] = [first.from_us, first.to_us].map(seconds);
        format!(
            "<section class=\"card\">\n<b class=\"fail\">Broken: {promise}</b>\n<p>{count} times; first from {from} to {to} s</p>\n\
             <pre>{}</pre>\n</section>\n",
            escaped(&first.text)
        )
    }).collect();
    let body = format!(
        "<h1>Nemesis of {target}: <span class=\"word {class}\">{word}</span></h1>\n<p class=\"faint\">{begun}, seed {seed}. {}</p>\n\
         {found}<h2>Operations over time</h2>\n<p class=\"legend\"><b class=\"confirmed\">confirmed</b> <b class=\"refused\">refused</b> \
         <b class=\"unknown\">outcome unknown</b> <b class=\"fault\">fault</b> <b class=\"window\">promise broken</b></p>\n\
         {lanes}<p class=\"lane\">confirmed operations a second, {} at most</p>\n{}{}\
         <h2>Faults</h2>\n<div class=\"wide\"><table>\n<tr><th>fault</th><th>of</th><th class=\"n\">from, s</th><th class=\"n\">to, s</th>\
         <th class=\"n\">creates went on after, s</th><th class=\"n\">longest pause of creates, s</th></tr>\n{faults}</table></div>",
        escaped(&attacked.counts()),
        attacked.most_a_second(),
        attacked.rate(),
        attacked.axis(),
    );
    assembled(PAGE).replacen("/*BODY*/", &body, 1)
}

fn row(strike: &Strike) -> String {
    let [from, to, pause] = [strike.begun_us, strike.healed_us, strike.pause_us].map(seconds);
    let recovered = strike.recovered_us.map_or_else(
        || "<b class=\"fail\">never</b>".to_owned(),
        |recovered_us| seconds(recovered_us - strike.healed_us),
    );
    let cells: String =
        [from, to, recovered, pause].iter().map(|cell| format!("<td class=\"n\">{cell}</td>")).collect();
    format!("<tr><td>{}</td><td>{}</td>{cells}</tr>\n", escaped(&strike.fault), escaped(&strike.node))
}

fn seconds(time_us: u64) -> String {
    format!("{:.1}", time_us as f64 / 1e6)
}

impl Attacked {
    fn x(&self, time_us: u64) -> f64 {
        WIDTH * (time_us as f64 / self.lasted_us.max(1) as f64).min(1.0)
    }

    /// The slices that an operation touches.
    fn slices(&self, event: &Event) -> std::ops::RangeInclusive<usize> {
        let slice = |time_us| ((self.x(time_us) / WIDTH * SLICES as f64) as usize).min(SLICES - 1);
        slice(event.sent_us)..=slice(event.ended_us)
    }

    /// Bands for faults of this replica, and for those of no replica; frames for broken promises.
    fn bands(&self, url: Option<&str>, height: f64) -> String {
        let is_elsewhere =
            |strike: &&Strike| url.is_some_and(|url| strike.node != url && self.replicas.contains(&strike.node));
        let faults = self
            .strikes
            .iter()
            .filter(|strike| !is_elsewhere(strike))
            .map(|strike| (strike.begun_us, strike.healed_us, "fault", strike.fault.as_str()));
        let windows = self.windows();
        let windows = windows.iter().map(|(from_us, to_us)| (*from_us, *to_us, "window", "promise broken"));
        let fault_height = if url.is_some() { BAND_HEIGHT } else { height };
        let band = |(from_us, to_us, class, title): (u64, u64, &str, &str)| {
            let height = if class == "fault" { fault_height } else { height };
            let width = (self.x(to_us) - self.x(from_us)).max(BAND_MIN);
            let x = self.x(from_us).min(WIDTH - width);
            format!(
                "<rect class=\"{class}\" x=\"{x:.1}\" width=\"{width:.1}\" height=\"{height}\"><title>{}</title></rect>\n",
                escaped(title)
            )
        };
        faults.chain(windows).map(band).collect()
    }

    /// Times in which promises were broken; what overlaps is one.
    fn windows(&self) -> Vec<(u64, u64)> {
        let mut times: Vec<_> = self.findings.iter().map(|finding| (finding.from_us, finding.to_us)).collect();
        times.sort_unstable();
        let slice_us = self.lasted_us / SLICES as u64;
        let mut windows: Vec<(u64, u64)> = Vec::new();
        for (from_us, to_us) in times {
            match windows.last_mut() {
                Some(last) if from_us <= last.1 + slice_us => last.1 = last.1.max(to_us),
                _ => windows.push((from_us, to_us)),
            }
        }
        windows
    }

    /// Operations on a replica: of each slice, the parts by outcome.
    fn lane(&self, node: usize, url: &str) -> String {
        const CLASSES: [&str; 3] = ["confirmed", "refused", "unknown"];
        let mut counts = vec![[0_u32; 3]; SLICES];
        for event in self.events.iter().filter(|event| event.node == node && event.sent_us < self.lasted_us) {
            self.slices(event).for_each(|slice| counts[slice][event.outcome as usize] += 1);
        }
        let mut drawn = String::new();
        for (slice, counts) in counts.iter().enumerate() {
            let whole = counts.iter().sum::<u32>().max(1);
            let (width, mut y) = (WIDTH / SLICES as f64, LANE_HEIGHT);
            for (class, count) in CLASSES.iter().zip(counts).filter(|(_, count)| **count > 0) {
                let height = LANE_HEIGHT * f64::from(*count) / f64::from(whole);
                y -= height;
                _ = writeln!(
                    drawn,
                    "<rect class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>",
                    width * slice as f64
                );
            }
        }
        let (name, bands) = (escaped(url), self.bands(Some(url), LANE_HEIGHT));
        format!(
            "<p class=\"lane\">{name}</p>\n<svg viewBox=\"0 0 {WIDTH} {LANE_HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Operations on {name}\">\n{drawn}{bands}</svg>\n"
        )
    }

    /// Confirmed operations that ended in each slice.
    fn confirmed(&self) -> Vec<u32> {
        let mut counts = vec![0; SLICES];
        for event in
            self.events.iter().filter(|event| event.outcome == Outcome::Confirmed && event.ended_us < self.lasted_us)
        {
            counts[*self.slices(event).end()] += 1;
        }
        counts
    }

    fn most_a_second(&self) -> u64 {
        let most = self.confirmed().into_iter().max().unwrap_or_default();
        (f64::from(most) * SLICES as f64 * 1e6 / self.lasted_us.max(1) as f64) as u64
    }

    fn rate(&self) -> String {
        let confirmed = self.confirmed();
        let most = f64::from(confirmed.iter().copied().max().unwrap_or_default().max(1));
        let point = |(slice, count): (usize, &u32)| {
            let x = WIDTH * (slice as f64 + 0.5) / SLICES as f64;
            format!("{x:.1},{:.1} ", RATE_HEIGHT * (1.0 - f64::from(*count) / most))
        };
        let points: String = confirmed.iter().enumerate().map(point).collect();
        let bands = self.bands(None, RATE_HEIGHT);
        format!(
            "<svg class=\"rate\" viewBox=\"0 0 {WIDTH} {RATE_HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"Throughput\">\n{bands}<polyline points=\"{points}\"/>\n</svg>\n"
        )
    }

    fn axis(&self) -> String {
        let marks = [0, 1, 2, 3, 4].map(|quarter| format!("<span>{} s</span>", seconds(self.lasted_us * quarter / 4)));
        format!("<p class=\"axis\">{}</p>\n", marks.concat())
    }
}
