//! The screen of `watch`: on a terminal redraws it whole, in a pipe writes only new lines. Plays nothing.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askama::Template;

use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::failure::{Details, Extent, Failure};
use crate::report::lines::write_lines;
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;
use crate::runner::event::{Event, Listener};
use crate::runner::outcome::Verdict;
use crate::watch::board::Board;

const EMPTY: &str = "\u{1b}[H\u{1b}[2J\u{1b}[3J";
const TURNED_NAMED: usize = 6;
/// The lines of a terminal that does not say how many it has.
const LINES_DEFAULT: usize = 40;

#[derive(Template)]
#[template(path = "watch/head.lines")]
struct Head<'s> {
    palette: Palette,
    chapter: Option<&'s str>,
    cases: usize,
    held: usize,
    skipped: usize,
    red: usize,
    /// The cases that turned green, and those that turned red.
    turned: [Vec<&'s str>; 2],
}

#[derive(Template)]
#[template(source = "{{ self.0|safe }}\n", ext = "lines")]
struct Line(Printable);

#[derive(Debug)]
pub(crate) struct Screen {
    is_terminal: bool,
    palette: Palette,
    /// The counts and the failure as they were written last: a pipe gets what is new.
    last: [String; 2],
}

impl Screen {
    pub(crate) fn new() -> Self {
        let out = io::stdout();
        Self { is_terminal: out.is_terminal(), palette: Palette::for_terminal(&out), last: Default::default() }
    }

    /// The board `after` the change that began the round.
    pub(crate) fn draw(&mut self, board: &mut Board, chapter: Option<&str>, after: Duration) {
        let palette = self.palette;
        let cases = board.within(chapter);
        let count = |verdicts: &[Verdict]| board.count(&cases, |case| verdicts.contains(&case.verdict));
        let head = wrapped(&Head {
            palette,
            chapter,
            cases: cases.len(),
            held: count(&[Verdict::Pass, Verdict::Noted]),
            skipped: count(&[Verdict::Skipped]),
            red: board.count(&cases, |case| case.verdict.is_red()),
            turned: board.turned(),
        });
        let details = |case| Details { case, extent: &Extent::SHORT[0], palette };
        let failure = board.shown().map(|case| wrapped(&Failure { cause: None, details: details(case) }));
        let failure = failure.unwrap_or_default();
        if self.is_terminal || self.last != [head.as_str(), &failure] {
            let after = wrapped(&Line(palette.faint(format!("{:.2} s after the change", after.as_secs_f64()))));
            let is_known = !self.is_terminal && failure == self.last[1];
            self.show(&(after + &head + if is_known { "" } else { &failure }));
        }
        self.last = [head, failure];
    }

    pub(crate) fn say(&mut self, why: Printable) {
        self.last = Default::default();
        self.show(&wrapped(&Line(self.palette.bad(why))));
    }

    /// Shows a note in the last line of a terminal.
    pub(crate) fn note(&self, what: &str) {
        let what = wrapped(&Line(self.palette.faint(what)));
        print(if self.is_terminal { what.trim_end() } else { &what });
    }

    /// Fills the terminal, but leaves its last line for a note.
    fn show(&self, lines: &str) {
        if !self.is_terminal {
            return print(lines);
        }
        let height = terminal_size::terminal_size().map_or(LINES_DEFAULT, |(_, height)| usize::from(height.0));
        let shown: Vec<&str> = lines.lines().take(height.saturating_sub(2)).collect();
        print(&format!("{EMPTY}{}\n", shown.join("\n")));
    }

    /// Counts the cases of a step in the last line.
    pub(crate) fn counting(&self, cases: usize) -> Count {
        Count { draws: self.is_terminal, cases, judged: AtomicUsize::new(0) }
    }
}

#[derive(Debug)]
pub(crate) struct Count {
    draws: bool,
    cases: usize,
    judged: AtomicUsize,
}

impl Listener for Count {
    fn hear(&self, event: &Event<'_>) {
        if let (true, Event::CaseEnded(_)) = (self.draws, event) {
            let judged = self.judged.fetch_add(1, Ordering::Relaxed) + 1;
            print(&format!("\r\u{1b}[Kjudging: {judged} of {}", self.cases));
        }
    }
}

fn wrapped(lines: &impl Template) -> String {
    let mut written = Vec::new();
    let mut out = Wrapping::for_report(&mut written, &io::stdout());
    // Writing to memory cannot fail.
    _ = write_lines(&mut out, lines).and_then(|()| out.flush());
    drop(out);
    String::from_utf8_lossy(&written).into_owned()
}

fn named(ids: &[&str]) -> String {
    let more = if ids.len() > TURNED_NAMED { ", ..." } else { "" };
    ids[..ids.len().min(TURNED_NAMED)].join(", ") + more
}

fn print(text: &str) {
    let mut out = io::stdout().lock();
    // Ignores a closed standard output.
    _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
