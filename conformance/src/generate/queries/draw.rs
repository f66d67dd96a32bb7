//! Draws list queries: each parameter alone and together with others. Decides nothing about their answers.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::{TestRng, TestRunner};

use super::base_queries::{base_queries, loose_queries};
use super::query::{Parameter, Query};
use super::sample_books::{BOOKS, shuffle};
use super::vocabulary::{
    BOOLEAN_VALUES, BOUNDS, DAYS, FIELDS, NUMBERS, ODD_NUMBERS, OTHER_DAYS, SEARCHES, SORTS, TITLES, TOPICS,
};

/// Which queries are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Queries that every implementation must answer alike, or in one of a few permitted ways, whatever its language's
    /// equality: filters and fields have one type.
    Agreed,
    /// Filters on fields of several types: their answers are JavaScript's loose equality and truthiness.
    Loose,
    /// Also queries that the documents leave open: for two implementations with the same readings.
    Open,
}

/// How many of ten draws are basic queries, until these are used up.
const DEALT_OF_TEN: u32 = 8;

/// The basic queries in random order, mixed with others, which shrink by leaving out parameters and values.
#[derive(Debug)]
pub struct Queries {
    base_queries: RefCell<Vec<Query>>,
    others: BoxedStrategy<Query>,
}

/// The queries of a domain.
pub fn queries(domain: Domain, dice: &mut TestRng) -> Queries {
    let mut base_queries = if domain == Domain::Loose { loose_queries() } else { base_queries() };
    shuffle(&mut base_queries, dice);
    Queries { base_queries: RefCell::new(base_queries), others: others(domain) }
}

impl Strategy for Queries {
    type Tree = Box<dyn ValueTree<Value = Query>>;
    type Value = Query;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let is_dealt = runner.rng().next_u32() % 10 < DEALT_OF_TEN;
        let dealt = if is_dealt { self.base_queries.borrow_mut().pop() } else { None };
        // A basic query cannot be shrunk.
        dealt.map_or_else(|| self.others.clone(), |query| Just(query).boxed()).new_tree(runner)
    }
}

fn others(domain: Domain) -> BoxedStrategy<Query> {
    let any = match domain {
        Domain::Loose => return select(loose_queries()).boxed(),
        Domain::Agreed => prop_oneof![6 => parameter().boxed(), 1 => empty_pair()].boxed(),
        Domain::Open => prop_oneof![5 => parameter().boxed(), 2 => open(), 1 => empty_pair()].boxed(),
    };
    // Few parameters find most faults: each further filter hides effects of the others.
    let many = prop_oneof![2 => Just(1_usize), 4 => Just(2), 4 => Just(4), 1 => Just(6)];
    let drawn = many.prop_flat_map(move |count| prop::collection::vec(any.clone(), 1..=count));
    drawn.prop_map(move |drawn| Query(if domain == Domain::Agreed { each_is_once(drawn) } else { drawn })).boxed()
}

/// The meaning of a repeated parameter is open: drops the repeats.
fn each_is_once(parameters: Vec<Parameter>) -> Vec<Parameter> {
    let mut kept: Vec<Parameter> = Vec::new();
    for parameter in parameters {
        let is_there = kept.iter().any(|earlier| earlier.name == parameter.name);
        let is_single = matches!(parameter.name.as_str(), "page" | "limit" | "q")
            || ["is_", "min_", "max_"].iter().any(|prefix| parameter.name.starts_with(prefix));
        if !(is_there && is_single) {
            kept.push(parameter);
        }
    }
    kept
}

fn parameter() -> BoxedStrategy<Parameter> {
    prop_oneof![
        10 => filter(),
        4 => several("q", one_of(&SEARCHES), 1, false),
        5 => bound(),
        3 => truth(),
        6 => sort(),
        3 => several("fields", one_of(&FIELDS), 3, true),
        3 => several("page", number(&["1", "2", "3"]), 1, false),
        4 => several("limit", number(&["1", "2", "5", "4", "3"]), 1, false),
    ]
    .boxed()
}

