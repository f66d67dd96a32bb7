//! What the list operation answers, point by point.

use serde_json::{Value, json};

use super::*;
use crate::js;

fn books() -> Vec<Value> {
    vec![
        json!({"id": 1, "titulo": "Zorro", "autor": "Ana", "n": 3, "leido": true}),
        json!({"id": 2, "titulo": "Álvaro", "autor": "Luis", "n": 1, "leido": "", "min_n": 1}),
        json!({"id": 3, "titulo": "banana", "autor": "ANA", "n": 2, "is_leido": "false", "leido": 0}),
    ]
}

fn ids(query: &str) -> Vec<u64> {
    list(&books(), query, &ListSteps::default()).datos.iter().filter_map(|book| book["id"].as_u64()).collect()
}

#[test]
fn without_parameters_all_come_in_order_of_creation() {
    let page = list(&books(), "", &ListSteps::default());
    assert_eq!(page.datos, books());
    assert_eq!((page.total, page.page, page.limit, page.pages), (3, 1.0, 10, 1));
    assert!(!page.has_next && !page.has_prev);
}

#[test]
fn each_filter_keeps_what_it_should() {
    assert_eq!(ids("q=ana"), [1, 3]);
    assert_eq!(ids("q=%C3%A1lv"), [2]);
    assert_eq!(ids("q="), [1, 2, 3]);
    assert_eq!(ids("n=1,3"), [1, 2]);
    assert_eq!(ids("n=1&n=2"), [2, 3]);
    assert_eq!(ids("autor=Ana"), [1]);
    assert_eq!(ids("nada=1"), [] as [u64; 0]);
    assert_eq!(ids("range=1&min=2&max=3"), [1, 2, 3]);
}

#[test]
fn prefixed_parameters_also_face_equality() {
    assert_eq!(ids("min_n=1"), [2]);
    assert_eq!(ids("max_n=5"), [] as [u64; 0]);
    // "false" as a text is no number, so it is not loosely equal to false.
    assert_eq!(ids("is_leido=false"), [] as [u64; 0]);
}

#[test]
fn sort_orders_texts_by_locale_and_numbers_by_size() {
    assert_eq!(ids("sort=titulo"), [2, 3, 1]);
    assert_eq!(ids("sort=-n"), [1, 3, 2]);
    assert_eq!(ids("sort=autor,-n"), [1, 3, 2]);
    assert_eq!(ids("sort=nada"), [1, 2, 3]);
}

#[test]
fn paging_follows_the_limits() {
    let shape = |query: &str| {
        let page = list(&books(), query, &ListSteps::default());
        (page.datos.len(), page.page, page.limit, page.pages, page.has_next, page.has_prev)
    };
    assert_eq!(shape("limit=2"), (2, 1.0, 2, 2, true, false));
    assert_eq!(shape("limit=2&page=2"), (1, 2.0, 2, 2, false, true));
    assert_eq!(shape("limit=2&page=9"), (0, 9.0, 2, 2, false, true));
    assert_eq!(shape("limit=1000"), (3, 1.0, 100, 1, false, false));
    assert_eq!(shape("limit=0"), (3, 1.0, 10, 1, false, false));
    assert_eq!(shape("limit=-5"), (1, 1.0, 1, 3, true, false));
    assert_eq!(shape("limit=x&page=-2"), (3, 1.0, 10, 1, false, false));
    assert_eq!(shape("q=nichts&page=3"), (0, 3.0, 10, 0, false, true));
}

#[test]
fn fields_keep_only_what_an_item_has_in_the_order_asked() {
    let page = list(&books(), "fields=n,nada&fields=id&limit=1", &ListSteps::default());
    assert_eq!(js::stringify(&page.datos[0]), r#"{"n":3,"id":1}"#);
    assert_eq!(list(&books(), "fields=", &ListSteps::default()).datos, books());
}

#[test]
fn an_order_that_is_not_total_neither_panics_nor_loses_books() {
    let mixed: Vec<Value> =
        (0..200).map(|i| if i % 3 == 0 { json!({"id": i}) } else { json!({"id": i, "n": (i * 7919) % 101}) }).collect();
    let page = list(&mixed, "sort=n&limit=100", &ListSteps::default());
    assert_eq!((page.datos.len(), page.total), (100, 200));
}

fn ordered(books: &[Value], query: &str) -> bool {
    have_order(books, query, &ListSteps::default())
}

#[test]
fn a_name_that_some_lack_gives_three_books_no_order_but_two_or_agreeing_ones() {
    let books = [json!({"id": 1, "n": 3}), json!({"id": 2}), json!({"id": 3, "n": 1})];
    assert!(!ordered(&books, "s%6Frt=n"));
    assert!(ordered(&books, "sort=id") && ordered(&books, "n=1&sort=n") && ordered(&books, "q=x"));
    assert!(ordered(&books[..2], "sort=n") && ordered(&books, "sort=otro") && ordered(&books, "sort=id,n"));
}

#[test]
fn values_of_several_types_may_go_round_in_a_circle() {
    let books = |values: [Value; 3]| values.map(|value| json!({"v": value}));
    assert!(!ordered(&books([json!("10"), json!(9), json!("9a")]), "sort=v"));
    assert!(ordered(&books([json!("10"), json!(9), json!(11)]), "sort=v"));
}
