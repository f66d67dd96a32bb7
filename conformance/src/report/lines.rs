//! Where reports write their lines: each value in a line is made harmless for the medium by the line itself.
//!
//! There is no other way to write there, and a text cannot name a value within itself, so that what is forgotten does not compile.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::marker::PhantomData;

use crate::printable::{Printable, spelled, without_command};

/// What reads the lines, and how a value in them is spelled for it.
pub(crate) trait Medium {
    fn spelled(text: &str) -> Cow<'_, str> {
        spelled(text)
    }

    fn finished(line: &str) -> Cow<'_, str> {
        without_command(line)
    }
}

/// A terminal, or the log of a CI server.
#[derive(Debug)]
pub(crate) enum Terminal {}

impl Medium for Terminal {}

pub(crate) struct Lines<'w, M> {
    out: &'w mut dyn Write,
    medium: PhantomData<M>,
}

impl<'w, M: Medium> Lines<'w, M> {
    pub(crate) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, medium: PhantomData }
    }

    /// A value as it may stand in a line here; for [`line!`].
    #[expect(clippy::unused_self, reason = "says by its type for which medium")]
    pub(crate) fn shown<'v, T: Show + ?Sized>(&self, value: &'v T) -> Shown<'v, M, T> {
        Shown { value, medium: PhantomData }
    }

    /// Writes what [`line!`] has made, and ends the line.
    pub(crate) fn write_line(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        let text = text.to_string();
        text.split('\n').try_for_each(|line| writeln!(self.out, "{}", M::finished(line)))
    }
}

/// A value on its way into a line.
#[derive(Debug)]
pub(crate) struct Shown<'v, M, T: ?Sized> {
    value: &'v T,
    medium: PhantomData<M>,
}

impl<M: Medium, T: Show + ?Sized> fmt::Display for Shown<'_, M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.show(M::spelled, f)
    }
}

pub(crate) trait Show {
    /// Writes it, its text as `spelled` by the medium.
    fn show(&self, spelled: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl Show for str {
    fn show(&self, spelled: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&spelled(self))
    }
}

impl Show for String {
    fn show(&self, spelled: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().show(spelled, f)
    }
}

/// Made printable before, coloured perhaps.
impl Show for Printable {
    fn show(&self, _: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Our own words, in which a medium's marks are meant.
#[derive(Debug)]
pub(crate) struct Own<T>(pub(crate) T);

impl<T: fmt::Display> Show for Own<T> {
    fn show(&self, _: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Show + ?Sized> Show for &T {
    fn show(&self, spelled: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).show(spelled, f)
    }
}

macro_rules! shown_as_numbers {
    ($($number:ty),+) => { $(
        impl Show for $number {
            fn show(&self, _: fn(&str) -> Cow<'_, str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )+ };
}
shown_as_numbers!(u16, u64, usize, f64);

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
        $out.write_line(format_args!($format $(, $out.shown(&$value))*))
    }};
}
pub(crate) use line;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_line_itself_ends_colours_and_commands() {
        let mut written = Vec::new();
        let out = &mut Lines::<Terminal>::new(&mut written);
        line!(out, "{:6}|{:>3}", "a\n", 7_u64).unwrap();
        line!(out, "{}\n{}", Printable::from("\u{1b}x").colored("1"), "::error::y").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "a\\n   |  7\n\u{1b}[1m\\x1bx\u{1b}[0m\n\\::error::y\n");
        assert!(names_nothing("{{}} {} {:>3}") && !names_nothing("{name}"));
    }
}
