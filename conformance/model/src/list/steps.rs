//! The steps of the list operation, where implementers err or choose. Does none itself.

use std::borrow::Cow;
use std::cmp::Ordering;

use icu_collator::{CollatorBorrowed, CollatorPreferences};
use icu_locale_core::locale;
use serde_json::{Map, Value};

use super::converted::Converted;
use super::page::Page;
use super::{compare, filter, names, page, paging, query, select, selected, sort, value};
use crate::js;
use crate::steps::steps;

/// What a list does, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    Filter,
    Sort,
    /// Cuts the page.
    Page,
    /// Leaves the listed fields.
    Select,
}

steps! {
    /// The steps of a list.
    ListSteps {
        stages: [Stage; 4] = [Stage::Filter, Stage::Sort, Stage::Page, Stage::Select];
        /// Splits a raw query into pairs.
        pairs: fn(&str) -> Vec<&str> = query::pairs;
        /// Decodes a name or a value of a pair.
        decode: fn(&str) -> String = query::decode_form;
        /// Maps a decoded name to the parameter that it means.
        name: fn(&str) -> String = str::to_owned;

        /// Converts all values of one parameter.
        convert_all: fn(&[String], &ListSteps) -> Converted = value::convert_all;
        /// Splits a value at its commas.
        split: fn(&str) -> Vec<&str> = value::split;
        /// Converts one item of a comma list.
        convert_item: fn(&str, &ListSteps) -> Converted = value::convert_one;
        boolean: fn(&str) -> Option<bool> = value::boolean;
        number: fn(&str) -> Option<f64> = value::number;
        /// Milliseconds since 1970.
        date: fn(&str) -> Option<f64> = value::iso_date;

        /// The texts that the values of `q` search for.
        q_texts: fn(&[String]) -> Vec<String> = <[String]>::to_vec;
        /// Whether a text makes `q` filter nothing.
        q_filters_nothing: fn(&str) -> bool = str::is_empty;
        is_found: fn(&Value, &[String], &ListSteps) -> bool = filter::is_found;
        /// The searched texts of a field, given its name.
        field_texts: fn(&str, &Value) -> Vec<String> = filter::own_text;
        /// Folds the letter case of a text.
        fold: fn(&str) -> String = str::to_lowercase;
        /// Whether a folded field contains the folded text.
        contains: fn(&str, &str) -> bool = |field, text| field.contains(text);

        /// Whether a parameter of this name is an equality filter.
        is_equality_filter: fn(&str) -> bool = filter::is_equality_filter;
        is_equal: fn(&Value, &[(&str, Converted)], &ListSteps) -> bool = filter::is_equal;
        has_equal_field: fn(&Value, &str, &Converted, &ListSteps) -> bool = filter::has_equal_field;
        equals: fn(&Value, &Converted, &ListSteps) -> bool = filter::equals;
        loosely_equal: fn(&Value, &Converted) -> bool = compare::loosely_equal;

        is_within: fn(&Value, &str, &Converted, &ListSteps) -> bool = filter::is_within;
        min_keeps: fn(Option<Ordering>) -> bool = |order| matches!(order, Some(Ordering::Greater | Ordering::Equal));
        max_keeps: fn(Option<Ordering>) -> bool = |order| matches!(order, Some(Ordering::Less | Ordering::Equal));
        /// Compares a field with a bound.
        relation: fn(&Value, &Converted) -> Option<Ordering> = compare::relation;

        has_truth: fn(&Value, &str, &Converted, &ListSteps) -> bool = filter::has_truth;
        /// Whether a value of `is_` asks for true.
        wanted_truth: fn(&Converted) -> bool = filter::wanted_truth;
        field_has_truth: fn(&Value, bool) -> bool = |field, wanted| js::truthy(field) == wanted;

        sort: fn(&mut Vec<Cow<'_, Value>>, &[String], &ListSteps) = sort::sort;
        sort_names: fn(&[String]) -> Vec<String> = names::names;
        collation: fn() -> CollatorPreferences = || locale!("en-US").into();
        compare_texts: fn(&str, &str, Option<&CollatorBorrowed<'_>>) -> Ordering = sort::compare_texts;
        /// Compares two fields of which one at least is not a string.
        compare_values: fn(&Value, &Value) -> Ordering = compare::compare_fields;
        sort_field: for<'a> fn(&'a Value, &str) -> Option<&'a Value> = |book, name| book.get(name);
        /// Compares two books of which one lacks the field, given whether each has it; nothing ends the comparison.
        missing: fn(bool, bool) -> Option<Ordering> = |_, _| Some(Ordering::Equal);

        select: fn(&mut [Cow<'_, Value>], &[String], &ListSteps) = select;
        field_names: fn(&[String]) -> Vec<String> = names::names;
        /// The listed fields of an item.
        selected: fn(&Value, &[String]) -> Map<String, Value> = selected;

        /// The one of several values of page or limit that counts; nothing is unparsable.
        counted: fn(&[String]) -> Option<&str> = paging::first;
        page_default: f64 = 1.0;
        page_unparsable: f64 = 1.0;
        parse_page: fn(&str) -> Option<f64> = js::parse_int;
        page_of: fn(f64) -> f64 = |number| number.max(1.0);
        limit_default: u64 = 10;
        limit_unparsable: u64 = 10;
        parse_limit: fn(&str) -> Option<f64> = js::parse_int;
        limit_of: fn(f64) -> u64 = paging::limit_of;
        /// The page that is shown, given limit and total.
        page_within: fn(f64, u64, u64) -> f64 = |page, _, _| page;
        /// How many items come before a page of this limit.
        start: fn(f64, u64) -> f64 = paging::start;
        /// The total, given how many books the filters kept, how many there are, and how many the page shows.
        total: fn(u64, u64, u64) -> u64 = |kept, _, _| kept;
        /// How many pages of this limit a total has.
        pages: fn(u64, u64) -> u64 = u64::div_ceil;
        /// Given page, limit and total.
        has_next: fn(f64, u64, u64) -> bool = paging::has_next;
        /// Given page and total.
        has_prev: fn(f64, u64) -> bool = |page, _| page > 1.0;
        pagination: fn(&Page) -> Value = page::pagination;
    }
}
