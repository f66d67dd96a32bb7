//! Whether the documents decide an answer: not where their readings differ, unless they leave but a few answers, nor where books
//! have no order. Sends nothing.

use serde_json::Value;

use super::query::Query;
use super::shows;
use crate::http::reply::same;
use crate::impostor::model::list::{Page, have_order, list};
use crate::impostor::readings::{Reading, all as readings};

/// Readings beside which the documents permit no third answer.
const COUNTED: [&str; 1] = ["fractions-unparsable"];

/// Whether an answer other than the naive list's breaks a rule.
pub(super) fn is_decided(books: &[Value], query: &Query, naive: &Page, got: &Value) -> bool {
    let text = query.to_string();
    // A bound of no name may be skipped, which no reading of the naive list does.
    if !have_order(books, &text) || ["min_", "max_"].iter().any(|name| query.named(name).next().is_some()) {
        return false;
    }
    let read = |reading: &Reading| list(books, &text, &reading.policy());
    let of_lists =
        readings().filter(|reading| reading.rules.iter().any(|rule| is_of_lists(rule)) && may_matter(reading, query));
    let mut others = of_lists.map(|reading| (reading, read(reading))).filter(|(_, page)| !alike(page, naive));
    match (others.next(), others.next()) {
        (None, _) => true,
        (Some((reading, page)), None) => COUNTED.contains(&reading.id) && !shows(&page, got),
        // Readings that act together answer otherwise than each alone.
        (Some(_), Some(_)) => false,
    }
}

/// Whether a question has the parameter that a reading is about; of most parameters every question has some.
fn may_matter(reading: &Reading, query: &Query) -> bool {
    let step = reading.id.split('-').next().unwrap_or_default();
    !["q", "sort", "fields", "limit", "page"].contains(&step) || query.named(step).next().is_some()
}

fn is_of_lists(rule: &str) -> bool {
    rule.starts_with("list/") || rule.starts_with("paging/")
}

fn alike(a: &Page, b: &Page) -> bool {
    let told = |page: &Page| (page.total, page.limit, page.pages, page.has_next, page.has_prev);
    a.page == b.page && told(a) == told(b) && same(&Value::from(a.datos.clone()), &Value::from(b.datos.clone()))
}
