//! Which rule a wrong list breaks: the one whose known slip answers just the same, else the one its question is about.

use serde_json::Value;

use super::query::Query;
use super::sample_books::MARKER;
use crate::http::reply::same;
use crate::impostor::faults::{self, Faults};
use crate::impostor::model::list::{body, list};

/// Every rule that may be named: those that a slip in lists breaks.
pub const RULES: [&str; 82] = [
    "list/repeated",
    "list/comma-list",
    "list/comma-list-converts",
    "list/convert-number",
    "list/loose-number-text-forms",
    "list/date-other-day",
    "list/convert-boolean",
    "list/convert-boolean-case",
    "list/percent-decoding",
    "list/empty-pairs",
    "list/parameter-case",
    "list/q-contains",
    "list/sort-ascending",
    "list/fields-select",
    "list/range-min-max-ignored",
    "list/q-case",
    "list/q-text-only",
    "list/q-literal",
    "list/q-as-sent",
    "list/equal-keeps",
    "list/equal-lacking",
    "list/equal-own-field",
    "list/equal-all-hold",
    "list/equal-text-exact",
    "list/loose-number-text",
    "list/loose-number-other-text",
    "list/loose-boolean-number",
    "list/loose-boolean-number-text",
    "list/loose-false-empty-text",
    "list/loose-true-text",
    "list/loose-number-boolean-field",
    "list/loose-null",
    "list/min-keeps",
    "list/max-keeps",
    "list/min-inclusive",
    "list/bound-lacking",
    "list/min-faces-equality",
    "list/max-inclusive",
    "list/max-faces-equality",
    "list/prefixed-equality-value",
    "list/bound-empty-name",
    "list/is-truthiness",
    "list/is-falsy-values",
    "list/is-lacking",
    "list/is-faces-equality",
    "list/is-other-values",
    "list/sort-descending",
    "list/sort-several",
    "list/sort-repeated",
    "list/sort-numbers",
    "list/sort-text-locale",
    "list/sort-missing",
    "list/sort-unknown-field",
    "list/sort-empty-name",
    "list/sort-minus-once",
    "list/fields-repeated",
    "list/fields-lacking",
    "list/fields-no-id-added",
    "list/fields-empty-name",
    "list/order-filter-before-page",
    "list/order-sort-before-page",
    "list/order-fields-last",
    "paging/page-slice",
    "paging/limit-exact",
    "paging/page-default",
    "paging/object-page",
    "paging/page-minimum",
    "paging/page-unparsable",
    "paging/number-fraction",
    "paging/page-huge",
    "paging/limit-default",
    "paging/limit-maximum",
    "paging/limit-zero",
    "paging/limit-unparsable",
    "paging/limit-negative",
    "paging/object-keys",
    "paging/object-total",
    "paging/object-limit",
    "paging/object-pages",
    "paging/object-pages-empty",
    "paging/object-has-next",
    "paging/object-has-prev",
];

/// The rule that a body breaks which is not the one wanted.
pub(super) fn rule(books: &[Value], query: &Query, want: &Value, got: &Value) -> &'static str {
    slip(books, query, got).unwrap_or_else(|| subject(query, want, got))
}

/// The rule of the first known slip that answers so.
fn slip(books: &[Value], query: &Query, got: &Value) -> Option<&'static str> {
    let query = query.to_string();
    let explains = |faults: &Faults| same(&body(&list(books, &query, faults.policy()), faults.policy()), got);
    faults::all()
        .filter(|fault| RULES.contains(&fault.rule))
        .find(|fault| Faults::one(fault.id).is_some_and(|faults| explains(&faults)))
        .map(|fault| fault.rule)
}

/// What the question is about: its one parameter besides the marker, or the order of its steps.
fn subject(query: &Query, want: &Value, got: &Value) -> &'static str {
    let differs = |pointer: &str| {
        let at = |body: &Value| body.pointer(pointer).cloned().unwrap_or_default();
        !same(&at(want), &at(got))
    };
    if !differs("/datos") {
        let keys = [
            ("page", "paging/object-page"),
            ("limit", "paging/object-limit"),
            ("total", "paging/object-total"),
            ("pages", "paging/object-pages"),
            ("hasNext", "paging/object-has-next"),
            ("hasPrev", "paging/object-has-prev"),
        ];
        let wrong = keys.iter().find(|(key, _)| differs(&format!("/metadata/paginacion/{key}")));
        return wrong.map_or("paging/object-keys", |(_, rule)| rule);
    }
    let mut steps: Vec<&'static str> =
        query.without(&[MARKER]).0.iter().map(|parameter| step(&parameter.name, parameter.values.is_empty())).collect();
    steps.sort_unstable();
    steps.dedup();
    match steps[..] {
        [] => "list/equal-keeps",
        [one] => one,
        _ if steps.contains(&"list/fields-select") => "list/order-fields-last",
        _ if !steps.iter().any(|step| step.starts_with("paging/")) => "list/equal-all-hold",
        _ if steps.contains(&"list/sort-ascending") => "list/order-sort-before-page",
        _ => "list/order-filter-before-page",
    }
}

fn step(name: &str, is_empty_pair: bool) -> &'static str {
    match name {
        "" if is_empty_pair => "list/empty-pairs",
        "q" => "list/q-contains",
        "sort" => "list/sort-ascending",
        "fields" => "list/fields-select",
        "page" => "paging/page-slice",
        "limit" => "paging/limit-exact",
        _ if name.starts_with("min_") => "list/min-keeps",
        _ if name.starts_with("max_") => "list/max-keeps",
        _ if name.starts_with("is_") => "list/is-truthiness",
        _ => "list/equal-keeps",
    }
}
