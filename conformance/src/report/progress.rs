//! Progress of a run on standard error: on a terminal a bar, in a pipe a line every ten seconds.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::mutex::locked;
use crate::runner::event::{Event, Listener};
use crate::runner::outcome::Verdict;

const SECONDS: u64 = 10;

#[derive(Debug)]
pub struct Progress {
    /// Hidden in a pipe, and where the terminal shows no human report.
    bar: ProgressBar,
    so_far: Mutex<SoFar>,
}

#[derive(Debug, Default)]
struct SoFar {
    cases: usize,
    judged: usize,
    failed: usize,
    blocked: usize,
    /// When the last line was due, in seconds.
    told_at: u64,
}

impl Listener for Progress {
    fn hear(&self, event: &Event<'_>) {
        let mut so_far = locked(&self.so_far);
        match event {
            Event::RunStarted { cases } => {
                so_far.cases = *cases;
                self.bar.set_length(u64::try_from(*cases).unwrap_or(u64::MAX));
            }
            Event::CaseStarted { id } => self.bar.set_message((*id).to_owned()),
            Event::CaseEnded(outcome) => {
                so_far.judged += 1;
                let is_blocked = outcome.verdict == Verdict::Blocked;
                so_far.blocked += usize::from(is_blocked);
                so_far.failed += usize::from(outcome.verdict.is_red() && !is_blocked);
                // A count, not a row for each: the report below begins with the cause.
                self.bar.inc(1);
                if outcome.verdict.is_red() {
                    self.bar.set_prefix(so_far.counts() + " ");
                }
            }
            Event::Elapsed(elapsed) => so_far.line(*elapsed).into_iter().for_each(|line| tell(&line)),
            Event::Forecast(text) if self.bar.is_hidden() => tell(text),
            Event::Forecast(text) => self.bar.println(text),
            Event::RunEnded => self.bar.finish_and_clear(),
        }
    }
}

impl Progress {
    /// `is_for_person`: the human report goes to this terminal, so the bar is drawn.
    pub fn new(is_for_person: bool) -> Self {
        let bar = if is_for_person && io::stderr().is_terminal() { ProgressBar::new(0) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{pos}/{len} {prefix}{wide_msg}");
        let bar = style.map_or(bar.clone(), |style| bar.with_style(style));
        Self { bar, so_far: Mutex::default() }
    }
}

impl SoFar {
    fn line(&mut self, elapsed: Duration) -> Option<String> {
        let due = elapsed.as_secs() / SECONDS * SECONDS;
        if due <= self.told_at {
            return None;
        }
        self.told_at = due;
        Some(format!("{due} s: {} of {} cases judged, {}", self.judged, self.cases, self.counts()))
    }

    fn counts(&self) -> String {
        let blocked = if self.blocked > 0 { format!(", {} blocked", self.blocked) } else { String::new() };
        format!("{} failed{blocked}", self.failed)
    }
}

/// A line in a pipe; a terminal has the bar.
fn tell(line: &str) {
    let mut out = io::stderr();
    if !out.is_terminal() {
        // A closed standard error hides the progress alone.
        _ = writeln!(out, "libros-conformance: {line}");
    }
}
