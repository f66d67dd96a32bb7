//! The words that histories and queries are drawn from, read from `vocabulary.toml`.

use std::sync::LazyLock;

use proptest::prelude::Strategy;
use proptest::sample::select;
use toml::Table;

static ALL: LazyLock<Table> = LazyLock::new(|| include_str!("vocabulary.toml").parse().unwrap());

/// The words of a table.
pub(crate) fn words(table: &str) -> Vec<String> {
    ALL[table].as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// One of them.
pub(crate) fn word(table: &str) -> impl Strategy<Value = String> + use<> {
    select(words(table))
}
