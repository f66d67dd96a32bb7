//! Page and limit as numbers, and the page that a list answers, with the JSON that shows it. Cuts nothing.

use serde_json::{Value, json};

use super::steps::ListSteps;

/// The page asked for: default 1, unparsable 1, minimum 1.
pub fn page(values: &[String], steps: &ListSteps) -> f64 {
    match (steps.counted)(values).and_then(steps.parse_page) {
        _ if values.is_empty() => steps.page_default,
        None => steps.page_unparsable,
        Some(number) => (steps.page_of)(number),
    }
}

/// Items a page: default 10, unparsable 10.
pub fn limit(values: &[String], steps: &ListSteps) -> u64 {
    match (steps.counted)(values).and_then(steps.parse_limit) {
        _ if values.is_empty() => steps.limit_default,
        None => steps.limit_unparsable,
        Some(number) => (steps.limit_of)(number),
    }
}

/// Zero is 10, the minimum is 1, the maximum 100.
pub fn limit_of(number: f64) -> u64 {
    if number == 0.0 { 10 } else { number.clamp(1.0, 100.0) as u64 }
}

pub fn first(values: &[String]) -> Option<&str> {
    values.first().map(String::as_str)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The page's items, after field selection.
    pub datos: Vec<Value>,
    pub total: u64,
    /// Page asked for, at least 1; a JavaScript number, since a page may be huge.
    pub page: f64,
    /// Items per page, 1 to 100.
    pub limit: u64,
    /// Total divided by limit, rounded up.
    pub pages: u64,
    pub has_next: bool,
    pub has_prev: bool,
}

/// The page object.
///
/// Source: catalogue-service, "Response shapes".
pub fn pagination(page: &Page) -> Value {
    json!({
        "page": page.page,
        "limit": page.limit,
        "total": page.total,
        "pages": page.pages,
        "hasNext": page.has_next,
        "hasPrev": page.has_prev,
    })
}
