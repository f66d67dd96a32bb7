//! A list query: its parameters in the order sent, and their spelling on the wire. Draws nothing.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::sample_books::MARKER;
use crate::http::request::{encode_component, percent_encoded};

/// One parameter; an empty pair has neither name nor values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub values: Vec<String>,
    /// Whether several values form one comma list, not repeated parameters.
    pub comma: bool,
    /// Whether even plain letters are percent-encoded.
    pub encoded: bool,
}

impl Parameter {
    /// The parameter once for each value.
    pub fn repeated(name: &str, values: &[&str]) -> Self {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        Self { name: name.to_owned(), values, comma: false, encoded: false }
    }

    /// The values between commas.
    pub fn list(name: &str, values: &[&str]) -> Self {
        Self { comma: true, ..Self::repeated(name, values) }
    }

    fn spelled(&self) -> String {
        let name = format!("{}=", encode(&self.name, self.encoded));
        let between = if self.comma { ",".to_owned() } else { format!("&{name}") };
        let values: Vec<String> = self.values.iter().map(|value| encode(value, self.encoded)).collect();
        if values.is_empty() { String::new() } else { name + &values.join(&between) }
    }
}

/// The field that a parameter filters by, if it is a filter.
pub(crate) fn filtered_field(parameter: &str) -> &str {
    ["min_", "max_", "is_"].iter().find_map(|start| parameter.strip_prefix(start)).unwrap_or(parameter)
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query(pub Vec<Parameter>);

impl Query {
    /// The fields that its filters name.
    pub fn fields(&self) -> Vec<&str> {
        self.0.iter().map(|parameter| filtered_field(&parameter.name)).collect()
    }

    /// The same query, restricted to the books of a marker.
    #[must_use]
    pub fn marked(&self, marker: &str) -> Self {
        Self([vec![Parameter::repeated(MARKER, &[marker])], self.0.clone()].concat())
    }

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
        self.0.iter().map(|parameter| parameter.name.as_str()).collect::<BTreeSet<_>>().len()
    }
}

impl Display for Query {
    /// The query string without the question mark.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(Parameter::spelled).collect::<Vec<_>>().join("&"))
    }
}

/// Percent-encodes characters with a meaning in a query, or all of them.
fn encode(text: &str, all: bool) -> String {
    if all { percent_encoded(text) } else { encode_component(text) }
}
