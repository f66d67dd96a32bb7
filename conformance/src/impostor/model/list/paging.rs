//! Page and limit as numbers, and what is reported about them. Cuts nothing.

use serde_json::Value;

use super::super::js;
use super::query::Query;
use crate::impostor::faults::Faults;

/// How many items come before the page.
pub(crate) fn start(page: f64, limit: u64, faults: &Faults) -> f64 {
    let start = (page - 1.0) * limit as f64;
    if faults.on("page-starts-one-late") {
        return start + 1.0;
    }
    if faults.on("pages-overlap-by-one") {
        return start - (page - 1.0);
    }
    start
}

/// Total and pages, as they are reported.
pub(crate) fn counts(total: u64, limit: u64, datos: &[Value], faults: &Faults) -> (u64, u64) {
    let pages = if faults.on("pages-rounds-down") {
        total / limit
    } else if faults.on("pages-plus-one") {
        total / limit + 1
    } else {
        total.div_ceil(limit)
    };
    let pages = if faults.on("pages-at-least-one") { pages.max(1) } else { pages };
    let total = if faults.on("total-counts-the-page") { datos.len() as u64 } else { total };
    (total, pages)
}

/// Whether a later item exists.
pub(crate) fn has_next(page: f64, limit: u64, total: u64, faults: &Faults) -> bool {
    let last_shown = page * limit as f64;
    if faults.on("has-next-on-full-last-page") {
        return last_shown <= total as f64;
    }
    last_shown < total as f64 && !faults.on("has-next-always-false")
}

/// Whether the page is greater than 1.
pub(crate) fn has_prev(page: f64, total: u64, faults: &Faults) -> bool {
    if faults.on("has-prev-from-page-1") {
        return page >= 1.0;
    }
    if faults.on("has-prev-false-when-empty") && total == 0 {
        return false;
    }
    page > 1.0 && !faults.on("has-prev-always-false")
}

/// The number of a parameter: the first value's, as parseInt reads it; permitted readings are stricter.
fn number(values: &[String], faults: &Faults) -> Option<f64> {
    let first = values.first()?;
    if faults.reads("repeated-numbers-unparsable") && (values.len() > 1 || first.contains(',')) {
        return None;
    }
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'));
    if faults.reads("numbers-with-text-unparsable") && !plain(first) {
        return None;
    }
    if faults.reads("infinite-numbers-kept") && first.len() > 300 && plain(first) {
        return Some(1e300);
    }
    js::parse_int(first)
}

/// Default 1, minimum 1, unparsable 1.
pub(crate) fn page(query: &Query, faults: &Faults) -> f64 {
    let first = query.all("page").first();
    let Some(page) = first.and_then(|_| number(query.all("page"), faults)) else {
        let fault = if first.is_none() { "page-default-0" } else { "page-unparsable-is-0" };
        return faults.pick(fault, 0.0, 1.0);
    };
    if faults.reads("fractions-unparsable") && first.is_some_and(|text| text.contains('.')) {
        return 1.0;
    }
    if faults.on("page-zero-kept") && page == 0.0 {
        return 0.0;
    }
    if faults.on("page-negative-turned-round") && page < 0.0 {
        return -page;
    }
    if faults.on("page-ignored") {
        return 1.0;
    }
    if faults.on("page-fraction-rounded") {
        return first.map_or(1.0, |text| js::to_number(text).round()).max(1.0);
    }
    if faults.on("page-huge-wraps") {
        return f64::from(page.max(1.0) as u64 as u32).max(1.0);
    }
    page.max(1.0)
}

/// Default 10, unparsable or zero 10, minimum 1, maximum 100.
pub(crate) fn limit(query: &Query, faults: &Faults) -> u64 {
    let default = faults.pick("limit-default-is-20", 20, 10);
    let Some(text) = query.all("limit").first() else {
        return default;
    };
    if faults.reads("limit-below-1-is-1") && (0.0..1.0).contains(&js::to_number(text)) && text.contains('.') {
        return 1;
    }
    let Some(limit) = number(query.all("limit"), faults) else {
        return faults.pick("limit-unparsable-is-100", 100, 10);
    };
    if limit == 0.0 {
        return faults.pick("limit-zero-is-1", 1, 10);
    }
    if limit < 0.0 && faults.on("limit-negative-is-100") {
        return 100;
    }
    if limit < 0.0 && faults.reads("limit-negative-is-default") {
        return 10;
    }
    let max = match () {
        () if faults.on("limit-max-is-1000") => 1000.0,
        () if faults.on("limit-max-is-101") => 101.0,
        () if faults.on("limit-max-is-99") => 99.0,
        () if faults.on("limit-max-is-50") => 50.0,
        () => 100.0,
    };
    if faults.reads("fractions-unparsable") && text.contains('.') {
        return 10;
    }
    if limit > 100.0 && faults.on("limit-above-max-is-default") {
        return 10;
    }
    let min = faults.pick("limit-min-is-5", 5.0, 1.0);
    limit.clamp(min, max) as u64
}
