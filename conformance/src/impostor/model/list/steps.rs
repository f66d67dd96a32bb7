//! The steps of the list operation, which a fault or a reading may replace. Each default is the model's own, see `own`. Does none itself.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::{CollatorBorrowed, CollatorPreferences};
use serde_json::{Map, Value};

use super::converted::Converted;
use super::page::Page;

/// What a list does, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Stage {
    Filter,
    Sort,
    /// Cuts the page.
    Page,
    /// Leaves the listed fields.
    Select,
}

/// The steps of a list.
#[derive(Clone, Debug)]
pub struct ListSteps {
    pub(crate) stages: [Stage; 4],
    /// Splits a raw query into pairs.
    pub(crate) pairs: fn(&str) -> Vec<&str>,
    /// Decodes a name or a value of a pair.
    pub(crate) decode: fn(&str) -> String,
    /// Maps a decoded name to the parameter that it means.
    pub(crate) name: fn(&str) -> String,

    /// Converts all values of one parameter.
    pub(crate) convert_all: fn(&[String], &ListSteps) -> Converted,
    /// Splits a value at its commas.
    pub(crate) split: fn(&str) -> Vec<&str>,
    /// Converts one item of a comma list.
    pub(crate) convert_item: fn(&str, &ListSteps) -> Converted,
    pub(crate) boolean: fn(&str) -> Option<bool>,
    pub(crate) number: fn(&str) -> Option<f64>,
    /// Milliseconds since 1970.
    pub(crate) date: fn(&str) -> Option<f64>,

    /// The texts that the values of `q` search for.
    pub(crate) q_texts: fn(&[String]) -> Vec<String>,
    /// Whether a text makes `q` filter nothing.
    pub(crate) q_filters_nothing: fn(&str) -> bool,
    pub(crate) is_found: fn(&Value, &[String], &ListSteps) -> bool,
    /// The searched texts of a field, given its name.
    pub(crate) field_texts: fn(&str, &Value) -> Vec<String>,
    /// Folds the letter case of a text.
    pub(crate) fold: fn(&str) -> String,
    /// Whether a folded field contains the folded text.
    pub(crate) contains: fn(&str, &str) -> bool,

    /// Whether a parameter of this name is an equality filter.
    pub(crate) is_equality_filter: fn(&str) -> bool,
    pub(crate) is_equal: fn(&Value, &[(&str, Converted)], &ListSteps) -> bool,
    pub(crate) has_equal_field: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    pub(crate) equals: fn(&Value, &Converted, &ListSteps) -> bool,
    pub(crate) loosely_equal: fn(&Value, &Converted) -> bool,

    pub(crate) is_within: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    pub(crate) min_keeps: fn(Option<Ordering>) -> bool,
    pub(crate) max_keeps: fn(Option<Ordering>) -> bool,
    /// Compares a field with a bound.
    pub(crate) relation: fn(&Value, &Converted) -> Option<Ordering>,

    pub(crate) has_truth: fn(&Value, &str, &Converted, &ListSteps) -> bool,
    /// Whether a value of `is_` asks for true.
    pub(crate) wanted_truth: fn(&Converted) -> bool,
    pub(crate) field_has_truth: fn(&Value, bool) -> bool,

    pub(crate) sort: fn(&mut Vec<Cow<'_, Value>>, &[String], &ListSteps),
    pub(crate) sort_names: fn(&[String]) -> Vec<String>,
    pub(crate) collation: fn() -> CollatorPreferences,
    pub(crate) compare_texts: fn(&str, &str, Option<&CollatorBorrowed<'_>>) -> Ordering,
    /// Compares two fields of which one at least is not a string.
    pub(crate) compare_values: fn(&Value, &Value) -> Ordering,
    pub(crate) sort_field: for<'a> fn(&'a Value, &str) -> Option<&'a Value>,
    /// Compares two books of which one lacks the field, given whether each has it; nothing ends the comparison.
    pub(crate) missing: fn(bool, bool) -> Option<Ordering>,

    pub(crate) select: fn(&mut [Cow<'_, Value>], &[String], &ListSteps),
    pub(crate) field_names: fn(&[String]) -> Vec<String>,
    /// The listed fields of an item.
    pub(crate) selected: fn(&Value, &[String]) -> Map<String, Value>,

    /// The one of several values of page or limit that counts; nothing is unparsable.
    pub(crate) counted: fn(&[String]) -> Option<&str>,
    pub(crate) page_default: f64,
    pub(crate) page_unparsable: f64,
    pub(crate) parse_page: fn(&str) -> Option<f64>,
    pub(crate) page_of: fn(f64) -> f64,
    pub(crate) limit_default: u64,
    pub(crate) limit_unparsable: u64,
    pub(crate) parse_limit: fn(&str) -> Option<f64>,
    pub(crate) limit_of: fn(f64) -> u64,
    /// The page that is shown, given limit and total.
    pub(crate) page_within: fn(f64, u64, u64) -> f64,
    /// How many items come before a page of this limit.
    pub(crate) start: fn(f64, u64) -> f64,
    /// The total, given how many books the filters kept, how many there are, and how many the page shows.
    pub(crate) total: fn(u64, u64, u64) -> u64,
    /// How many pages of this limit a total has.
    pub(crate) pages: fn(u64, u64) -> u64,
    /// Given page, limit and total.
    pub(crate) has_next: fn(f64, u64, u64) -> bool,
    /// Given page and total.
    pub(crate) has_prev: fn(f64, u64) -> bool,
    pub(crate) pagination: fn(&Page) -> Value,
}
