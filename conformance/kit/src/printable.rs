//! Escapes text that is not ours for terminals, CI logs and pages; nothing else does.
//!
//! Escapes control characters, line ends, combining and bidirectional marks, and invisible characters: `\n`, `\x1b`, `\u{301}`.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Whether a character is visible, moves nothing around it and is no line end.
pub fn is_plain(c: char) -> bool {
    let is_invisible = matches!(
        c,
        '\u{ad}' | '\u{300}'..='\u{36f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{20d0}'..='\u{20ff}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e01ef}'
    );
    let is_no_other_space = !c.is_whitespace() || matches!(c, ' ' | '\u{3000}');
    !c.is_control() && !is_invisible && is_no_other_space
}

/// Escapes a text to one line. Also escapes `##`, since `##[` begins a command anywhere in a line of a CI log.
pub fn spelled(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) && !text.contains("##") {
        return Cow::Borrowed(text);
    }
    let mut spelled = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(&mut spelled, c));
    Cow::Owned(spelled.replace("##", r"#\x23"))
}

fn push(spelled: &mut String, c: char) {
    match c {
        '\n' => spelled.push_str(r"\n"),
        '\r' => spelled.push_str(r"\r"),
        '\t' => spelled.push_str(r"\t"),
        c if is_plain(c) => spelled.push(c),
        c if u32::from(c) < 0x100 => _ = write!(spelled, r"\x{:02x}", u32::from(c)),
        c => _ = write!(spelled, r"\u{{{:x}}}", u32::from(c)),
    }
}

/// Prefixes a line that a CI server could take for a command, `::error::` after any space, with a backslash.
pub fn without_command(line: &str) -> Cow<'_, str> {
    let text = line.trim_start();
    if !text.starts_with("::") {
        return line.into();
    }
    Cow::Owned(format!("{}\\{text}", &line[..line.len() - text.len()]))
}

/// Escaped text; the only line ends and colours in it are our own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printable(String);

impl Printable {
    /// Escapes bytes; invalid UTF-8 becomes `\xNN`.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        let mut text = String::new();
        for chunk in bytes.utf8_chunks() {
            text.push_str(&spelled(chunk.valid()));
            chunk.invalid().iter().for_each(|byte| _ = write!(text, r"\x{byte:02x}"));
        }
        Self(text)
    }

    /// Escapes each line and keeps the line ends, for messages of a parser about a user's own file.
    pub fn of_lines(text: &str) -> Self {
        Self(text.lines().map(spelled).collect::<Vec<_>>().join("\n"))
    }

    #[must_use]
    pub fn and(mut self, more: impl Into<Self>) -> Self {
        self.0.push_str(&more.into().0);
        self
    }

    #[must_use]
    pub fn and_line(mut self, line: impl Into<Self>) -> Self {
        self.0.push_str("\n  ");
        self.and(line)
    }

    pub fn joined(texts: impl IntoIterator<Item = Self>, between: &str) -> Self {
        Self(texts.into_iter().map(|text| text.0).collect::<Vec<_>>().join(&spelled(between)))
    }

    pub fn colored(self, code: &str) -> Self {
        Self(format!("\u{1b}[{code}m{}\u{1b}[0m", self.0))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: AsRef<str>> From<T> for Printable {
    fn from(text: T) -> Self {
        Self(spelled(text.as_ref()).into_owned())
    }
}

impl fmt::Display for Printable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_moves_colours_or_hides_text_is_spelled_out_and_the_rest_stays() {
        for (text, printed) in [
            ("año, 日本語, `\\n`", "año, 日本語, `\\n`"),
            ("a\r\n\tb\u{7f}", r"a\r\n\tb\x7f"),
            ("\u{1b}]0;x\u{7}\0", r"\x1b]0;x\x07\x00"),
            ("\u{9b}31m", r"\x9b31m"),
            ("\u{202e}txt.exe\u{2066}\u{200f}", r"\u{202e}txt.exe\u{2066}\u{200f}"),
            ("a\u{20dd}\u{3164}\u{fe0f}\u{e0100}", r"a\u{20dd}\u{3164}\u{fe0f}\u{e0100}"),
            ("##[error]", r"#\x23[error]"),
        ] {
            assert_eq!(Printable::from(text).as_str(), printed);
        }
        assert_eq!(Printable::of_bytes(b"a\xe9\x1b[1m\r\n").as_str(), r"a\xe9\x1b[1m\r\n");
    }

    #[test]
    fn a_line_is_no_command_of_a_ci_server() {
        assert_eq!(without_command("  ::error::x"), r"  \::error::x");
        assert_eq!(without_command("paging::x"), "paging::x");
    }
}
