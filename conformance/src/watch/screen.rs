//! One screen, drawn anew on a terminal; in a pipe the lines that are new.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::printable::Printable;
use crate::report::color::Palette;
use crate::report::failure_in_lines;
use crate::report::lines::{Lines, line};
use crate::report::plural::plural;
use crate::report::wrapping::Wrapping;
use crate::runner::event::{Event, Listener};
use crate::runner::verdict::Verdict;
use crate::watch::standing::{Standing, is_red};

/// Moves to the first place of a terminal and empties it.
const EMPTY: &str = "\u{1b}[H\u{1b}[2J\u{1b}[3J";
const TURNED_NAMED: usize = 6;
/// Where a terminal does not say how many lines it has.
const LINES_DEFAULT: usize = 40;

/// The place where a watch says what it sees.
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

    /// The standing `after` the change that began the round.
    pub(crate) fn draw(&mut self, standing: &mut Standing, chapter: Option<&str>, after: Duration) {
        let head = self.text(|out| {
            let cases = standing.within(chapter);
            let count = |verdicts: &[Verdict]| standing.count(&cases, |case| verdicts.contains(&case.verdict));
            let (held, skipped) = (count(&[Verdict::Pass, Verdict::Noted]), count(&[Verdict::Skipped]));
            let red = standing.count(&cases, is_red);
            let red = if red > 0 { out.palette.bad(format!("{red} red")) } else { out.palette.good("none red") };
            let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
            let cases = plural(cases.len(), "case");
            let of = chapter.map_or_else(|| cases.clone(), |chapter| format!("{cases} of `{chapter}`"));
            line!(out, "{}, {}{} of {}", red, out.palette.good(format!("{held} hold")), skipped, of)?;
            let [green, red] = standing.turned();
            for (name, ids, count) in [
                ("turned green", &green, out.palette.good(green.len().to_string())),
                ("turned red", &red, out.palette.bad(red.len().to_string())),
            ] {
                if let Some(first) = ids.get(..ids.len().min(TURNED_NAMED)).filter(|ids| !ids.is_empty()) {
                    let more = if ids.len() > TURNED_NAMED { ", ..." } else { "" };
                    line!(out, "{:12}  {}: {}{}", name, count, first.join(", "), more)?;
                }
            }
            Ok(())
        });
        let failure = self.text(|out| standing.shown().map_or(Ok(()), |case| failure_in_lines(out, case)));
        if self.is_terminal || self.last != [head.as_str(), &failure] {
            let after = self.text(|out| {
                line!(out, "{}", out.palette.faint(format!("{:.2} s after the change", after.as_secs_f64())))
            });
            let is_known = !self.is_terminal && failure == self.last[1];
            self.show(&(after + &head + if is_known { "" } else { &failure }));
        }
        self.last = [head, failure];
    }

    pub(crate) fn say(&mut self, why: Printable) {
        self.last = Default::default();
        let why = self.text(|out| line!(out, "{}", out.palette.bad(why)));
        self.show(&why);
    }

    /// What goes on now, in the last line of a terminal.
    pub(crate) fn note(&self, what: &str) {
        let what = self.text(|out| line!(out, "{}", out.palette.faint(what)));
        let what = if self.is_terminal { what.trim_end() } else { &what };
        print(what);
    }

    /// The text, wrapped to the width of the terminal.
    fn text(&self, write: impl FnOnce(&mut Lines<'_>) -> io::Result<()>) -> String {
        let mut written = Vec::new();
        let mut out = Wrapping::for_report(&mut written, &io::stdout());
        // Memory does not fail.
        _ = write(&mut Lines::new(&mut out, self.palette)).and_then(|()| out.flush());
        drop(out);
        String::from_utf8_lossy(&written).into_owned()
    }

    /// On a terminal as many lines as it has, the last left for a note.
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

/// Counts the cases judged.
#[derive(Debug)]
pub(crate) struct Count {
    draws: bool,
    cases: usize,
    judged: AtomicUsize,
}

impl Listener for Count {
    fn hear(&self, event: &Event<'_>) {
        if let (true, Event::Ended(_)) = (self.draws, event) {
            let judged = self.judged.fetch_add(1, Ordering::Relaxed) + 1;
            print(&format!("\r\u{1b}[Kjudging: {judged} of {}", self.cases));
        }
    }
}

fn print(text: &str) {
    let mut out = io::stdout().lock();
    // Ignores a closed standard output.
    _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}
