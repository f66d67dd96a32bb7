//! Page and limit as numbers, and what is reported about them. Cuts nothing.

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
