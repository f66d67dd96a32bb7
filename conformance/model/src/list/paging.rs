//! Page and limit as numbers. Cuts nothing.

use super::steps::ListSteps;

/// The page asked for: default 1, unparsable 1, minimum 1.
pub fn page(values: &[String], steps: &ListSteps) -> f64 {
    let number = (steps.counted)(values).and_then(steps.parse_page);
    if values.is_empty() { steps.page_default } else { number.map_or(steps.page_unparsable, steps.page_of) }
}

/// Items a page: default 10, unparsable 10.
pub fn limit(values: &[String], steps: &ListSteps) -> u64 {
    let number = (steps.counted)(values).and_then(steps.parse_limit);
    if values.is_empty() { steps.limit_default } else { number.map_or(steps.limit_unparsable, steps.limit_of) }
}

/// Zero is 10, the minimum is 1, the maximum 100.
pub fn limit_of(number: f64) -> u64 {
    if number == 0.0 { 10 } else { number.clamp(1.0, 100.0) as u64 }
}

pub fn first(values: &[String]) -> Option<&str> {
    values.first().map(String::as_str)
}
