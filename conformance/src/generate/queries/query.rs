//! A question to a list: parameters in the order sent, and how they are spelled on the wire. Draws nothing.

use std::fmt::{self, Display, Formatter, Write as _};

use super::sample_books::MARKER;

/// One parameter, or nothing between two ampersands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; of an empty pair, empty.
    pub name: String,
    /// Its values, at least one; of an empty pair, none.
    pub values: Vec<String>,
    /// Whether several values are sent as one comma list, or else as repeated parameters.
    pub comma: bool,
    /// Whether even plain letters are percent-encoded.
    pub encoded: bool,
}

impl Parameter {
    fn spell(&self, out: &mut String) {
        let comma = if self.comma { "," } else { "&" };
        for (index, value) in self.values.iter().enumerate() {
            if index > 0 {
                out.push_str(comma);
            }
            if index == 0 || !self.comma {
                encode(&self.name, self.encoded, out);
                out.push('=');
            }
            encode(value, self.encoded, out);
        }
    }
}

/// A whole question.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query(pub Vec<Parameter>);

impl Query {
    /// The same question of the books of a marker alone.
    #[must_use]
    pub fn marked(&self, marker: &str) -> Self {
        let own = Parameter { name: MARKER.into(), values: vec![marker.into()], comma: false, encoded: false };
        Self([vec![own], self.0.clone()].concat())
    }

    /// The parameters of a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Parameter> {
        self.0.iter().filter(move |parameter| parameter.name == name)
    }

    /// The question without the parameters of these names.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|parameter| !names.contains(&parameter.name.as_str())).cloned().collect())
    }

    /// How many parameters it has; a repeated one counts once.
    pub fn count(&self) -> usize {
        let mut names: Vec<&str> = self.0.iter().map(|parameter| parameter.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.len()
    }
}

impl Display for Query {
    /// The query string, without the question mark.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, parameter) in self.0.iter().enumerate() {
            let mut text = String::new();
            parameter.spell(&mut text);
            write!(f, "{}{text}", if index > 0 { "&" } else { "" })?;
        }
        Ok(())
    }
}

/// Percent-encodes what has a meaning in a query, or all of it.
fn encode(text: &str, all: bool, out: &mut String) {
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-_.!*'()".contains(&byte);
        if plain && !all {
            out.push(char::from(byte));
        } else {
            // Writing into a text cannot fail.
            _ = write!(out, "%{byte:02X}");
        }
    }
}
