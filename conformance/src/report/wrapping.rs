//! Wraps long lines at the width of the terminal, and indents their further lines. Changes no word.
//!
//! Never wraps commands to be copied. In a pipe, a report has the width `COLUMNS`, else 80, and keeps the lines of exchanges whole,
//! since programs read them; error messages are not wrapped there at all.

use std::io::{self, IsTerminal, Write};

use textwrap::{Options, WordSplitter};

use crate::printable::without_command;

/// A narrower terminal counts as one of this width.
const COLUMNS_MIN: usize = 40;
/// The width in a pipe, unless `COLUMNS` says otherwise.
const COLUMNS_OF_A_PIPE: usize = 80;
/// The columns where the text begins behind the labels of a failure and of an explanation.
const TEXT_COLUMNS: [usize; 2] = [9, 12];
/// Labels of what is meant to be copied.
const COPIED: [&str; 4] = ["again", "more", "run", "try"];

#[derive(Debug)]
pub(crate) struct Wrapping<W: Write> {
    out: W,
    /// `None` if nothing is to be wrapped.
    columns: Option<usize>,
    keeps_exchanges: bool,
    line: Vec<u8>,
}

impl<W: Write> Wrapping<W> {
    /// Wraps only on a terminal; `out` writes to `stream`.
    pub(crate) fn for_terminal(out: W, stream: &impl IsTerminal) -> Self {
        Self { out, columns: columns_of_terminal(stream), keeps_exchanges: false, line: Vec::new() }
    }

    /// Wraps on a terminal and in a pipe.
    pub(crate) fn for_report(out: W, stream: &impl IsTerminal) -> Self {
        let keeps_exchanges = columns_of_terminal(stream).is_none();
        Self { out, columns: Some(columns_of_report(stream)), keeps_exchanges, line: Vec::new() }
    }
}

/// How wide a report is on a terminal, or in a pipe.
pub(crate) fn columns_of_report(stream: &impl IsTerminal) -> usize {
    let set = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns_of_terminal(stream).or_else(set).unwrap_or(COLUMNS_OF_A_PIPE).max(COLUMNS_MIN)
}

/// `None` if `stream` is not a terminal.
fn columns_of_terminal(stream: &impl IsTerminal) -> Option<usize> {
    let size = if stream.is_terminal() { terminal_size::terminal_size() } else { None };
    size.map(|(width, _)| usize::from(width.0).max(COLUMNS_MIN))
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(columns) = self.columns else { return self.out.write(bytes) };
        self.line.extend_from_slice(bytes);
        let ended = self.line.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let rest = self.line.split_off(ended);
        let lines = std::mem::replace(&mut self.line, rest);
        for line in String::from_utf8_lossy(&lines).split_terminator('\n') {
            if self.keeps_exchanges && is_of_exchange(line) {
                writeln!(self.out, "{line}")?;
            } else {
                writeln!(self.out, "{}", wrapped(line, columns))?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&std::mem::take(&mut self.line))?;
        self.out.flush()
    }
}

/// Whether the line is one that was sent or that came: `    > GET /`, `  ! < 200`.
fn is_of_exchange(line: &str) -> bool {
    let plain = without_color(line);
    let text = plain.strip_prefix("  ").and_then(|rest| rest.strip_prefix(['!', ' '])).unwrap_or_default();
    text.starts_with(" > ") || text.starts_with(" < ")
}

/// How many rows a text takes on a terminal of `columns` columns: the terminal wraps lines that are kept whole.
pub(super) fn rows(text: &str, columns: usize) -> usize {
    let rows_of = |line: &str| textwrap::core::display_width(&without_color(line)).div_ceil(columns).max(1);
    text.lines().map(|line| wrapped(line, columns).lines().map(rows_of).sum::<usize>().max(1)).sum()
}

fn wrapped(line: &str, columns: usize) -> String {
    let plain = without_color(line);
    let label = plain.trim_start().split(' ').next().unwrap_or_default();
    let is_short = textwrap::core::display_width(&plain) <= columns;
    if is_short || plain.starts_with("  ") && COPIED.contains(&label) {
        return line.to_owned();
    }
    let indent = " ".repeat(text_column(&plain));
    // Only values may be cut anywhere: other long words are ids and paths, which stay whole to be copied.
    let is_value = ["want", "got"].contains(&label) || is_of_exchange(line);
    let options = Options::new(columns)
        .subsequent_indent(&indent)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(is_value);
    let lines = textwrap::wrap(line, options);
    lines.iter().map(|line| without_command(line)).collect::<Vec<_>>().join("\n")
}

/// The column in which the text of a line begins: behind its label, else a little further in than the line itself.
fn text_column(line: &str) -> usize {
    let is_behind_label = |column: &&usize| {
        let label = line.strip_prefix("  ").and_then(|rest| rest.get(..**column - 2)).unwrap_or_default();
        let word = label.trim_end();
        !word.is_empty() && word.len() < label.len() && word.chars().all(char::is_alphabetic)
    };
    let text = |column: &&usize| !line[**column..].starts_with(' ');
    let found = TEXT_COLUMNS.iter().filter(is_behind_label).find(text);
    found.copied().unwrap_or_else(|| line.len() - line.trim_start().len() + 2)
}

fn without_color(line: &str) -> String {
    let mut plain = String::new();
    let mut rest = line;
    while let Some((before, code)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = code.split_once('m').map_or("", |(_, after)| after);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_lines_stand_below_the_text_of_the_first() {
        for (line, lines) in [
            ("  want   one two three", "  want   one two\n         three"),
            ("  differ at character 9", "  differ at\n         character 9"),
            ("  declared  one two three", "  declared  one two\n            three"),
            ("    a sentence of prose", "    a sentence of\n      prose"),
            ("  again  curl -si http://h:1/a", "  again  curl -si http://h:1/a"),
            ("  short", "  short"),
        ] {
            assert_eq!(wrapped(line, 20), lines);
        }
    }

    #[test]
    fn colour_takes_no_column() {
        let line = "  \u{1b}[1;31mwant   one two\u{1b}[0m";
        assert_eq!((wrapped(line, 17).as_str(), without_color(line).as_str()), (line, "  want   one two"));
    }

    fn written(columns: Option<usize>, keeps_exchanges: bool, text: &str) -> String {
        let mut written = Vec::new();
        let mut out = Wrapping { out: &mut written, columns, keeps_exchanges, line: Vec::new() };
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn what_is_no_terminal_gets_what_was_written() {
        let no_terminal = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(Wrapping::for_terminal(Vec::new(), &no_terminal).columns, None);
        let line = format!("{}\n", "word ".repeat(100));
        assert_eq!(written(None, false, &line), line);
    }

    #[test]
    fn in_a_pipe_prose_is_wrapped_and_an_exchange_stays_whole() {
        let exchange = "    < {\"one\": \"two three\"}\n\u{1b}[31m  ! < {\"one\": \"two three\"}\u{1b}[0m\n";
        let text = written(Some(20), true, &format!("  want   one two three\n{exchange}"));
        assert_eq!(text.lines().count(), 4, "{text}");
    }

    #[test]
    fn a_value_that_is_too_long_is_broken_and_an_id_stays_whole() {
        let text = written(Some(20), false, &format!("  got    {}\n", "x".repeat(25)));
        assert!(text.lines().all(|line| line.chars().count() <= 20) && text.matches('x').count() == 25, "{text}");
        let id = "paging::limit_above_100_is_clamped";
        assert_eq!(wrapped(&format!("  where  in {id}"), 20), format!("  where  in\n         {id}"));
    }
}
