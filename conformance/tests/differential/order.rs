//! Whether the books of a list have an order at all: by names that some lack, and among values of several types, three books may
//! go round in a circle, and where they then come is the sorting algorithm's matter. Asks the naive list, two books at a time.

use libros_conformance::impostor::faults::Faults;
use libros_conformance::impostor::list::list;
use serde_json::Value;

use super::spelling::decoded;

/// The name a pair of the query has.
fn name(pair: &str) -> String {
    decoded(pair.split('=').next().unwrap_or_default())
}

fn only(query: &str, keep: impl Fn(&str) -> bool) -> String {
    query.split('&').filter(|pair| keep(&name(pair))).collect::<Vec<_>>().join("&")
}

/// Whether the order of the books that the query keeps is decided, or there is none to decide.
pub(crate) fn is_decided(books: &[Value], query: &str) -> bool {
    let sort = only(query, |name| name == "sort");
    if sort.is_empty() {
        return true;
    }
    let filters = only(query, |name| !matches!(name, "sort" | "page" | "limit" | "fields"));
    let kept = list(books, &format!("{filters}&limit=100"), &Faults::none()).datos;
    // Whether of two books the first must stand before the second.
    let before = |a: &Value, b: &Value| {
        let sorted = list(&[b.clone(), a.clone()], &sort, &Faults::none()).datos;
        sorted.first() == Some(a) && a != b
    };
    let count = kept.len();
    let less: Vec<Vec<bool>> = kept.iter().map(|a| kept.iter().map(|b| before(a, b)).collect()).collect();
    let tied = |a: usize, b: usize| !less[a][b] && !less[b][a];
    let triples = (0..count).flat_map(|a| (0..count).flat_map(move |b| (0..count).map(move |c| (a, b, c))));
    let mut wrong = triples
        .filter(|&(a, b, c)| (less[a][b] && less[b][c] && !less[a][c]) || (tied(a, b) && tied(b, c) && !tied(a, c)));
    wrong.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_that_some_books_lack_decides_nothing_for_three() {
        let books = [json!({"id": 1, "n": 3}), json!({"id": 2}), json!({"id": 3, "n": 1})];
        assert!(!is_decided(&books, "s%6Frt=n"));
        assert!(is_decided(&books, "sort=id") && is_decided(&books, "n=1&sort=n") && is_decided(&books, "q=x"));
        assert!(is_decided(&books[..2], "sort=n"));
    }
}