/// An equality filter: on fields of each kind, on unknown fields, on names that look like others.
fn filter() -> BoxedStrategy<Parameter> {
    let from = |name: &'static str, values| several(name, one_of(values), 3, true);
    let days: Vec<&str> = OTHER_DAYS.iter().chain(&DAYS).copied().collect();
    let pairs: Vec<String> = (0..BOOKS / 2).map(|pair| pair.to_string()).collect();
    prop_oneof![
        4 => from("tema", &TOPICS),
        5 => from("activo", &BOOLEAN_VALUES),
        2 => from("n", &NUMBERS),
        2 => from("titulo", &TITLES),
        3 => several("par", select(pairs).boxed(), 3, true),
        1 => from("nulo", &["x"]),
        1 => from("nadie", &["0", "false", "x"]),
        1 => from("ficha.nota", &["brasa", "ceniza"]),
        1 => from("toString", &["x"]),
        2 => several("fecha", select(days).prop_map(str::to_owned).boxed(), 1, false),
        1 => from("N", &["5", "9"]),
        1 => from("range", &["5"]),
        1 => from("min", &["5"]),
        1 => from("max", &["5"]),
        1 => several("nadie", Just(String::new()).boxed(), 1, false),
    ]
    .boxed()
}

fn one_of(values: &'static [&'static str]) -> BoxedStrategy<String> {
    select(values).prop_map(str::to_owned).boxed()
}

fn bound() -> BoxedStrategy<Parameter> {
    let name = select(vec!["min_n", "max_n", "min_raro", "max_raro", "min_nadie", "min_", "max_"]);
    (name, select(&BOUNDS[..]), any::<bool>())
        .prop_map(|(name, value, encoded)| plain(name, vec![value.to_owned()], false, encoded))
        .boxed()
}

fn truth() -> BoxedStrategy<Parameter> {
    let of_booleans = (select(vec!["is_activo", "is_raro"]), select(&BOOLEAN_VALUES[..]));
    prop_oneof![4 => of_booleans, 1 => Just(("is_tema", "no"))]
        .prop_map(|(name, value)| plain(name, vec![value.to_owned()], false, false))
        .boxed()
}

/// Mostly ends with a name that decides between any two books, since ties may come in any order.
fn sort() -> BoxedStrategy<Parameter> {
    let names = prop::collection::vec(select(&SORTS[..]), 0..=2);
    let last = prop_oneof![5 => Just("orden"), 2 => Just("-orden"), 1 => Just("id")];
    (names, last, any::<bool>())
        .prop_map(|(mut names, last, comma)| {
            names.push(last);
            plain("sort", names.into_iter().map(str::to_owned).collect(), comma, false)
        })
        .boxed()
}

fn number(usual: &'static [&'static str]) -> BoxedStrategy<String> {
    prop_oneof![3 => select(usual), 2 => select(&ODD_NUMBERS[..])].prop_map(str::to_owned).boxed()
}

/// One to `most` values, mostly one.
fn several(
    name: &'static str,
    value: BoxedStrategy<String>,
    most: usize,
    may_be_listed: bool,
) -> BoxedStrategy<Parameter> {
    let one = prop::collection::vec(value.clone(), 1..=1);
    let values = prop_oneof![2 => one, 1 => prop::collection::vec(value, 1..=most)];
    (values, any::<bool>(), prop::bool::weighted(0.1))
        .prop_map(move |(values, comma, encoded)| plain(name, values, comma && may_be_listed, encoded))
        .boxed()
}

fn empty_pair() -> BoxedStrategy<Parameter> {
    Just(plain("", Vec::new(), false, false)).boxed()
}

fn plain(name: &str, values: Vec<String>, comma: bool, encoded: bool) -> Parameter {
    Parameter { name: name.to_owned(), values, comma, encoded }
}

/// Parameters that readings answer differently.
fn open() -> BoxedStrategy<Parameter> {
    const NAMES: &str = "tema codigo activo verdad n nulo cosas ficha fecha q sort fields page limit \
        min_codigo max_tema min_nulo is_nulo is_cosas min_fecha titulo raro fechaCreacion id";
    let value = prop_oneof![
        3 => select(vec![
            "", " 5 ", "1e1", "0x10", "0b11", "Infinity", "-Infinity", "+5", "5.", ".5", "1_0", "NaN", "barco,", ",", "barco, dado", "a,b",
            "2020-02-30", "2020-13-01", "2020-03-01T00:00:00", "2020-03-01T00:00:00.000Z", "2020-03-01T01:00:00Z", "2020-07-15",
            "[object Object]", "oculto,barco", "ß", "SS", "İ", "raro", "-raro", "codigo", "-activo", "nulo", "cosas", " titulo", "2.7", "0.5",
            "2abc", "99999999999999999999", "-0", "null", "undefined",
        ])
        .prop_map(str::to_owned),
        1 => "[a-zñá0-9 ,.%+-]{0,4}",
    ];
    (select(NAMES.split(' ').collect::<Vec<_>>()), prop::collection::vec(value, 1..=2), any::<bool>(), any::<bool>())
        .prop_map(|(name, values, comma, encoded)| plain(name, values, comma, encoded))
        .boxed()
}
