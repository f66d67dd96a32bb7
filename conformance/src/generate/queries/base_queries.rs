//! The basic queries: each value of each parameter once, alone if possible. Every run sends all of them among its first
//! few hundred inputs, whatever the seed. Decides nothing about their answers.

use super::query::{Parameter, Query};
use super::sample_books::BOOKS;
use super::vocabulary::VOCABULARY;

fn plain(name: &str, value: &str) -> Parameter {
    Parameter::repeated(name, &[value])
}

/// The loose queries, each with a page that holds all its books.
pub(super) fn loose_queries() -> Vec<Query> {
    let query = |name, value| Query(vec![plain(name, value), plain("limit", "100")]);
    let loose = VOCABULARY.queries.loose.iter();
    loose.flat_map(|(name, values)| values.iter().map(move |value| query(name, value))).collect()
}

pub(super) fn base_queries() -> Vec<Query> {
    let asked = &VOCABULARY.queries;
    let alone = asked.alone.iter().flat_map(|(name, values)| values.iter().map(move |value| vec![plain(name, value)]));
    let listed = asked.listed.iter().flat_map(|(name, values)| {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        [Parameter::list, Parameter::repeated].map(|spelled| vec![spelled(name, &values)])
    });
    let together = asked.together.iter().map(|query| {
        query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| plain(name, value)).collect()
    });
    let sorts = asked.sorted.iter().map(|name| vec![Parameter::list("sort", &[name, "orden"])]);
    let pairs = (0..BOOKS / 2).map(|pair| {
        let name = ["raro", "-raro"][pair % 2];
        vec![plain("par", &pair.to_string()), Parameter::list("sort", &[name, "n", "orden"])]
    });
    // Every order of two books is decided, even after an empty name.
    let after_empty_name = (0..BOOKS / 2).map(|pair| {
        vec![plain("par", &pair.to_string()), Parameter::list("sort", &["", ["orden", "-orden"][pair % 2]])]
    });
    let nothing = std::iter::once(Vec::new());
    let questions =
        nothing.chain(alone).chain(listed).chain(together).chain(sorts).chain(pairs).chain(after_empty_name);
    questions.map(Query).collect()
}
