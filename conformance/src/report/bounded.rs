//! A report in memory, of bounded length. Writes unprintable characters as references of the format, where it has some.

use std::io::{self, Write};

use crate::printable::is_plain;

pub(super) const REPORT_BYTES_MAX: usize = 20 << 20;

/// Writes an unprintable character as a reference of the format, which readers turn back into the character.
pub(super) type Reference = fn(char) -> String;

/// `\u202e`
pub(super) fn json(c: char) -> String {
    c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect()
}

/// `&#x202e;`
pub(super) fn xml(c: char) -> String {
    format!("&#x{:x};", u32::from(c))
}

#[derive(Debug, Default)]
pub(super) struct Bounded {
    pub(super) bytes: Vec<u8>,
    reference: Option<Reference>,
    pub(super) is_full: bool,
}

impl Bounded {
    pub(super) fn with(reference: Reference) -> Self {
        Self { reference: Some(reference), ..Self::default() }
    }

    fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.bytes.len() + bytes.len() > REPORT_BYTES_MAX {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_kept = |c: char| is_plain(c) || matches!(c, '\n' | '\t');
        match (self.reference, std::str::from_utf8(bytes)) {
            (Some(reference), Ok(text)) if !text.chars().all(is_kept) || text.contains("##") => {
                let spelled: String =
                    text.chars().map(|c| if is_kept(c) { c.to_string() } else { reference(c) }).collect();
                // `##[` begins a command anywhere in a line of a CI log.
                self.push(spelled.replace("##", &format!("#{}", reference('#'))).as_bytes())?;
            }
            _ => self.push(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_grows_beyond_what_a_report_may_have() {
        let mut out = Bounded::default();
        let megabyte = vec![b'x'; 1 << 20];
        (0..20).for_each(|_| out.write_all(&megabyte).unwrap());
        assert!(out.write_all(b"x").is_err() && out.is_full);
    }
}
