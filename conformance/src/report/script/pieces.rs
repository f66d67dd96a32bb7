//! Texts of a request in which some parts are known only when the script runs, and how a POSIX shell is told them.

use std::fmt::Write as _;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Always the same.
    Bytes(Vec<u8>),
    /// The value of that variable.
    Variable(String),
    /// What that command says.
    Command(String),
}

/// A text in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pieces(Vec<Piece>);

impl Pieces {
    /// Adds a byte that is always the same.
    pub(super) fn push_byte(&mut self, byte: u8) {
        match self.0.last_mut() {
            Some(Piece::Bytes(bytes)) => bytes.push(byte),
            _ => self.0.push(Piece::Bytes(vec![byte])),
        }
    }

    /// Adds bytes that are always the same.
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.push_byte(*byte));
    }

    /// Adds what a variable holds.
    pub(super) fn push_variable(&mut self, name: &str) {
        self.0.push(Piece::Variable(name.to_owned()));
    }

    /// Adds what a command says.
    pub(super) fn push_command(&mut self, command: String) {
        self.0.push(Piece::Command(command));
    }

    /// Whether all of it is known beforehand.
    pub(super) fn is_fixed(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Bytes(_)))
    }

    /// Whether a shell's word can hold it: no NUL byte, and no newline at its end where it stands in a command.
    pub(super) fn fits_a_word(&self) -> bool {
        self.0.iter().all(|piece| !matches!(piece, Piece::Bytes(bytes) if bytes.contains(&0)))
    }

    /// One word of a POSIX shell.
    pub(super) fn word(&self) -> String {
        let mut word = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Bytes(bytes) => push_quoted(&mut word, bytes),
                Piece::Variable(name) => _ = write!(word, "\"${{{name}}}\""),
                Piece::Command(command) => _ = write!(word, "\"$({command})\""),
            }
        }
        if word.is_empty() { "''".to_owned() } else { word }
    }

    /// A command that writes it to a file byte for byte, whatever bytes those are.
    pub(super) fn printed_to(&self, file: &str) -> String {
        let mut format = String::new();
        let mut arguments = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Bytes(bytes) => bytes.iter().for_each(|byte| push_octal(&mut format, *byte)),
                Piece::Variable(name) => {
                    format.push_str("%s");
                    _ = write!(arguments, " \"${{{name}}}\"");
                }
                Piece::Command(command) => {
                    format.push_str("%s");
                    _ = write!(arguments, " \"$({command})\"");
                }
            }
        }
        format!("printf '{format}'{arguments} > {file}")
    }
}

impl From<&str> for Pieces {
    fn from(text: &str) -> Self {
        let mut pieces = Self::default();
        pieces.push_bytes(text.as_bytes());
        pieces
    }
}

impl Extend<Piece> for Pieces {
    fn extend<T: IntoIterator<Item = Piece>>(&mut self, pieces: T) {
        for piece in pieces {
            match piece {
                Piece::Bytes(bytes) => self.push_bytes(&bytes),
                other => self.0.push(other),
            }
        }
    }
}

impl IntoIterator for Pieces {
    type Item = Piece;
    type IntoIter = std::vec::IntoIter<Piece>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// In single quotes; bytes that are no text come out of `printf`.
fn push_quoted(word: &mut String, bytes: &[u8]) {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    for chunk in bytes.utf8_chunks() {
        let text = chunk.valid();
        if text.chars().all(is_plain) {
            word.push_str(text);
        } else {
            _ = write!(word, "'{}'", text.replace('\'', r"'\''"));
        }
        if !chunk.invalid().is_empty() {
            word.push_str("\"$(printf '");
            chunk.invalid().iter().for_each(|byte| _ = write!(word, "\\{byte:03o}"));
            word.push_str("')\"");
        }
    }
}

fn push_octal(format: &mut String, byte: u8) {
    match byte {
        b'%' => format.push_str("%%"),
        b'\\' | b'\'' => _ = write!(format, "\\{byte:03o}"),
        0x20..=0x7e => format.push(char::from(byte)),
        _ => _ = write!(format, "\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_survives_quotes_and_bytes_that_are_no_text() {
        let mut pieces = Pieces::from("it's ");
        pieces.push_variable("id_1");
        pieces.push_bytes(b"\xe9.");
        assert_eq!(pieces.word(), r#"'it'\''s '"${id_1}""$(printf '\351')"."#);
        assert!(!pieces.is_fixed() && pieces.fits_a_word());
        assert_eq!(pieces.printed_to("f"), r#"printf 'it\047s %s\351.' "${id_1}" > f"#);
        assert_eq!(Pieces::from("").word(), "''");
    }
}
