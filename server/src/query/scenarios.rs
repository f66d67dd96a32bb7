//! Whole lists, from the query string to the page, and properties that hold for every query.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Book, Collection, ListQuery, Page, list};

/// A collection of the given objects, numbered from 1; each gets its number as field `id`, in front.
fn collection(books: &[Value]) -> Collection {
    let numbered = (1u64..).zip(books);
    numbered
        .map(|(id, book)| {
            let mut fields = serde_json::Map::from_iter([(String::from("id"), json!(id))]);
            fields.extend(book.as_object().cloned().unwrap_or_default());
            Arc::new(Book::new(id, fields))
        })
        .collect()
}

fn four_books() -> Collection {
    collection(&[
        json!({ "titulo": "Rayuela", "autor": "Julio Cortázar", "anio": 1963, "leido": true }),
        json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges", "anio": "1944", "leido": false }),
        json!({ "titulo": "álbum", "autor": "Anónimo", "anio": 1963, "nota": null, "min_anio": 1963 }),
        json!({ "titulo": "Zama", "autor": "Antonio Di Benedetto", "anio": 1956, "temas": ["espera"] }),
    ])
}

fn ids(page: &Page) -> Vec<u64> {
    let items: Vec<Value> = serde_json::from_str(&page.datos).expect("datos is JSON");
    items.iter().filter_map(|item| item["id"].as_u64()).collect()
}

/// Checks which books of these a query answers, in which order.
#[track_caller]
fn check(query: &str, expected: &[u64]) {
    let page = list(&four_books(), &ListQuery::parse(query));
    assert_eq!(ids(&page), expected, "{query}");
    assert_eq!(page.total, expected.len(), "{query}");
}

#[test]
fn a_text_is_found_in_any_text_field_whatever_its_case() {
    check("q=BENEDETTO", &[4]);
    check("q=cort%C3%81zar", &[1]);
    check("q=cortazar", &[]);
    check("q=1944", &[2]);
    check("q=1963", &[]);
    check("q=espera", &[]);
    check("q=rayuelajulio", &[]);
    check("q=Rayuela&q=zama", &[1, 4]);
    check("q=Rayuela,Zama", &[]);
    check("q=", &[1, 2, 3, 4]);
}

#[test]
fn equality_reads_own_fields_only_and_all_must_hold() {
    check("anio=1963", &[1, 3]);
    check("anio=1963&leido=TRUE", &[1]);
    check("anio=1944.0,1956", &[2, 4]);
    check("anio=1944&anio=1956", &[2, 4]);
    check("Anio=1963", &[]);
    check("nota=", &[]);
    check("temas=espera", &[4]);
    check("toString=1", &[]);
    check("range=1&min=2&max=3", &[1, 2, 3, 4]);
}

#[test]
fn bounds_and_truthiness_face_equality_first() {
    check("min_anio=1963", &[3]);
    check("min_anio=1900", &[]);
    check("is_leido=true", &[]);
    let odd = collection(&[json!({ "is_leido": 1, "leido": "no" }), json!({ "is_leido": 1, "leido": "" })]);
    assert_eq!(ids(&list(&odd, &ListQuery::parse("is_leido=true"))), [1]);
}

#[test]
fn sort_orders_by_locale_by_number_and_by_several_names() {
    check("sort=titulo", &[3, 2, 1, 4]);
    check("sort=-titulo", &[4, 1, 2, 3]);
    check("sort=-anio,titulo", &[3, 1, 4, 2]);
    check("sort=anio&sort=-titulo", &[2, 4, 1, 3]);
    check("sort=unknown,,-titulo", &[4, 1, 2, 3]);
    check("sort=-", &[1, 2, 3, 4]);
}

#[test]
fn a_name_that_one_of_two_books_lacks_is_skipped_for_the_two() {
    let two = collection(&[json!({ "a": 1, "b": 2 }), json!({ "b": 1 })]);
    assert_eq!(ids(&list(&two, &ListQuery::parse("sort=a,b"))), [2, 1]);
    assert_eq!(ids(&list(&two, &ListQuery::parse("sort=a,-b"))), [1, 2]);
}

#[test]
fn a_sorted_page_is_cut_from_the_sorted_whole() {
    let sorted = |page: usize| {
        let query = format!("sort=-anio,titulo&limit=2&page={page}");
        ids(&list(&four_books(), &ListQuery::parse(&query)))
    };
    assert_eq!([sorted(1), sorted(2), sorted(3)], [vec![3, 1], vec![4, 2], vec![]]);
}

