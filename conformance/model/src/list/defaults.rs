//! The default steps of the list operation.

use std::cmp::Ordering;

use icu_locale_core::locale;

use super::steps::{ListSteps, Stage};
use super::{compare, filter, page, paging, query, select, selected, sort, value};
use crate::js;

impl Default for ListSteps {
    fn default() -> Self {
        Self {
            stages: [Stage::Filter, Stage::Sort, Stage::Page, Stage::Select],
            pairs: |raw| raw.split('&').filter(|pair| !pair.is_empty()).collect(),
            // Plus signs are spaces, percent sequences are bytes, bad sequences stay as they are.
            decode: |text| query::percent_decode(&text.replace('+', " ")).0,
            name: str::to_owned,
            convert_all: value::convert_all,
            split: |text| text.split(',').collect(),
            convert_item: value::convert_one,
            boolean: value::boolean,
            number: value::number,
            date: value::iso_date,
            q_texts: <[String]>::to_vec,
            q_filters_nothing: str::is_empty,
            is_found: filter::is_found,
            field_texts: filter::own_text,
            fold: str::to_lowercase,
            contains: |field, text| field.contains(text),
            is_equality_filter: filter::is_equality_filter,
            is_equal: filter::is_equal,
            has_equal_field: filter::has_equal_field,
            equals: filter::equals,
            loosely_equal: compare::loosely_equal,
            is_within: filter::is_within,
            min_keeps: |order| matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            max_keeps: |order| matches!(order, Some(Ordering::Less | Ordering::Equal)),
            relation: compare::relation,
            has_truth: filter::has_truth,
            wanted_truth: filter::wanted_truth,
            field_has_truth: |field, wanted| js::truthy(field) == wanted,
            sort: sort::sort,
            sort_names: query::names,
            collation: || locale!("en-US").into(),
            compare_texts: sort::compare_texts,
            compare_values: compare::compare_fields,
            sort_field: |book, name| book.get(name),
            missing: |_, _| Some(Ordering::Equal),
            select,
            field_names: query::names,
            selected,
            counted: paging::first,
            page_default: 1.0,
            page_unparsable: 1.0,
            parse_page: js::parse_int,
            page_of: |number| number.max(1.0),
            limit_default: 10,
            limit_unparsable: 10,
            parse_limit: js::parse_int,
            limit_of: paging::limit_of,
            page_within: |page, _, _| page,
            start: |page, limit| (page - 1.0) * limit as f64,
            total: |kept, _, _| kept,
            pages: u64::div_ceil,
            has_next: |page, limit, total| page * (limit as f64) < total as f64,
            has_prev: |page, _| page > 1.0,
            pagination: page::pagination,
        }
    }
}
