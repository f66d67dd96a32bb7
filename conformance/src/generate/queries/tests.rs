//! Which answers count as different, and which queries are drawn.

use serde_json::{Value, json};

use super::draw::{Domain, queries};
use super::query::{Parameter, Query};
use super::{differ, naive_body, resembling_fault, sample_books};
use crate::contract::violation::Place;
use crate::generate::inputs::{dice, smallest};
use crate::impostor::faults::Faults;
use crate::impostor::readings;
use libros_conformance_model::list::steps::ListSteps;

fn query(parameters: &[(&str, &str)]) -> Query {
    let parameter = |(name, value): &(&str, &str)| Parameter::list(name, &value.split(',').collect::<Vec<_>>());
    Query(parameters.iter().map(parameter).collect())
}

fn books() -> Vec<Value> {
    let book = |id: u64, mut fields: Value| {
        fields["id"] = json!(id);
        fields["lote"] = json!("a");
        fields
    };
    vec![
        book(6, json!({"titulo": "uno", "n": 2, "si": true, "min_n": 1, "max_n": 1})),
        book(7, json!({"titulo": "dos", "n": 1, "nada": null, "min_n": 1, "max_n": 1})),
        book(8, json!({"n": 1})),
    ]
}

fn answer(query: &Query, fault: &str) -> Value {
    let faults = Faults::one(fault).unwrap_or_default();
    naive_body(&books(), query, &faults.steps.list)
}

#[test]
fn the_naive_answer_is_no_difference() {
    let query = query(&[("sort", "-n,id"), ("limit", "2")]);
    assert_eq!(differ(&books(), &query, &answer(&query, "none")), None);
}

#[test]
fn a_difference_says_where_what_was_wanted_and_what_came() {
    let query = query(&[("sort", "-n,id")]);
    let got = answer(&query, "sort-minus-ignored");
    let found = differ(&books(), &query, &got).unwrap();
    assert_eq!((found.rule, found.place), ("list/sort-descending", Place::body("/datos")));
    assert_eq!((found.want, found.got), (json!({"ids": [6, 7, 8]}), json!({"ids": [7, 8, 6]})));
    assert_eq!(resembling_fault(&books(), &query, &got), Some("sort-minus-ignored"));
}

#[test]
fn an_answer_like_no_fault_is_attributed_all_the_same() {
    let query = query(&[("sort", "-n,id")]);
    let mut got = answer(&query, "none");
    got["datos"].as_array_mut().unwrap().swap(0, 1);
    assert_eq!(resembling_fault(&books(), &query, &got), None);
    assert_eq!(differ(&books(), &query, &got).unwrap().rule, "list/sort-descending");
    got["datos"] = json!([]);
    assert_eq!(differ(&books(), &query, &got).unwrap().rule, "paging/limit-default");
}

#[test]
fn a_difference_names_the_rule_of_the_step_that_differs() {
    let rows: [(&str, &[(&str, &str)], &str); 24] = [
        ("comma-list-not-split", &[("titulo", "uno,dos")], "list/comma-list"),
        ("equality-ignored", &[("n", "2")], "list/convert-number"),
        ("equality-keeps-lacking", &[("titulo", "uno")], "list/equal-lacking"),
        ("filters-any-holds", &[("titulo", "dos"), ("n", "2")], "list/equal-all-hold"),
        ("equality-ignores-case", &[("titulo", "UNO")], "list/equal-text-exact"),
        ("booleans-stay-text", &[("si", "true")], "list/convert-boolean"),
        ("null-equals-its-text", &[("nada", "null")], "list/loose-null"),
        ("q-ignored", &[("q", "uno")], "list/q-contains"),
        ("q-case-matters", &[("q", "UNO")], "list/q-case"),
        ("q-reads-numbers", &[("q", "2")], "list/q-text-only"),
        ("min-exclusive", &[("min_n", "1")], "list/min-inclusive"),
        ("max-ignored", &[("max_n", "1")], "list/max-keeps"),
        ("is-prefix-spared", &[("is_n", "true")], "list/is-faces-equality"),
        ("sort-missing-first", &[("sort", "titulo,id")], "list/sort-missing"),
        ("sort-first-name-only", &[("sort", "n,-id")], "list/sort-several"),
        ("fields-first-only", &[("fields", "id,n")], "list/fields-select"),
        ("fields-always-id", &[("fields", "n")], "list/fields-no-id-added"),
        ("limit-zero-is-1", &[("limit", "0")], "paging/limit-zero"),
        ("limit-default-is-20", &[], "paging/limit-default"),
        ("page-zero-kept", &[("page", "0")], "paging/page-minimum"),
        ("page-starts-one-late", &[("limit", "2"), ("sort", "id")], "paging/page-slice"),
        ("total-before-filtering", &[("n", "1")], "paging/object-total"),
        ("has-next-always-false", &[("limit", "1")], "paging/object-has-next"),
        ("pagination-in-snake-case", &[], "paging/object-keys"),
    ];
    let named = |fault: &str, parameters: &[(&str, &str)]| {
        let query = query(parameters);
        differ(&books(), &query, &answer(&query, fault)).map(|found| found.rule)
    };
    let found = rows.map(|(fault, parameters, _)| (fault, named(fault, parameters)));
    assert_eq!(found, rows.map(|(fault, _, rule)| (fault, Some(rule))));
}

