//! Measures how busy the processors of this machine are, by the counters of Linux. Knows nothing on other systems.

use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};

const WATCHED: Duration = Duration::from_millis(500);

/// The counters of `/proc/stat`, in ticks, and of `/proc/pressure/cpu`, in microseconds.
pub(super) struct Counters {
    all: f64,
    idle: f64,
    steal: f64,
    waited_us: Option<f64>,
}

/// Shares of the time between two readings of the counters, from 0 to 1.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Use {
    pub(crate) busy: f64,
    pub(crate) stolen: f64,
    /// Something was ready to run and waited for a processor; older kernels do not say.
    pub(crate) waited: Option<f64>,
}

impl Counters {
    pub(super) fn now() -> Option<Self> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        let ticks: Vec<f64> = stat.lines().next()?.split_whitespace().skip(1).flat_map(str::parse).collect();
        // user, nice, system, idle, iowait, irq, softirq, steal; guests are within user.
        let [_, _, _, idle, iowait, _, _, steal, ..] = ticks[..] else { return None };
        let pressure = fs::read_to_string("/proc/pressure/cpu").unwrap_or_default();
        let waited_us = pressure.lines().next().and_then(|some| some.split("total=").nth(1)?.parse().ok());
        Some(Self { all: ticks[..8].iter().sum(), idle: idle + iowait, steal, waited_us })
    }

    /// The use of the processors since these counters were read, `lasted` ago.
    pub(super) fn since(&self, lasted: Duration) -> Option<Use> {
        let now = Self::now()?;
        let all = (now.all - self.all).max(1.0);
        let part = |ticks: f64| (ticks / all * 1_000.0).clamp(0.0, 1_000.0).round() / 1_000.0;
        let waited_us = now.waited_us.zip(self.waited_us).map(|(now, then)| now - then);
        let waited = waited_us.map(|us| (us / 1_000.0 / lasted.as_secs_f64().max(1e-9)).round() / 1_000.0);
        let stolen = part(now.steal - self.steal);
        Some(Use { busy: part(all - (now.idle - self.idle)) - stolen, stolen, waited })
    }
}

pub(super) fn watched() -> Option<Use> {
    let before = Counters::now()?;
    std::thread::sleep(WATCHED);
    before.since(WATCHED)
}
