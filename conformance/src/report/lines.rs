//! Lines at a terminal: each value in a line is made harmless by the line itself.
//!
//! There is no other way to write there, and a text cannot name a value within itself, so that what is forgotten does not compile.

use std::fmt;
use std::io::{self, Write};

use crate::printable::{Printable, spelled, without_command};
use crate::report::color::Palette;

/// Lines for a terminal, or for the log of a CI server.
pub(crate) struct Lines<'w> {
    out: &'w mut dyn Write,
    pub(crate) palette: Palette,
}

impl<'w> Lines<'w> {
    pub(crate) fn new(out: &'w mut dyn Write, palette: Palette) -> Self {
        Self { out, palette }
    }

    /// Writes what [`line!`] has made, and ends the line.
    pub(crate) fn write_line(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let text = text.to_string();
        text.split('\n').try_for_each(|line| writeln!(self.out, "{}", without_command(line)))
    }
}

/// A value on its way into a line.
#[derive(Debug)]
pub(crate) struct Shown<'v, T: ?Sized>(pub(crate) &'v T);

impl<T: Show + ?Sized> fmt::Display for Shown<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.show(f)
    }
}

pub(crate) trait Show {
    /// Writes it, harmless.
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Show for str {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&spelled(self))
    }
}

impl Show for String {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().show(f)
    }
}

impl<T: Show + ?Sized> Show for &T {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).show(f)
    }
}

macro_rules! harmless {
    ($($value:ty),+) => { $(
        impl Show for $value {
            fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )+ };
}
harmless!(Printable, u16, u64, usize, f64);

/// Whether a format names no value within itself: such a one would stand in the line as it is.
pub(crate) const fn names_nothing(format: &str) -> bool {
    let bytes = format.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' {
            at += 1;
            if bytes[at] != b'{' && bytes[at] != b'}' && bytes[at] != b':' {
                return false;
            }
        }
        at += 1;
    }
    true
}

/// Writes a line as `writeln!` does, its values made harmless for what reads it. Values stand behind the text, none within it.
macro_rules! line {
    ($out:expr) => { line!($out, "") };
    ($out:expr, $format:literal $(, $value:expr)* $(,)?) => {{
        const _: () = assert!($crate::report::lines::names_nothing($format), "values stand behind a line's text, not in it");
        $out.write_line(format_args!($format $(, $crate::report::lines::Shown(&$value))*))
    }};
}
pub(crate) use line;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_itself_ends_colours_and_commands() {
        let mut written = Vec::new();
        let out = &mut Lines::new(&mut written, Palette::PLAIN);
        line!(out, "{:6}|{:>3}", "a\n", 7_u64).unwrap();
        line!(out, "{}\n{}", Printable::from("\u{1b}x").colored("1"), "::error::y").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "a\\n   |  7\n\u{1b}[1m\\x1bx\u{1b}[0m\n\\::error::y\n");
        assert!(names_nothing("{{}} {} {:>3}") && !names_nothing("{name}"));
    }
}