#[test]
fn an_order_among_ties_or_without_a_field_is_no_difference() {
    for parameters in [&[("sort", "n")][..], &[("sort", "titulo")], &[]] {
        let query = query(parameters);
        let mut turned = answer(&query, "none");
        turned["datos"].as_array_mut().unwrap().reverse();
        assert_eq!(differ(&books(), &query, &turned), None, "{query}");
    }
}

/// By the field of the empty name the third book comes before the first one, by `orden` after the second.
#[test]
fn an_order_that_goes_round_under_a_reading_is_no_difference() {
    let mut books: Vec<Value> = (1..=3).map(|n| json!({"id": n, "orden": n})).collect();
    books[0][""] = json!(2);
    books[2][""] = json!(1);
    let query = query(&[("sort", ",orden")]);
    let mut turned = naive_body(&books, &query, &ListSteps::default());
    assert_eq!(differ(&books, &query, &turned), None);
    turned["datos"].as_array_mut().unwrap().rotate_right(1);
    assert_eq!(differ(&books, &query, &turned), None);
    let bare: Vec<Value> = (1..=3).map(|n| json!({"id": n, "orden": n})).collect();
    let mut turned = naive_body(&bare, &query, &ListSteps::default());
    turned["datos"].as_array_mut().unwrap().rotate_right(1);
    assert!(differ(&bare, &query, &turned).is_some());
}

#[test]
fn a_page_beyond_the_end_is_empty() {
    let query = query(&[("page", "9"), ("limit", "2"), ("sort", "id")]);
    let last = self::query(&[("page", "2"), ("limit", "2"), ("sort", "id")]);
    let first = self::query(&[("page", "1"), ("limit", "2"), ("sort", "id")]);
    assert!(differ(&books(), &query, &answer(&last, "none")).is_some());
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

/// What other languages' equalities make of a list: PHP's, and one that knows no two types alike.
#[test]
fn questions_of_the_agreed_domain_are_answered_alike_under_any_equality() {
    for seed in 1..=5 {
        let books: Vec<Value> = sample_books(&mut dice(seed, "books")).into_iter().zip(1..).map(stored).collect();
        for fault in ["equality-and-truth-of-php", "equality-strict"] {
            let faults = Faults::one(fault).unwrap();
            let answer = |question: &Query| naive_body(&books, question, &faults.steps.list);
            let differs = |question: &Query| differ(&books, question, &answer(question)).is_some();
            let questions = queries(Domain::Agreed, &mut dice(seed, "order"));
            let found = smallest(400, &questions, dice(seed, "questions"), differs).unwrap();
            assert_eq!(found.map(|found| found.input.to_string()), None, "{fault}");
        }
    }
}

/// Each of these may change nothing alone, and the answer of another.
#[test]
fn two_permitted_readings_together_are_no_difference() {
    let books: Vec<Value> = sample_books(&mut dice(1, "books")).into_iter().zip(1..).map(stored).collect();
    let ids = [
        "bare-bounds-bound-nothing",
        "bare-bounds-skipped",
        "fields-name-the-empty-field",
        "sort-names-the-empty-field",
    ];
    let readings: Vec<_> = readings::all().filter(|reading| ids.contains(&reading.id)).collect();
    for (one, other) in readings.iter().flat_map(|one| readings.iter().map(move |other| (one, other))) {
        let steps = one.steps_with(other).list;
        let differs = |question: &Query| differ(&books, question, &naive_body(&books, question, &steps)).is_some();
        let questions = queries(Domain::Agreed, &mut dice(1, "order"));
        let found = smallest(500, &questions, dice(1, "questions"), differs).unwrap();
        assert_eq!(found.map(|found| found.input.to_string()), None, "{} and {}", one.id, other.id);
    }
}

/// What these are when they are repeated is open, and noted by cases of their own.
#[test]
fn questions_of_the_agreed_domain_repeat_nothing_whose_repetition_is_open() {
    let is_open = |name: &str| {
        ["page", "limit", "q"].contains(&name) || ["is_", "min_", "max_"].iter().any(|prefix| name.starts_with(prefix))
    };
    let is_repeated =
        |question: &Query| question.0.iter().any(|own| is_open(&own.name) && question.named(&own.name).count() > 1);
    for (domain, is_found) in [(Domain::Agreed, false), (Domain::Open, true)] {
        let questions = queries(domain, &mut dice(1, "order"));
        let found = smallest(4_000, &questions, dice(1, "questions"), is_repeated).unwrap();
        assert_eq!(found.is_some(), is_found, "{domain:?}");
    }
}

fn stored((mut book, id): (Value, u64)) -> Value {
    book["id"] = json!(id);
    book["lote"] = json!("a");
    book
}
