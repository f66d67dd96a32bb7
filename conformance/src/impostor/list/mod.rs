//! The list operation as a pure function: books and a raw query in, a page out. The suite's oracle.

mod compare;
mod filter;
pub(super) mod query;
mod sort;
mod value;

use serde_json::{Map, Value};

pub use value::{Converted, convert, iso_date};

use super::faults::Faults;
use super::js;
use query::Query;

/// What a list answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// The page's items, after field selection.
    pub datos: Vec<Value>,
    /// Items after filtering.
    pub total: u64,
    /// Page asked for, at least 1; a JavaScript number, since a page may be huge.
    pub page: f64,
    /// Items per page, 1 to 100.
    pub limit: u64,
    /// Total divided by limit, rounded up.
    pub pages: u64,
    /// Whether a later item exists.
    pub has_next: bool,
    /// Whether the page is greater than 1.
    pub has_prev: bool,
}

/// Answers the raw query (without `?`) over the books: filters, sort, pagination, field selection, in that order.
///
/// Source: catalogue-service, "List query parameters".
pub fn list(books: &[Value], raw_query: &str, faults: &Faults) -> Page {
    let query = Query::parse(raw_query);
    let mut found = books.to_vec();
    if faults.on("pages-before-filtering") {
        found.truncate(limit(&query, faults) as usize);
    }
    filter::filter(&mut found, &query, faults);
    if faults.on("selects-before-sorting") {
        select(&mut found, query.all("fields"), faults);
    }
    let total = if faults.on("total-before-filtering") {
        books.len()
    } else {
        found.len()
    } as u64;
    let (page, limit) = (page(&query, faults), limit(&query, faults));
    let start = (page - 1.0) * limit as f64;
    let start = if faults.on("page-starts-one-late") {
        start + 1.0
    } else {
        start
    };
    if !faults.on("sorts-after-paging") {
        sort::sort(&mut found, query.all("sort"), faults);
    }
    let mut datos: Vec<Value> = found
        .into_iter()
        .skip(start.max(0.0) as usize)
        .take(limit as usize)
        .collect();
    if faults.on("sorts-after-paging") {
        sort::sort(&mut datos, query.all("sort"), faults);
    }
    select(&mut datos, query.all("fields"), faults);
    let (total, pages) = counts(total, limit, &datos, faults);
    Page {
        total,
        page,
        limit,
        pages,
        has_next: has_next(page, limit, total, faults),
        has_prev: has_prev(page, total, faults),
        datos,
    }
}

fn counts(total: u64, limit: u64, datos: &[Value], faults: &Faults) -> (u64, u64) {
    let pages = if faults.on("pages-rounds-down") {
        total / limit
    } else if faults.on("pages-plus-one") {
        total / limit + 1
    } else {
        total.div_ceil(limit)
    };
    let pages = if faults.on("pages-at-least-one") {
        pages.max(1)
    } else {
        pages
    };
    let total = if faults.on("total-counts-the-page") {
        datos.len() as u64
    } else {
        total
    };
    (total, pages)
}

fn has_next(page: f64, limit: u64, total: u64, faults: &Faults) -> bool {
    let last_shown = page * limit as f64;
    if faults.on("has-next-on-full-last-page") {
        return last_shown <= total as f64;
    }
    last_shown < total as f64 && !faults.on("has-next-always-false")
}

fn has_prev(page: f64, total: u64, faults: &Faults) -> bool {
    if faults.on("has-prev-from-page-1") {
        return page >= 1.0;
    }
    if faults.on("has-prev-false-when-empty") && total == 0 {
        return false;
    }
    page > 1.0 && !faults.on("has-prev-always-false")
}

/// Default 1, minimum 1, unparsable 1.
fn page(query: &Query, faults: &Faults) -> f64 {
    let first = query.all("page").first();
    let Some(page) = first.and_then(|text| js::parse_int(text)) else {
        return if faults.on("page-default-0") && first.is_none() {
            0.0
        } else if faults.on("page-unparsable-is-2") && first.is_some() {
            2.0
        } else {
            1.0
        };
    };
    if faults.on("page-zero-kept") && page == 0.0 {
        return 0.0;
    }
    if faults.on("page-negative-turned-round") && page < 0.0 {
        return -page;
    }
    if faults.on("page-ignored") {
        return 1.0;
    }
    page.max(1.0)
}

/// Default 10, unparsable or zero 10, minimum 1, maximum 100.
fn limit(query: &Query, faults: &Faults) -> u64 {
    let default = if faults.on("limit-default-is-20") {
        20
    } else {
        10
    };
    let Some(text) = query.all("limit").first() else {
        return default;
    };
    let Some(limit) = js::parse_int(text) else {
        return if faults.on("limit-unparsable-is-100") {
            100
        } else {
            10
        };
    };
    if limit == 0.0 {
        return if faults.on("limit-zero-is-1") { 1 } else { 10 };
    }
    if limit < 0.0
        && (faults.on("limit-negative-is-default") || faults.reads("limit-negative-is-default"))
    {
        return 10;
    }
    let max = if faults.on("limit-max-is-1000") {
        1000.0
    } else if faults.on("limit-max-is-50") {
        50.0
    } else {
        100.0
    };
    if limit > 100.0 && faults.on("limit-above-max-is-default") {
        return 10;
    }
    let min = if faults.on("limit-min-is-5") {
        5.0
    } else {
        1.0
    };
    limit.clamp(min, max) as u64
}

/// Leaves each item only the listed fields that it has, in the order of the parameter.
fn select(items: &mut [Value], values: &[String], faults: &Faults) {
    let values = if faults.on("fields-repeated-last-wins") {
        &values[values.len().saturating_sub(1)..]
    } else {
        values
    };
    let mut names: Vec<&str> = values
        .iter()
        .flat_map(|value| value.split(','))
        .filter(|name| !name.is_empty())
        .collect();
    if names.is_empty() || faults.on("fields-ignored") {
        return;
    }
    if faults.on("fields-first-only") {
        names.truncate(1);
    }
    if faults.on("fields-always-id") && !names.contains(&"id") {
        names.insert(0, "id");
    }
    for item in items {
        let mut kept = Map::new();
        for name in &names {
            let name = if faults.reads("names-trimmed") {
                name.trim()
            } else {
                name
            };
            match item.get(name) {
                Some(field) => _ = kept.insert(name.to_owned(), field.clone()),
                None if faults.on("fields-missing-as-null") => {
                    _ = kept.insert(name.to_owned(), Value::Null);
                }
                None => {}
            }
        }
        *item = Value::Object(kept);
    }
}

#[cfg(test)]
mod tests;
