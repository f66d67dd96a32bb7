//! A list query: its parameters in the order sent, and their spelling on the wire. Draws nothing.

use std::fmt::{self, Display, Formatter, Write as _};

use super::sample_books::MARKER;

/// One parameter; an empty pair has neither name nor values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// Whether several values form one comma list, not repeated parameters.
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

/// A whole query string.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query(pub Vec<Parameter>);

impl Query {
    /// The same query, restricted to the books of a marker.
    #[must_use]
    pub fn marked(&self, marker: &str) -> Self {
        let own = Parameter { name: MARKER.into(), values: vec![marker.into()], comma: false, encoded: false };
        Self([vec![own], self.0.clone()].concat())
    }

    /// The parameters of a name.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Parameter> {
        self.0.iter().filter(move |parameter| parameter.name == name)
    }

    /// The query without the parameters of these names.
    #[must_use]
    pub fn without(&self, names: &[&str]) -> Self {
        Self(self.0.iter().filter(|parameter| !names.contains(&parameter.name.as_str())).cloned().collect())
    }

    /// Number of parameters; a repeated one counts once.
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

/// Percent-encodes characters with a meaning in a query, or all of them.
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
