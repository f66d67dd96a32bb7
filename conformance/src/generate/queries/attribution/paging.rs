//! Page and limit: numbers read otherwise, and a wrong page object. Never cuts a page.

use super::Answer;
use libros_conformance_model::js;

const HUGE: f64 = 1e6;

/// The rule of the page or limit that is in effect with another number than the one sent.
pub(super) fn broken_number(answer: &Answer<'_>) -> Option<&'static str> {
    let has_same_items = answer.has_same_items();
    // Plain numbers that do not change the items are reported wrongly, not read wrongly.
    let counts_items = answer.page_value("limit").0.as_u64() == Some(answer.items().len() as u64);
    if answer.contradicts("limit") && !(has_same_items && counts_items) {
        return Some(limit_rule(answer));
    }
    let page = page_rule(answer);
    (answer.contradicts("page") && !(has_same_items && page == "paging/page-slice")).then_some(page)
}

pub(super) fn limit_rule(answer: &Answer<'_>) -> &'static str {
    let Some(text) = answer.values("limit").first() else { return "paging/limit-default" };
    match js::parse_int(text) {
        _ if text.contains('.') => "paging/number-fraction",
        None => "paging/limit-unparsable",
        Some(0.0) => "paging/limit-zero",
        Some(number) if number < 0.0 => "paging/limit-negative",
        Some(number) if number > 100.0 => "paging/limit-maximum",
        Some(_) => "paging/limit-exact",
    }
}

pub(super) fn page_rule(answer: &Answer<'_>) -> &'static str {
    let Some(text) = answer.values("page").first() else { return "paging/page-default" };
    match js::parse_int(text) {
        _ if text.contains('.') => "paging/number-fraction",
        None => "paging/page-unparsable",
        Some(number) if number < 1.0 => "paging/page-minimum",
        Some(number) if number > HUGE => "paging/page-huge",
        Some(_) => "paging/page-slice",
    }
}

/// The rule of the first wrong key of the page object.
pub(super) fn broken_key(answer: &Answer<'_>) -> &'static str {
    let is_empty = answer.page_value("total").1.as_u64() == Some(0);
    let pages = if is_empty { "paging/object-pages-empty" } else { "paging/object-pages" };
    let keys = [
        ("page", "paging/object-page"),
        ("limit", "paging/object-limit"),
        ("total", "paging/object-total"),
        ("pages", pages),
        ("hasNext", "paging/object-has-next"),
        ("hasPrev", "paging/object-has-prev"),
    ];
    let wrong = keys.iter().find(|(key, _)| answer.contradicts(key));
    wrong.map_or("paging/object-keys", |(_, rule)| rule)
}
