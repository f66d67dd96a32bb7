//! An attack as one page: each replica's operations over time, faults as bands, what was broken. No script, no network.

use askama::Template;

use crate::clock;
use crate::nemesis::history::{Event, Outcome};
use crate::nemesis::{Attacked, Strike};
use crate::report::html::{STYLE, rendered};
use crate::report::plural::plural;

const WIDTH: f64 = 1000.0;
const SLICES: usize = 250;
const SLICE_WIDTH: f64 = WIDTH / SLICES as f64;
const LANE_HEIGHT: f64 = 30.0;
const RATE_HEIGHT: f64 = 90.0;
/// The height of a fault on a lane.
const BAND_HEIGHT: f64 = 7.0;
/// A narrower band would be invisible.
const BAND_MIN: f64 = 3.0;

#[derive(Template)]
#[template(path = "nemesis/page.html")]
struct Page<'a> {
    attacked: &'a Attacked,
}

pub(crate) fn text(attacked: &Attacked) -> String {
    rendered(&Page { attacked })
}

struct Band<'a> {
    class: &'static str,
    title: &'a str,
    x: f64,
    width: f64,
    height: f64,
}

fn seconds(time_us: u64) -> String {
    format!("{:.1}", time_us as f64 / 1e6)
}

impl Attacked {
    fn x(&self, time_us: u64) -> f64 {
        WIDTH * (time_us as f64 / self.lasted_us.max(1) as f64).min(1.0)
    }

    fn slices(&self, event: &Event) -> std::ops::RangeInclusive<usize> {
        let slice = |time_us| ((self.x(time_us) / WIDTH * SLICES as f64) as usize).min(SLICES - 1);
        slice(event.sent_us)..=slice(event.ended_us)
    }

    /// Bands for faults of this replica, and for those of no replica; frames for broken promises.
    fn bands(&self, url: Option<&str>, height: f64) -> Vec<Band<'_>> {
        let is_elsewhere =
            |strike: &&Strike| url.is_some_and(|url| strike.node != url && self.replicas.contains(&strike.node));
        let faults = self.strikes.iter().filter(|strike| !is_elsewhere(strike));
        let faults = faults.map(|strike| (strike.begun_us, strike.healed_us, "fault", strike.fault.as_str()));
        let windows = self.windows().into_iter().map(|(from_us, to_us)| (from_us, to_us, "window", "promise broken"));
        let fault_height = if url.is_some() { BAND_HEIGHT } else { height };
        let band = |(from_us, to_us, class, title)| {
            let width = (self.x(to_us) - self.x(from_us)).max(BAND_MIN);
            let x = self.x(from_us).min(WIDTH - width);
            Band { class, title, x, width, height: if class == "fault" { fault_height } else { height } }
        };
        faults.chain(windows).map(band).collect()
    }

    /// The times in which promises were broken, overlapping ones joined.
    fn windows(&self) -> Vec<(u64, u64)> {
        let mut times: Vec<_> = self.seen.findings.iter().map(|finding| (finding.from_us, finding.to_us)).collect();
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

    /// Operations on a replica: of each slice, the parts by outcome, each with its class, place and height.
    fn lane(&self, node: usize) -> Vec<(&'static str, f64, f64, f64)> {
        let mut counts = vec![[0_u32; 3]; SLICES];
        for event in self.seen.events.iter().filter(|event| event.node == node && event.sent_us < self.lasted_us) {
            self.slices(event).for_each(|slice| counts[slice][event.outcome as usize] += 1);
        }
        let parts = counts.iter().enumerate().flat_map(|(slice, counts)| {
            let (whole, mut y) = (counts.iter().sum::<u32>().max(1), LANE_HEIGHT);
            Outcome::ALL.iter().zip(counts).filter(|(_, count)| **count > 0).map(move |(outcome, count)| {
                let height = LANE_HEIGHT * f64::from(*count) / f64::from(whole);
                y -= height;
                (outcome.word(), SLICE_WIDTH * slice as f64, y, height)
            })
        });
        parts.collect()
    }

    fn confirmed(&self) -> Vec<u32> {
        let mut counts = vec![0; SLICES];
        let is_counted = |event: &&Event| event.outcome == Outcome::Confirmed && event.ended_us < self.lasted_us;
        for event in self.seen.events.iter().filter(is_counted) {
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
        confirmed.iter().enumerate().map(point).collect()
    }
}
