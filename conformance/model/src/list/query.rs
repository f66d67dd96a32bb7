//! The raw query string as URLSearchParams reads it, and the names that its values list. Converts no value.

use percent_encoding::percent_decode_str;

use super::steps::ListSteps;

/// Every parameter name once, in order of first appearance, with its values in order.
pub struct Query(Vec<(String, Vec<String>)>);

impl Query {
    /// Reads `a=1&b=%20x+y`, without the question mark.
    pub fn parse(raw: &str, steps: &ListSteps) -> Self {
        let mut params: Vec<(String, Vec<String>)> = Vec::new();
        for pair in (steps.pairs)(raw) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = ((steps.name)(&(steps.decode)(name)), (steps.decode)(value));
            match params.iter_mut().find(|(known, _)| *known == name) {
                Some((_, values)) => values.push(value),
                None => params.push((name, vec![value])),
            }
        }
        Self(params)
    }

    /// All values of one parameter; empty when it is not there.
    pub fn all(&self, name: &str) -> &[String] {
        self.iter().find(|(known, _)| *known == name).map_or(&[], |(_, values)| values)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }
}

/// Percent-decodes; returns also whether every sequence was valid.
pub fn percent_decode(text: &str) -> (String, bool) {
    let is_hex = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|byte| byte.is_ascii_hexdigit());
    let decoded = percent_decode_str(text);
    let good = text.split('%').skip(1).all(is_hex) && decoded.clone().decode_utf8().is_ok();
    (decoded.decode_utf8_lossy().into_owned(), good)
}

/// The names in all values of `sort` or `fields`, each a comma list, in order; skips empty names.
pub fn names(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
