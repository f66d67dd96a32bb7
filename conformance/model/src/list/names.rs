//! The names that `sort` and `fields` list. Orders and selects nothing.

/// Of all values, each a comma list, in order; empty names are passed over.
pub fn names(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
