//! Draws list queries: the basic ones alone, and together with others. Decides nothing about their answers.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{NewTree, ValueTree};
use proptest::test_runner::{TestRng, TestRunner};

use super::base_queries::{base_queries, loose_queries};
use super::query::{Parameter, Query, filtered_field};
use super::sample_books::shuffle;
use super::vocabulary::{Open, VOCABULARY};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Domain {
    /// Queries that all implementations must answer alike, or in a few permitted ways: filters and fields have one type.
    Agreed,
    /// Filters on fields of several types: their answers are JavaScript's loose equality and truthiness.
    Loose,
    /// Also queries that the documents leave open: for two implementations with the same readings.
    Open,
}

/// How many of ten draws are basic queries, until all were drawn.
const DEALT_OF_TEN: u32 = 8;

/// Deals each basic query once, in random order, and in between combinations of several, which shrink by dropping parameters.
#[derive(Debug)]
pub struct Queries {
    base_queries: RefCell<Vec<Query>>,
    others: BoxedStrategy<Query>,
}

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
    if domain == Domain::Loose {
        return select(loose_queries()).boxed();
    }
    let spelled = |(Query(basic), encoded): (Query, bool)| -> Vec<Parameter> {
        basic.into_iter().map(|parameter| Parameter { encoded, ..parameter }).collect()
    };
    let basic = (select(base_queries()), prop::bool::weighted(0.1)).prop_map(spelled);
    let empty_pair = Just(vec![Parameter::repeated("", &[])]);
    let any = match domain {
        Domain::Open => prop_oneof![5 => basic, 2 => open().prop_map(|one| vec![one]), 1 => empty_pair].boxed(),
        _ => prop_oneof![6 => basic, 1 => empty_pair].boxed(),
    };
    // Few parameters find most faults: each further filter hides effects of the others.
    let many = prop_oneof![2 => Just(1_usize), 4 => Just(2), 4 => Just(4), 1 => Just(6)];
    let drawn = many.prop_flat_map(move |count| prop::collection::vec(any.clone(), 1..=count));
    let joined = drawn.prop_map(|drawn| drawn.concat());
    joined.prop_map(move |drawn| Query(each_is_once(drawn, domain))).boxed()
}

/// Drops repeats whose meaning is open. A repeated `sort` or `fields` is open where one of them is a comma list; no reading covers that.
fn each_is_once(parameters: Vec<Parameter>, domain: Domain) -> Vec<Parameter> {
    let mut kept: Vec<Parameter> = Vec::new();
    for parameter in parameters {
        let is_there = kept.iter().any(|earlier| earlier.name == parameter.name);
        let is_single = matches!(parameter.name.as_str(), "page" | "limit" | "q")
            || filtered_field(&parameter.name) != parameter.name;
        let is_list = matches!(parameter.name.as_str(), "sort" | "fields");
        if !(is_there && (is_list || is_single && domain == Domain::Agreed)) {
            kept.push(parameter);
        }
    }
    kept
}

/// Parameters that readings answer differently.
fn open() -> BoxedStrategy<Parameter> {
    let Open { names, values } = &VOCABULARY.queries.open;
    let value = prop_oneof![3 => select(&values[..]), 1 => "[a-zñá0-9 ,.%+-]{0,4}"];
    (select(&names[..]), prop::collection::vec(value, 1..=2), any::<bool>(), any::<bool>())
        .prop_map(|(name, values, comma, encoded)| {
            let comma = comma || values.iter().any(|value| value.contains(','));
            Parameter { name, values, comma, encoded }
        })
        .boxed()
}
