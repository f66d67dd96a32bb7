//! The steps of the list operation, where implementers err or choose: a function or a value each. `defaults` has the model's own.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::{CollatorBorrowed, CollatorPreferences};
use serde_json::{Map, Value};

use super::converted::Converted;
use super::page::Page;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    Filter,
    Sort,
    Page,
    Select,
}

#[derive(Clone, Debug)]
pub struct ListSteps {
    pub stages: [Stage; 4],
    pub pairs: fn(&str) -> Vec<&str>,
    pub decode: fn(&str) -> String,
    /// Maps a decoded name to the parameter that it means.
    pub name: fn(&str) -> String,

    pub convert_all: fn(&[String], &ListSteps) -> Converted,
    pub split: fn(&str) -> Vec<&str>,
    pub convert_item: fn(&str, &ListSteps) -> Converted,
    pub boolean: fn(&str) -> Option<bool>,
    pub number: fn(&str) -> Option<f64>,
    /// Milliseconds since 1970.
    pub date: fn(&str) -> Option<f64>,

    /// The texts that the values of `q` search for.
    pub q_texts: fn(&[String]) -> Vec<String>,
    pub q_filters_nothing: fn(&str) -> bool,
    pub is_found: fn(&Value, &[String], &ListSteps) -> bool,
    /// The searched texts of a field, given its name.
    pub field_texts: fn(&str, &Value) -> Vec<String>,
    pub fold: fn(&str) -> String,
    pub contains: fn(&str, &str) -> bool,

    pub is_equality_filter: fn(&str) -> bool,
    pub is_equal: fn(&Value, &[(&str, Converted)], &ListSteps) -> bool,
    pub has_equal_field: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    pub equals: fn(&Value, &Converted, &ListSteps) -> bool,
    pub loosely_equal: fn(&Value, &Converted) -> bool,

    pub is_within: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    pub min_keeps: fn(Option<Ordering>) -> bool,
    pub max_keeps: fn(Option<Ordering>) -> bool,
    pub relation: fn(&Value, &Converted) -> Option<Ordering>,

    pub has_truth: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    pub wanted_truth: fn(&Converted) -> bool,
    pub field_has_truth: fn(&Value, bool) -> bool,

    pub sort: fn(&mut Vec<Cow<'_, Value>>, &[String], &ListSteps),
    pub sort_names: fn(&[String]) -> Vec<String>,
    pub collation: fn() -> CollatorPreferences,
    pub compare_texts: fn(&str, &str, Option<&CollatorBorrowed<'_>>) -> Ordering,
    /// Compares two fields of which one at least is not a string.
    pub compare_values: fn(&Value, &Value) -> Ordering,
    pub sort_field: for<'a> fn(&'a Value, &str) -> Option<&'a Value>,
    /// Compares two books of which one lacks the field, given whether each has it; `None` ends the comparison.
    pub missing: fn(bool, bool) -> Option<Ordering>,

    pub select: fn(&mut [Cow<'_, Value>], &[String], &ListSteps),
    pub field_names: fn(&[String]) -> Vec<String>,
    pub selected: fn(&Value, &[String]) -> Map<String, Value>,

    /// Picks the value that counts, of several values of `page` or `limit`; `None` counts as unparsable.
    pub counted: fn(&[String]) -> Option<&str>,
    pub page_default: f64,
    pub page_unparsable: f64,
    pub parse_page: fn(&str) -> Option<f64>,
    pub page_of: fn(f64) -> f64,
    pub limit_default: u64,
    pub limit_unparsable: u64,
    pub parse_limit: fn(&str) -> Option<f64>,
    pub limit_of: fn(f64) -> u64,
    pub page_within: fn(f64, u64, u64) -> f64,
    pub start: fn(f64, u64) -> f64,
    /// The total, given how many books the filters kept, how many there are, and how many the page shows.
    pub total: fn(u64, u64, u64) -> u64,
    pub pages: fn(u64, u64) -> u64,
    pub has_next: fn(f64, u64, u64) -> bool,
    pub has_prev: fn(f64, u64) -> bool,
    pub pagination: fn(&Page<'_>) -> Value,
}
