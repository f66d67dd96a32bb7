//! The basic queries: each value of each parameter once, alone if possible. Every run sends all of them among its first
//! few hundred inputs, whatever the seed. Decides nothing about their answers.

use super::query::{Parameter, Query};
use super::sample_books::BOOKS;
use super::vocabulary::{
    BOOLEAN_VALUES, BOUNDS, CODE_VALUES, DAYS, FIELDS, ODD_NUMBERS, OTHER_DAYS, SEARCHES, SORTS, TRUTH_VALUES,
};

/// Queries of one parameter with one value: the name and the values.
const ALONE: [(&str, &[&str]); 25] = [
    ("q", &SEARCHES),
    ("activo", &BOOLEAN_VALUES),
    ("tema", &["barco", "café", "ñandú", "Ärger & Söhne = 1+1"]),
    ("titulo", &["Dedal", "Río"]),
    ("n", &["10", "-3", "1.5"]),
    ("nulo", &["x"]),
    ("nadie", &["x"]),
    ("ficha.nota", &["brasa"]),
    ("toString", &["x"]),
    ("fecha", &OTHER_DAYS),
    ("fecha", &[DAYS[1]]),
    ("N", &["5"]),
    ("range", &["5"]),
    ("min", &["5"]),
    ("max", &["5"]),
    ("min_n", &BOUNDS),
    ("max_n", &BOUNDS),
    ("min_raro", &BOUNDS),
    ("max_raro", &BOUNDS),
    ("min_", &BOUNDS),
    ("max_", &BOUNDS),
    ("is_tema", &["no"]),
    ("fields", &FIELDS),
    ("page", &ODD_NUMBERS),
    ("limit", &ODD_NUMBERS),
];

/// Queries of one parameter with several values, sent as a comma list and as repeated parameters.
const LISTED: [(&str, &[&str]); 9] = [
    ("tema", &["barco", "dado", "FARO"]),
    ("n", &["5", "1.5", "200"]),
    ("activo", &["true", "nada"]),
    ("activo", &["false", "true"]),
    ("par", &["0", "3", "7", "9"]),
    ("sort", &["-n", "titulo", "orden"]),
    ("sort", &["", "-titulo", "-orden"]),
    ("fields", &["titulo", "n"]),
    ("fields", &["", "nulo", "n"]),
];

/// Queries about the order of the steps, and about pages.
const TOGETHER: [&[(&str, &str)]; 19] = [
    &[("is_activo", "true"), ("limit", "100")],
    &[("is_activo", "false"), ("limit", "100")],
    &[("is_raro", "false"), ("limit", "100")],
    &[("is_raro", "true"), ("limit", "100")],
    &[("sort", "-orden"), ("fields", "titulo")],
    &[("sort", "titulo,orden"), ("fields", "id")],
    &[("tema", "barco"), ("fields", "n")],
    &[("activo", "true"), ("fields", "titulo")],
    &[("sort", "orden"), ("limit", "3")],
    &[("sort", "-orden"), ("page", "2")],
    &[("tema", "barco"), ("limit", "1")],
    &[("par", "2"), ("limit", "2")],
    &[("n", "5,7,9,10"), ("limit", "2")],
    &[("page", "2"), ("limit", "5")],
    &[("page", "3"), ("limit", "10")],
    &[("page", "2"), ("limit", "13")],
    &[("nadie", "x"), ("page", "3")],
    &[("tema", "barco,dado"), ("activo", "true")],
    &[("n", "5"), ("q", "o")],
];

/// Queries whose answer depends on loose equality or truthiness: one filter on a field of several types.
const LOOSE: [(&str, &[&str]); 7] = [
    ("codigo", &CODE_VALUES),
    ("verdad", &TRUTH_VALUES),
    ("nulo", &["0", "false", "null"]),
    ("is_codigo", &["true", "false"]),
    ("is_verdad", &["true", "false"]),
    ("is_caja", &["true", "false"]),
    ("is_n", &["7", "0"]),
];

fn one(name: &str, values: &[&str], comma: bool) -> Parameter {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    Parameter { name: name.to_owned(), values, comma, encoded: false }
}

/// The loose queries, each with a page that holds all its books.
pub(super) fn loose_queries() -> Vec<Query> {
    let query = |name, value| Query(vec![one(name, &[value], false), one("limit", &["100"], false)]);
    LOOSE.iter().flat_map(|(name, values)| values.iter().map(move |value| query(name, value))).collect()
}

pub(super) fn base_queries() -> Vec<Query> {
    let plain = |name: &str, value: &str| one(name, &[value], false);
    let alone = ALONE.iter().flat_map(|(name, values)| values.iter().map(move |value| vec![plain(name, value)]));
    let listed = LISTED.iter().flat_map(|(name, values)| [true, false].map(|comma| vec![one(name, values, comma)]));
    let together = TOGETHER.iter().map(|pairs| pairs.iter().map(|(name, value)| plain(name, value)).collect());
    let sorts = SORTS.iter().filter(|name| !name.ends_with("raro"));
    let sorts = sorts.map(|name| vec![one("sort", &[name, "orden"], true)]);
    let pairs = (0..BOOKS / 2).map(|pair| {
        let name = ["raro", "-raro"][pair % 2];
        vec![one("par", &[&pair.to_string()], false), one("sort", &[name, "n", "orden"], true)]
    });
    // Every order of two books is decided, even after an empty name.
    let after_empty_name = (0..BOOKS / 2).map(|pair| {
        vec![one("par", &[&pair.to_string()], false), one("sort", &["", ["orden", "-orden"][pair % 2]], true)]
    });
    let nothing = std::iter::once(Vec::new());
    let questions =
        nothing.chain(alone).chain(listed).chain(together).chain(sorts).chain(pairs).chain(after_empty_name);
    questions.map(Query).collect()
}
