//! Lines at a terminal, made by templates (`*.lines`) whose escaper makes each value harmless.

use std::fmt;
use std::io::{self, Write};

use askama::Template;
use askama::filters::Escaper;

use crate::printable::{Printable, spelled, without_command};

/// Spells values for a terminal, or for the log of a CI server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line;

impl Escaper for Line {
    fn write_escaped_str<W: fmt::Write>(&self, mut out: W, text: &str) -> fmt::Result {
        out.write_str(&spelled(text))
    }
}

pub(crate) fn write_lines(out: &mut (impl Write + ?Sized), lines: &impl Template) -> io::Result<()> {
    write_harmless(out, &lines.render().map_err(io::Error::other)?)
}

pub(crate) fn write_printable(out: &mut (impl Write + ?Sized), lines: &Printable) -> io::Result<()> {
    write_harmless(out, &format!("{lines}\n"))
}

/// Writes lines of printable text; none of them is a command of a CI server.
fn write_harmless(out: &mut (impl Write + ?Sized), text: &str) -> io::Result<()> {
    text.split_inclusive('\n').try_for_each(|line| write!(out, "{}", without_command(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Template)]
    #[template(source = "{{ value }}|{{ colored|safe }}\n{{ command }}\n", ext = "lines")]
    struct Lines {
        value: &'static str,
        colored: Printable,
        command: &'static str,
    }

    #[test]
    fn only_the_line_itself_ends_colours_and_commands() {
        let mut written = Vec::new();
        let colored = Printable::from("\u{1b}x").colored("1");
        write_lines(&mut written, &Lines { value: "a\n", colored, command: "::error::y" }).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), "a\\n|\u{1b}[1m\\x1bx\u{1b}[0m\n\\::error::y\n");
    }
}
