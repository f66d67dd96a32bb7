//! The answer of a list: a page, and the JSON that shows it. Cuts nothing, counts nothing.

use std::borrow::Cow;

use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq)]
pub struct Page<'b> {
    /// The page's items, after field selection.
    pub datos: Vec<Cow<'b, Value>>,
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

impl Page<'_> {
    pub fn items(&self) -> Value {
        self.datos.iter().map(|item| Value::clone(item)).collect()
    }
}

/// The page object.
///
/// Source: catalogue-service, "Pagination object".
pub fn pagination(page: &Page<'_>) -> Value {
    json!({
        "page": page.page,
        "limit": page.limit,
        "total": page.total,
        "pages": page.pages,
        "hasNext": page.has_next,
        "hasPrev": page.has_prev,
    })
}
