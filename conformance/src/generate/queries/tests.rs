//! What counts as a difference, and what is drawn.

use serde_json::{Value, json};

use super::draw::{Domain, queries};
use super::query::{Parameter, Query};
use super::{differ, sample_books};
use crate::generate::inputs::dice;
use crate::impostor::faults::Faults;
use crate::impostor::model::list::{body, list};

fn query(parameters: &[(&str, &str)]) -> Query {
    let parameter = |(name, value): &(&str, &str)| Parameter {
        name: (*name).into(),
        values: value.split(',').map(str::to_owned).collect(),
        comma: true,
        encoded: false,
    };
    Query(parameters.iter().map(parameter).collect())
}

fn books() -> Vec<Value> {
    vec![json!({"id": 6, "titulo": "uno", "n": 2}), json!({"id": 7, "titulo": "dos", "n": 1}), json!({"id": 8, "n": 1})]
}

fn answer(query: &Query, fault: &str) -> Value {
    let faults = Faults::one(fault).unwrap_or_default();
    body(&list(&books(), &query.to_string(), faults.policy()), faults.policy())
}

#[test]
fn the_naive_answer_is_no_difference() {
    let query = query(&[("sort", "-n,id"), ("limit", "2")]);
    assert_eq!(differ(&books(), &query, &answer(&query, "none")), None);
}

#[test]
fn a_known_slip_is_told_by_its_rule() {
    let query = query(&[("sort", "-n,id")]);
    let found = differ(&books(), &query, &answer(&query, "sort-minus-ignored")).unwrap();
    assert_eq!((found.rule, found.place.as_str()), ("list/sort-descending", "body /datos"));
    assert_eq!((found.want, found.got), (json!({"ids": [6, 7, 8]}), json!({"ids": [7, 8, 6]})));
}

#[test]
fn an_order_among_ties_or_without_a_field_is_nobodys_fault() {
    for parameters in [&[("sort", "n")], &[("sort", "titulo")]] {
        let query = query(parameters);
        let mut turned = answer(&query, "none");
        turned["datos"].as_array_mut().unwrap().reverse();
        assert_eq!(differ(&books(), &query, &turned), None, "{query}");
    }
}

#[test]
fn a_page_beyond_the_end_is_empty_or_the_last_and_no_other() {
    let query = query(&[("page", "9"), ("limit", "2"), ("sort", "id")]);
    let last = self::query(&[("page", "2"), ("limit", "2"), ("sort", "id")]);
    let first = self::query(&[("page", "1"), ("limit", "2"), ("sort", "id")]);
    assert_eq!(differ(&books(), &query, &answer(&last, "none")), None);
    assert!(differ(&books(), &query, &answer(&first, "none")).is_some());
}

#[test]
fn a_question_is_spelled_as_it_was_drawn() {
    let mut listed = query(&[("tema", "á&b")]);
    listed.0[0].values.push("c d".into());
    listed.0[0].comma = false;
    assert_eq!((listed.to_string().as_str(), listed.count()), ("tema=%C3%A1%26b&tema=c%20d", 1));
    listed.0[0].comma = true;
    assert_eq!((listed.to_string().as_str(), listed.count()), ("tema=%C3%A1%26b,c%20d", 1));
}

#[test]
fn a_seed_draws_the_same_books_and_questions_again() {
    let books = |seed| sample_books(&mut dice(seed, "a"));
    assert_eq!(books(1), books(1));
    assert_ne!(books(1), books(2));
    let base_queries = |seed| format!("{:?}", queries(Domain::Agreed, &mut dice(seed, "a")));
    assert_eq!(base_queries(1), base_queries(1));
    assert_ne!(base_queries(1), base_queries(2));
}
