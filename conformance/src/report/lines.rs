//! Lines at a terminal, made by templates (`*.lines`) whose escaper makes each value harmless.

use std::io::{self, Write};

use askama::Template;

use crate::printable::{Printable, spelled, without_command};

escaper! {
    /// Spells values for a terminal, or for the log of a CI server.
    Line by spelled
}

/// Writes line by line, so that a report that is full ends the template.
pub(crate) fn write_lines(out: &mut (impl Write + ?Sized), lines: &impl Template) -> io::Result<()> {
    let mut out = Harmless { out, line: Vec::new() };
    Template::write_into(lines, &mut out)?;
    out.flush()
}

pub(crate) fn write_printable(out: &mut (impl Write + ?Sized), lines: &Printable) -> io::Result<()> {
    writeln!(Harmless { out, line: Vec::new() }, "{lines}")
}

/// Writes lines of printable text; prefixes those that a CI server would take for commands.
struct Harmless<'w, W: ?Sized> {
    out: &'w mut W,
    line: Vec<u8>,
}

impl<W: Write + ?Sized> Write for Harmless<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.flush()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        self.out.write_all(without_command(&String::from_utf8_lossy(&line)).as_bytes())
    }
}
