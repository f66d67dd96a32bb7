//! Variations of the chapter paging.

use libros_conformance_model::list::filter::is_equality_filter;
use libros_conformance_model::list::page::{Page, pagination};
use libros_conformance_model::list::paging::{first, limit_of};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "page-filters-too" breaks "paging/page-slice" and "list/reserved-no-filters": "page is also an equality filter on a field named page."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "page";
    "limit-filters-too" breaks "paging/limit-exact" and "list/reserved-no-filters": "limit is also an equality filter on a field named limit."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "limit";
    "page-default-0" breaks "paging/page-default" and "paging/object-page": "The page without a parameter page is 0."
        => steps |s| s.list.page_default = 0.0;
    "page-ignored" breaks "paging/page-slice": "Every page shows the first."
        => steps |s| s.list.page_of = |_| 1.0;
    "page-zero-kept" breaks "paging/page-minimum": "Page 0 is reported as page 0."
        => steps |s| s.list.page_of = |number| if number == 0.0 { 0.0 } else { number.max(1.0) };
    "page-negative-turned-round" breaks "paging/page-minimum": "Page -2 is read as page 2."
        => steps |s| s.list.page_of = |number| number.abs().max(1.0);
    "page-unparsable-is-0" breaks "paging/page-unparsable": "A page that is not a number is read as page 0."
        => steps |s| s.list.page_unparsable = 0.0;
    "page-fraction-rounded" breaks "paging/number-fraction": "Page 2.7 is read as page 3."
        => steps |s| s.list.parse_page = |text| js::parse_int(text).map(|_| js::to_number(text).round());
    "page-starts-one-late" breaks "paging/page-slice": "Each page misses its first item."
        => steps |s| s.list.start = |page, limit| (page - 1.0) * limit as f64 + 1.0;
    "pages-overlap-by-one" breaks "paging/page-slice": "Each page repeats the last item of the page before."
        => steps |s| s.list.start = |page, limit| (page - 1.0) * (limit as f64 - 1.0);
    "page-huge-wraps" breaks "paging/page-huge": "A page beyond 32 bits wraps around to a small one."
        => steps |s| s.list.page_of = |number| f64::from(number.max(1.0) as u64 as u32).max(1.0);
    "limit-default-is-20" breaks "paging/limit-default": "Without limit a page holds 20 items."
        => steps |s| s.list.limit_default = 20;
    "limit-max-is-99" breaks "paging/limit-exact": "A limit of 100 is cut to 99."
        => steps |s| s.list.limit_of = |number| limit_of(number).min(99);
    "limit-max-is-50" breaks "paging/limit-exact": "A limit above 50 is cut to 50."
        => steps |s| s.list.limit_of = |number| limit_of(number).min(50);
    "limit-min-is-5" breaks "paging/limit-exact": "A limit below 5 is raised to 5."
        => steps |s| s.list.limit_of = |number| limit_of(number).max(5);
    "limit-max-is-101" breaks "paging/limit-maximum": "A limit of 101 is let through."
        => steps |s| s.list.limit_of = |number| if number > 100.0 { 101 } else { limit_of(number) };
    "limit-max-is-1000" breaks "paging/limit-maximum": "A limit may go up to 1000."
        => steps |s| s.list.limit_of = |number| if number > 100.0 { number.min(1000.0) as u64 } else { limit_of(number) };
    "limit-above-max-is-default" breaks "paging/limit-maximum": "A limit above 100 is read as 10."
        => steps |s| s.list.limit_of = |number| if number > 100.0 { 10 } else { limit_of(number) };
    "limit-huge-wraps" breaks "paging/limit-huge": "A limit beyond 32 bits wraps around to a small one."
        => steps |s| s.list.parse_limit = |text| js::parse_int(text).map(|limit| if limit > f64::from(u32::MAX) { f64::from(limit as i64 as u32) } else { limit });
    "limit-zero-is-1" breaks "paging/limit-zero": "A limit of 0 is read as 1."
        => steps |s| s.list.limit_of = |number| if number == 0.0 { 1 } else { limit_of(number) };
    "limit-unparsable-is-100" breaks "paging/limit-unparsable": "A limit that is not a number is read as 100."
        => steps |s| s.list.limit_unparsable = 100;
    "limit-negative-is-100" breaks "paging/limit-negative": "A negative limit is read as 100."
        => steps |s| s.list.limit_of = |number| if number < 0.0 { 100 } else { limit_of(number) };
    "pagination-in-snake-case" breaks "paging/object-keys": "hasNext and hasPrev in paginacion are spelled has_next and has_prev."
        => steps |s| s.list.pagination = in_snake_case;
    "pagination-has-offset" breaks "paging/object-keys": "paginacion also has a key offset."
        => steps |s| s.list.pagination =
            |page| with(page, "offset", json!((page.page - 1.0) * page.limit as f64));
    "pagination-as-text" breaks "paging/object-total": "total in paginacion is a text."
        => steps |s| s.list.pagination = |page| with(page, "total", json!(page.total.to_string()));
    "object-page-from-0" breaks "paging/object-page": "page in paginacion counts from 0."
        => steps |s| s.list.pagination = |page| with(page, "page", json!(page.page - 1.0));
    "object-limit-is-shown" breaks "paging/object-limit": "limit in paginacion is the number of items on the page."
        => steps |s| s.list.pagination = |page| with(page, "limit", json!(page.datos.len()));
    "total-counts-the-page" breaks "paging/object-total": "total in paginacion counts only the items of the page."
        => steps |s| s.list.total = |_, _, shown| shown;
    "total-before-filtering" breaks "paging/object-total": "total in paginacion counts all books, also those filtered out."
        => steps |s| s.list.total = |_, all, _| all;
    "pages-rounds-down" breaks "paging/object-pages": "pages in paginacion is rounded down."
        => steps |s| s.list.pages = |total, limit| total / limit;
    "pages-plus-one" breaks "paging/object-pages": "pages in paginacion is one too many when the last page is full."
        => steps |s| s.list.pages = |total, limit| total / limit + 1;
    "pages-at-least-one" breaks "paging/object-pages-empty": "pages in paginacion is 1 for an empty result."
        => steps |s| s.list.pages = |total, limit| total.div_ceil(limit).max(1);
    "has-next-on-full-last-page" breaks "paging/object-has-next": "hasNext in paginacion is true on a last page that is full."
        => steps |s| s.list.has_next = |page, limit, total| page * (limit as f64) <= total as f64;
    "has-next-beyond-the-end" breaks "paging/object-has-next": "hasNext in paginacion is true on a page beyond the last."
        => steps |s| s.list.has_next = |page, limit, total| page * (limit as f64) < total as f64 || page > 1.0 && (page - 1.0) * (limit as f64) >= total as f64;
    "has-next-always-false" breaks "paging/object-has-next": "hasNext in paginacion is always false."
        => steps |s| s.list.has_next = |_, _, _| false;
    "has-prev-from-page-1" breaks "paging/object-has-prev": "hasPrev in paginacion is true on the first page."
        => steps |s| s.list.has_prev = |page, _| page >= 1.0;
    "has-prev-always-false" breaks "paging/object-has-prev": "hasPrev in paginacion is always false."
        => steps |s| s.list.has_prev = |_, _| false;
    "has-prev-false-when-empty" breaks "paging/object-has-prev": "hasPrev in paginacion is false on any page of an empty result."
        => steps |s| s.list.has_prev = |page, total| page > 1.0 && total > 0;
    "limit-negative-is-default" breaks "paging/limit-negative": "A negative limit is read as 10."
        => steps |s| s.list.limit_of = |number| if number < 0.0 { 10 } else { limit_of(number) };
    "empty-result-tells-page-1" breaks "paging/page-beyond-end": "Any page of an empty result is reported as page 1."
        => steps |s| s.list.pagination = |page| if page.total == 0 { as_first_page(page) } else { pagination(page) };
    "page-clamped-to-the-last" breaks "paging/page-beyond-end": "A page beyond the end shows the last page."
        => steps |s| s.list.page_within = |page, limit, total| page.min(total.div_ceil(limit).max(1) as f64);
    "fractions-unparsable" by "paging/number-fraction": "A page or limit with decimals counts as no number."
        => steps |s| s.list.counted = |values| first(values).filter(|text| !text.contains('.'));
    "infinite-numbers-kept" by "paging/number-beyond-finite": "A page or limit of more digits than a number can hold counts as infinite."
        => steps |s| {
            s.list.parse_page = parse_without_end;
            s.list.parse_limit = parse_without_end;
        };
    "limit-below-1-is-1" by "paging/number-fraction": "A limit between 0 and 1 is read as 1."
        => steps |s| s.list.parse_limit = |text| if is_fraction_of_one(text) { Some(1.0) } else { js::parse_int(text) };
    "numbers-with-text-unparsable" by "paging/number-trailing-text": "A page or limit with other characters after its digits counts as no number."
        => steps |s| s.list.counted = |values| first(values).filter(|text| is_plain_decimal(text));
    "last-number-counts" by "paging/number-repeated": "Only the last value of a repeated page or limit counts."
        => steps |s| s.list.counted = |values| values.last().and_then(|text| text.rsplit(',').next());
    "repeated-numbers-unparsable" by "paging/number-repeated": "A repeated page or limit counts as no number."
        => steps |s| s.list.counted = |values| first(values).filter(|text| values.len() == 1 && !text.contains(','));
};

fn with(page: &Page<'_>, key: &str, value: Value) -> Value {
    let mut object = pagination(page);
    object[key] = value;
    object
}

fn as_first_page(page: &Page<'_>) -> Value {
    let mut object = with(page, "page", json!(1));
    object["hasPrev"] = json!(false);
    object
}

fn in_snake_case(page: &Page<'_>) -> Value {
    let object = pagination(page);
    let Value::Object(keys) = object else { return object };
    let snake_case = |key: String| match key.as_str() {
        "hasNext" => "has_next".to_owned(),
        "hasPrev" => "has_prev".to_owned(),
        _ => key,
    };
    keys.into_iter().map(|(key, value)| (snake_case(key), value)).collect()
}

fn is_plain_decimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.'))
}

fn parse_without_end(text: &str) -> Option<f64> {
    if text.len() > 300 && is_plain_decimal(text) { Some(1e300) } else { js::parse_int(text) }
}

fn is_fraction_of_one(text: &str) -> bool {
    text.contains('.') && (0.0..1.0).contains(&js::to_number(text))
}
