//! Page and limit: numbers read otherwise, and a wrong page object. Never cuts a page.

use super::{Answer, rules as rule};
use libros_conformance_model::js;

const HUGE: f64 = 1e6;

/// The rule of the page or limit that is in effect with another number than the one sent.
pub(super) fn broken_number(answer: &Answer<'_>) -> Option<&'static str> {
    let has_same_items = answer.has_same_items();
    // Plain numbers that do not change the items are reported wrongly, not read wrongly.
    let counts_items = answer.page_value("limit").0.as_u64() == Some(answer.items().len() as u64);
    if answer.tells_otherwise("limit") && !(has_same_items && counts_items) {
        return Some(limit_rule(answer));
    }
    let page = page_rule(answer);
    (answer.tells_otherwise("page") && !(has_same_items && page == rule::PAGE_SLICE)).then_some(page)
}

pub(super) fn limit_rule(answer: &Answer<'_>) -> &'static str {
    let Some(text) = answer.values("limit").first() else { return rule::LIMIT_DEFAULT };
    match js::parse_int(text) {
        _ if text.contains('.') => rule::NUMBER_FRACTION,
        None => rule::LIMIT_UNPARSABLE,
        Some(0.0) => rule::LIMIT_ZERO,
        Some(number) if number < 0.0 => rule::LIMIT_NEGATIVE,
        Some(number) if number > 100.0 => rule::LIMIT_MAXIMUM,
        Some(_) => rule::LIMIT_EXACT,
    }
}

pub(super) fn page_rule(answer: &Answer<'_>) -> &'static str {
    let Some(text) = answer.values("page").first() else { return rule::PAGE_DEFAULT };
    match js::parse_int(text) {
        _ if text.contains('.') => rule::NUMBER_FRACTION,
        None => rule::PAGE_UNPARSABLE,
        Some(number) if number < 1.0 => rule::PAGE_MINIMUM,
        Some(number) if number > HUGE => rule::PAGE_HUGE,
        Some(_) => rule::PAGE_SLICE,
    }
}

/// The rule of the first wrong key of the page object.
pub(super) fn broken_key(answer: &Answer<'_>) -> &'static str {
    let is_empty = answer.page_value("total").1.as_u64() == Some(0);
    let pages = if is_empty { rule::OBJECT_PAGES_EMPTY } else { rule::OBJECT_PAGES };
    let keys = [
        ("page", rule::OBJECT_PAGE),
        ("limit", rule::OBJECT_LIMIT),
        ("total", rule::OBJECT_TOTAL),
        ("pages", pages),
        ("hasNext", rule::OBJECT_HAS_NEXT),
        ("hasPrev", rule::OBJECT_HAS_PREV),
    ];
    let wrong = keys.iter().find(|(key, _)| answer.tells_otherwise(key));
    wrong.map_or(rule::OBJECT_KEYS, |(_, rule)| rule)
}
