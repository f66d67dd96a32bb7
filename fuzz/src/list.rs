//! Fuzzes query strings: the answer is never a 5xx and equals the impostor's naive list.
//!
//! Compares only queries that the documents decide: plain characters, no repeated parameter, a decided order.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::{Memory, ask, catalogue};
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::{body, have_order, list};
use libros_server::catalogue::Catalogue;
use serde_json::{Value, json};

/// A catalogue, and the books in it.
static SITE: LazyLock<(Catalogue, Vec<Value>)> = LazyLock::new(|| {
    let catalogue = catalogue(&Memory::default());
    for number in 0..40_u32 {
        let text = ["Árbol", "arbol", "ñu", "10", "9", "true", "", "2020-01-01", "Zorro", "a b"][number as usize % 10];
        let mut book =
            json!({ "titulo": format!("{text} {}", number % 7), "autor": format!("a{text}"), "paginas": number % 13 });
        match number % 8 {
            0 => book["extra"] = json!(null),
            1 => book["extra"] = json!(true),
            2 => book["extra"] = json!(number),
            3 => book["extra"] = json!(text),
            4 => book["fechaPublicacion"] = json!(format!("19{}-0{}-01", 10 + number, 1 + number % 9)),
            5 => book["disponible"] = json!(number % 16 == 5),
            _ => {}
        }
        let reply = ask(&catalogue, "POST /libros", book.to_string().as_bytes());
        assert_eq!(reply.status, 201);
    }
    let books =
        super::json(&ask(&catalogue, "GET /libros?limit=100", b""))["datos"].as_array().expect("a list").clone();
    (catalogue, books)
});

/// Whether the documents decide the query.
fn is_decided(query: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,=&".contains(c);
    let mut names = BTreeSet::new();
    let is_pair = |pair: &str| {
        pair.split_once('=').is_some_and(|(name, value)| {
            !name.is_empty() && !value.is_empty() && !value.contains('=') && !value.split(',').any(str::is_empty)
        })
    };
    query.chars().all(is_plain)
        && query.split('&').all(|pair| is_pair(pair) && names.insert(pair.split('=').next().unwrap_or_default()))
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(query) = std::str::from_utf8(bytes) else { return };
    if !query.chars().all(|c| c.is_ascii_graphic() && c != '#') {
        return;
    }
    let reply = ask(&SITE.0, &format!("GET /libros?{query}"), b"");
    assert_eq!(reply.status, 200, "{query}");
    let mut answered = super::json(&reply);
    let steps = ListSteps::default();
    if is_decided(query) && have_order(&SITE.1, query, &steps) {
        let mut naive = body(&list(&SITE.1, query, &steps), &steps);
        // JSON has one kind of number.
        for told in [&mut answered, &mut naive] {
            let page = &mut told["metadata"]["paginacion"]["page"];
            *page = json!(page.as_f64());
        }
        assert_eq!(answered, naive, "{query}");
    }
}
