//! The values in generated books and queries: the same, so that queries find something. Draws nothing.

/// Titles that every locale orders alike: no two begin alike, and none needs a rule for a letter.
pub(super) const TITLES: [&str; 10] =
    ["Ábaco", "banana", "Dedal", "ébano", "faro del puerto", "Luna", "mar", "Olmo", "Río", "Zorro"];

/// Texts that careless comparisons confuse.
pub(super) const TOPICS: [&str; 12] = [
    "barco",
    "Barco",
    "barcos",
    " barco",
    "dado",
    "café",
    "cafe",
    "faro mayor",
    "FARO",
    "ÑANDÚ",
    "ñandú",
    "Ärger & Söhne = 1+1",
];

/// Notes for `q`: wildcards, digits, words that are values elsewhere.
pub(super) const NOTES: [&str; 7] =
    ["el f.ro", "un faro", "100% seguro", "visto en 1984", "es true", "f*o", "el Ñandú y la ÁRDEA"];

pub(super) const SEARCHES: [&str; 21] = [
    "faro", "FARO", "f.ro", "f*o", "0%", "f%o", "1984", "true", "ñandú", "ÑANDÚ", "nandu", "árdea", "cafe", "fé",
    "oculto", "brasa", "el faro", "uerto", "co", "zzz", "",
];

/// JSON values, a space between them, of a field that is a text, a number or a boolean: filters on it use loose equality.
pub(super) const CODES: &str =
    r#""5" "5.0" "5a" "-3.0" "1.50" "" "true" "false" "0" "1" "7" "null" 5 1.5 -3 0 1 7 true false "x" "X""#;

pub(super) const CODE_VALUES: [&str; 16] =
    ["5", "1.5", "-3", "0", "1", "7", "2", "true", "false", "TRUE", "False", "x", "5a", "null", "5.0", "-3.0"];

pub(super) const BOOLEANS: [&str; 2] = ["true", "false"];

pub(super) const BOOLEAN_VALUES: [&str; 4] = ["true", "false", "TRUE", "False"];

/// JSON values with a truth of some kind: filters on them use loose equality.
pub(super) const TRUTHS: [&str; 8] = ["true", "false", "1", "0", "7", "\"1\"", "\"0\"", "\"\""];

pub(super) const TRUTH_VALUES: [&str; 8] = ["true", "false", "1", "0", "7", "TRUE", "False", "no"];

/// Empty lists and objects as JSON, whose truth is JavaScript's.
pub(super) const CONTAINERS: [&str; 2] = ["[]", "{}"];

/// Numbers that sort otherwise as texts.
pub(super) const NUMBERS: [&str; 10] = ["9", "10", "11", "100", "2", "1.5", "-3", "0", "5", "7"];

/// Bounds, and values of fields named like bounds.
pub(super) const BOUNDS: [&str; 4] = ["5", "9", "7", "10"];

/// Days on which books appeared.
pub(super) const DAYS: [&str; 4] = ["2020-01-01", "2020-03-01", "2020-07-15", "2021-03-02"];

/// Days on which no book appeared, in years in which some did.
pub(super) const OTHER_DAYS: [&str; 3] = ["2020-03-02", "2021-07-15", "1999-12-31"];

/// Names for `sort`, each decided between any two books; `raro` only where there are two.
pub(super) const SORTS: [&str; 14] =
    ["orden", "-orden", "titulo", "-titulo", "n", "-n", "id", "-id", "--n", "nadie", "", "-nadie", "raro", "-raro"];

pub(super) const FIELDS: [&str; 10] = ["titulo", "n", "id", "orden", "nulo", "nadie", "", "cosas", "tema", "codigo"];

/// Values of page and limit besides small numbers.
pub(super) const ODD_NUMBERS: [&str; 12] =
    ["0", "-1", "-2", "abc", "100", "101", "99", "51", "150", "2.7", "2147483647", "1001"];