#[test]
fn fields_come_in_the_order_of_the_parameter_each_once() {
    let book = collection(&[json!({ "titulo": "x", "nota": null, "7": [1.0] })]);
    let datos = |query| list(&book, &ListQuery::parse(query)).datos;
    assert_eq!(datos(""), r#"[{"id":1,"titulo":"x","nota":null,"7":[1]}]"#);
    assert_eq!(datos("fields=titulo,id,titulo&fields=7"), r#"[{"titulo":"x","id":1,"7":[1]}]"#);
    assert_eq!(datos("fields=nota,absent"), r#"[{"nota":null}]"#);
    assert_eq!(datos("fields=absent"), "[{}]");
    assert_eq!(datos("fields=,"), datos(""));
}

#[test]
fn the_pagination_object_tells_the_page_in_effect() {
    let paginacion = |query| list(&four_books(), &ListQuery::parse(query)).paginacion();
    assert_eq!(
        paginacion("page=2&limit=3"),
        r#"{"page":2,"limit":3,"total":4,"pages":2,"hasNext":false,"hasPrev":true}"#
    );
    assert_eq!(
        paginacion("page=1e1&limit=1000000&q=none"),
        r#"{"page":1,"limit":100,"total":0,"pages":0,"hasNext":false,"hasPrev":false}"#
    );
    assert_eq!(
        paginacion("page=99999999999999999999999&limit=0.5"),
        r#"{"page":1e+23,"limit":10,"total":4,"pages":1,"hasNext":false,"hasPrev":true}"#
    );
}

#[test]
fn page_and_limit_are_held_within_their_bounds() {
    let held = |query| {
        let page = list(&Collection::new(), &ListQuery::parse(query));
        (page.page, page.limit)
    };
    let endless = "9".repeat(400);
    assert_eq!(held(""), (1.0, 10));
    assert_eq!(held("page=0&limit=0"), (1.0, 10));
    assert_eq!(held("page=-3&limit=-3"), (1.0, 1));
    assert_eq!(held("page=2.7&limit=101"), (2.0, 100));
    assert_eq!(held("page=&limit=x"), (1.0, 10));
    assert_eq!(held("page=4,5&limit=6&limit=7"), (4.0, 6));
    assert_eq!(held(&format!("page={endless}&limit={endless}")), (1.0, 10));
}

#[test]
fn a_snapshot_never_changes_under_its_readers() {
    let before = four_books();
    let mut after = before.clone();
    after.remove(2);
    after.insert(Arc::new(Book::new(9, serde_json::Map::new())));
    after.insert(Arc::new(Book::new(1, serde_json::Map::new())));
    assert_eq!((before.len(), before.highest_id()), (4, Some(4)));
    assert_eq!((after.len(), after.highest_id()), (4, Some(9)));
    assert_eq!(after.iter().map(|book| book.id()).collect::<Vec<_>>(), [1, 3, 4, 9]);
    assert_eq!(before.get(1).and_then(|book| book.field_json("titulo")), Some("\"Rayuela\""));
    assert!(after.get(2).is_none() && after.get(1).is_some_and(|book| book.text() == "{}"));
}

/// Values as clients store them: mixed types, so that no sort can count on a total order.
fn stored() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|boolean| json!(boolean)),
        (-20i32..20).prop_map(|number| json!(f64::from(number) / 2.0)),
        "[0-9]{1,2}|[a-cA-Cñáß]{0,3}|2020-0[1-3]-3[0-1]".prop_map(|text| json!(text)),
        prop::collection::vec("[a-b0-1]?", 0..3).prop_map(|list| json!(list)),
        Just(json!({ "x": 1 })),
    ]
}

fn stored_books() -> impl Strategy<Value = Vec<Value>> {
    let book = prop::collection::btree_map("[a-c]|min_a|is_b|1", stored(), 0..4);
    prop::collection::vec(book.prop_map(|fields| json!(fields)), 0..40)
}

fn queries() -> impl Strategy<Value = String> {
    let parameter =
        "(a|b|c|min_a|max_b|is_b|q|sort|fields|page|limit)=(-?[a-c]|[0-9]|true|,|2020-02-30|%F1|%|\\+){0,3}";
    prop::collection::vec(parameter, 0..4).prop_map(|parameters| parameters.join("&"))
}

proptest! {
    #[test]
    fn no_query_string_panics(raw in "\\PC*|[a-c&=,%+0-9_-]*", books in stored_books()) {
        list(&collection(&books), &ListQuery::parse(&raw));
    }

    #[test]
    fn any_page_fits_its_figures(query in queries(), books in stored_books()) {
        let page = list(&collection(&books), &ListQuery::parse(&query));
        let items: Vec<Value> = serde_json::from_str(&page.datos).expect("datos is JSON");
        prop_assert!(items.len() <= page.limit && page.total <= books.len());
        prop_assert_eq!(page.pages, page.total.div_ceil(page.limit));
        let before = (page.page - 1.0) * page.limit as f64;
        let expected = (page.total as f64 - before).clamp(0.0, page.limit as f64);
        prop_assert_eq!(items.len() as f64, expected);
        prop_assert_eq!(page.has_next, before + (page.limit as f64) < page.total as f64);
    }

    #[test]
    fn sorting_neither_loses_nor_doubles_a_book(sort in "(-?[a-c],?){1,3}", books in stored_books(), limit in 1usize..50) {
        let collection = collection(&books);
        let mut seen = Vec::new();
        for page in 1..=books.len().div_ceil(limit) {
            let query = format!("sort={sort}&limit={limit}&page={page}");
            seen.extend(ids(&list(&collection, &ListQuery::parse(&query))));
        }
        seen.sort_unstable();
        prop_assert_eq!(seen, (1..=books.len() as u64).collect::<Vec<_>>());
    }

    #[test]
    fn a_total_order_is_the_same_by_page_and_by_merge(numbers in prop::collection::vec((0u8..4, "[a-cÁñ]{0,2}"), 0..60), limit in 1usize..20) {
        let mut books: Vec<Value> = numbers.iter().map(|(n, t)| json!({ "n": n, "t": t })).collect();
        let of = |books: &[Value]| {
            let collection = collection(books);
            let page = |page: usize| {
                let query = ListQuery::parse(&format!("sort=-n,t&limit={limit}&page={page}&fields=id,n"));
                ids(&list(&collection, &query))
            };
            (1..=numbers.len().div_ceil(limit) + 1).flat_map(page).collect::<Vec<_>>()
        };
        let windowed = of(&books);
        // A last book of equal standing, but without the field that decides, sends all through the merge.
        books.push(json!({}));
        let merged: Vec<u64> = of(&books).into_iter().filter(|id| *id <= numbers.len() as u64).collect();
        prop_assert_eq!(windowed, merged);
    }
}
