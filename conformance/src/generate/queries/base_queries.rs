//! The basic questions: each value of each parameter once, alone where it can be. A run asks all of them among its first few
//! hundred inputs, whatever the seed. Decides nothing about their answers.

use super::query::{Parameter, Query};
use super::sample_books::BOOKS;
use super::vocabulary::{BOUNDS, CODE_VALUES, DAYS, FIELDS, ODD_NUMBERS, OTHER_DAYS, SEARCHES, SORTS, TRUTH_VALUES};

/// Questions of one parameter with one value: `name` and what it is asked with.
const ALONE: [(&str, &[&str]); 26] = [
    ("q", &SEARCHES),
    ("codigo", &CODE_VALUES),
    ("activo", &TRUTH_VALUES),
    ("tema", &["barco", "café", "ñandú", "Ärger & Söhne = 1+1"]),
    ("titulo", &["Dedal", "Río"]),
    ("n", &["10", "-3"]),
    ("nulo", &["0", "false", "null"]),
    ("nadie", &["x"]),
    ("ficha.nota", &["brasa"]),
    ("toString", &["x"]),
    ("fecha", &OTHER_DAYS),
    ("fecha", &[DAYS[1]]),
    ("N", &["5"]),
    ("LIMIT", &["1"]),
    ("range", &["5"]),
    ("min", &["5"]),
    ("max", &["5"]),
    ("min_n", &BOUNDS),
    ("max_n", &BOUNDS),
    ("min_raro", &BOUNDS),
    ("max_raro", &BOUNDS),
    ("min_", &BOUNDS),
    ("is_tema", &["no"]),
    ("fields", &FIELDS),
    ("page", &ODD_NUMBERS),
    ("limit", &ODD_NUMBERS),
];

/// Questions of one parameter with several values, as one comma list and again as repeated parameters.
const LISTED: [(&str, &[&str]); 9] = [
    ("tema", &["barco", "dado", "FARO"]),
    ("codigo", &["5", "true", "x"]),
    ("codigo", &["false", "1.5"]),
    ("activo", &["true", "nada"]),
    ("par", &["0", "3", "7", "9"]),
    ("sort", &["-n", "titulo", "orden"]),
    ("sort", &["", "-titulo", "-orden"]),
    ("fields", &["titulo", "n"]),
    ("fields", &["", "nulo", "n"]),
];

/// Questions about the order of the steps, and about pages.
const TOGETHER: [&[(&str, &str)]; 22] = [
    &[("is_activo", "true"), ("limit", "100")],
    &[("is_activo", "false"), ("limit", "100")],
    &[("is_n", "true"), ("limit", "100")],
    &[("is_codigo", "false"), ("limit", "100")],
    &[("is_codigo", "true"), ("limit", "100")],
    &[("is_raro", "false"), ("limit", "100")],
    &[("is_raro", "true"), ("limit", "100")],
    &[("sort", "-orden"), ("fields", "titulo")],
    &[("sort", "titulo,orden"), ("fields", "id")],
    &[("tema", "barco"), ("fields", "n")],
    &[("activo", "1"), ("fields", "titulo")],
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
    &[("codigo", "1"), ("q", "o")],
];

/// All of them.
pub(super) fn base_queries() -> Vec<Query> {
    let one = |name: &str, values: &[&str], comma: bool| Parameter {
        name: name.to_owned(),
        values: values.iter().map(|value| (*value).to_owned()).collect(),
        comma,
        encoded: false,
    };
    let alone =
        ALONE.iter().flat_map(|(name, values)| values.iter().map(move |value| vec![one(name, &[value], false)]));
    let listed = LISTED.iter().flat_map(|(name, values)| [true, false].map(|comma| vec![one(name, values, comma)]));
    let together =
        TOGETHER.iter().map(|parameters| parameters.iter().map(|(name, value)| one(name, &[value], false)).collect());
    let sorts =
        SORTS.iter().filter(|name| !name.ends_with("raro")).map(|name| vec![one("sort", &[name, "orden"], true)]);
    let pairs = (0..BOOKS / 2).map(|pair| {
        let name = ["raro", "-raro"][pair % 2];
        vec![one("par", &[&pair.to_string()], false), one("sort", &[name, "n", "orden"], true)]
    });
    let nothing = std::iter::once(Vec::new());
    nothing.chain(alone).chain(listed).chain(together).chain(sorts).chain(pairs).map(Query).collect()
}
