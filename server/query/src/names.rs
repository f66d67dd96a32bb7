//! Lists of field names, as `sort` and `fields` give them.

/// The names in the values of a parameter: split at commas, repetitions joined, empty ones skipped, spaces kept.
pub(super) fn split(values: &[impl AsRef<str>]) -> impl Iterator<Item = &str> {
    values
        .iter()
        // rule: list/sort-repeated, list/fields-repeated, list/name-spaces
        .flat_map(|value| value.as_ref().split(','))
        // rule: list/empty-names
        .filter(|name| !name.is_empty())
}
