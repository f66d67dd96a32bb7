//! Page and limit as numbers, and what is reported about them. Cuts nothing.

use super::super::js;
use crate::impostor::policy::paging::{BeyondEnd, PagingPolicy};

/// The page asked for: default 1, unparsable 1, minimum 1.
pub(crate) fn page(values: &[String], policy: &PagingPolicy) -> f64 {
    let at_least_1 = |number: f64| number.max(1.0);
    match number(values, policy.page.parse, policy) {
        _ if values.is_empty() => policy.page.default,
        None => policy.page.unparsable,
        Some(number) => policy.page.of_number.map_or_else(|| at_least_1(number), |of_number| of_number(number)),
    }
}

/// Items a page: default 10, unparsable or zero 10, minimum 1, maximum 100.
pub(crate) fn limit(values: &[String], policy: &PagingPolicy) -> u64 {
    let limit = &policy.limit;
    match number(values, limit.parse, policy) {
        _ if values.is_empty() => limit.default,
        None => limit.unparsable,
        Some(0.0) => limit.zero,
        Some(number) if number < 0.0 => limit.negative,
        Some(number) if number > limit.max as f64 => limit.above_max.unwrap_or(limit.max),
        Some(number) => limit.min.max(number as u64),
    }
}

/// The number of a parameter: the first value's, as parseInt reads it.
fn number(values: &[String], parse: Option<fn(&str) -> Option<f64>>, policy: &PagingPolicy) -> Option<f64> {
    let is_parsable = !policy.unparsable.iter().any(|is_unparsable| is_unparsable(values));
    let counted = policy.counted.unwrap_or(first)(values).filter(|_| is_parsable)?;
    parse.unwrap_or(js::parse_int)(counted)
}

fn first(values: &[String]) -> Option<&str> {
    values.first().map(String::as_str)
}

/// What a page beyond the end becomes.
pub(crate) fn within(page: f64, limit: u64, total: u64, beyond_end: BeyondEnd) -> f64 {
    match beyond_end {
        BeyondEnd::Empty => page,
        BeyondEnd::LastPage => page.min(total.div_ceil(limit).max(1) as f64),
    }
}

/// How many items come before the page.
pub(crate) fn start(page: f64, limit: u64) -> f64 {
    (page - 1.0) * limit as f64
}

/// Whether a later item exists.
pub(crate) fn has_next(page: f64, limit: u64, total: u64) -> bool {
    page * (limit as f64) < total as f64
}
