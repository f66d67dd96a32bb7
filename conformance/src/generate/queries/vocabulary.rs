//! The values of generated books and queries, from `vocabulary.toml`. Both take the same values, so that queries find books.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
pub(super) struct Vocabulary {
    pub(super) books: IndexMap<String, Dealt>,
    pub(super) queries: Asked,
}

/// The values of a field, and how many books lack it.
#[derive(Deserialize)]
pub(super) struct Dealt {
    pub(super) values: Vec<Value>,
    #[serde(default)]
    pub(super) lacking: usize,
}

/// Values by the name of their parameter, or queries.
#[derive(Deserialize)]
pub(super) struct Asked {
    pub(super) alone: IndexMap<String, Vec<String>>,
    pub(super) listed: Vec<(String, Vec<String>)>,
    pub(super) together: Vec<String>,
    pub(super) sorted: Vec<String>,
    pub(super) loose: IndexMap<String, Vec<String>>,
    pub(super) open: Open,
}

/// Names and values that readings answer differently.
#[derive(Deserialize)]
pub(super) struct Open {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<String>,
}

pub(super) static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    toml::from_str(include_str!("vocabulary.toml")).unwrap_or_else(|why| panic!("vocabulary.toml: {why}"))
});
