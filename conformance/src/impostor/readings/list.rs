//! Permitted readings other than the reference's: how a list filters, sorts and selects.

use std::borrow::Cow;
use std::cmp::Ordering;

use chrono::{Months, NaiveDate, TimeDelta};
use icu_collator::CollatorPreferences;
use icu_collator::preferences::CollationNumericOrdering;
use icu_locale_core::locale;
use libros_conformance_model::clock::format;
use libros_conformance_model::js;
use libros_conformance_model::list::compare::{compare_fields, loosely_equal, relation};
use libros_conformance_model::list::converted::Converted;
use libros_conformance_model::list::filter::{
    contains, equals, has_equal_field, is_equality_filter, is_within, wanted_truth,
};
use libros_conformance_model::list::names::names;
use libros_conformance_model::list::query::percent_decode;
use libros_conformance_model::list::sort::sort;
use libros_conformance_model::list::steps::ListSteps;
use libros_conformance_model::list::value::{convert, iso_date, number};
use libros_conformance_model::list::{select, selected};
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "dates-as-text" by "list/convert-date" "list/convert-date-time": "Dates stay texts."
        => steps |s| s.list.date = |_| None;
    "dates-to-the-letter" by "list/convert-date" "list/convert-date-time" "list/date-bounds": "A date never equals a text and bounds none."
        => steps |s| {
            s.list.loosely_equal = |field, value| !matches!(value, Converted::Date(_)) && loosely_equal(field, value);
            s.list.relation = |field, value| relation_unless(matches!(value, Converted::Date(_)) && is_date_text(field), field, value);
        };
    "empty-fields-select-nothing" by "list/fields-empty": "An empty fields leaves empty objects."
        => steps |s| s.list.select = |items, values, steps| match values {
            [] => {}
            _ if names(values).is_empty() => items.iter_mut().for_each(|item| *item = Cow::Owned(json!({}))),
            _ => select(items, values, steps),
        };
    "empty-value-ignored" by "list/empty-value": "A parameter without a value is ignored."
        => steps |s| s.list.has_equal_field =
            |book, name, value, steps| value.is_empty_text() || has_equal_field(book, name, value, steps);
    "equality-scalars-only" by "list/loose-list-field": "A list or an object equals nothing."
        => steps |s| s.list.equals = |field, value, steps| match (field, value) {
            (_, Converted::List(_)) => equals(field, value, steps),
            (Value::Array(_) | Value::Object(_), _) => false,
            _ => equals(field, value, steps),
        };
    "fields-name-the-empty-field" by "list/empty-names": "An empty name in fields is the field of that name."
        => steps |s| s.list.field_names = all_names;
    "sort-names-the-empty-field" by "list/empty-names": "An empty name in sort is the field of that name."
        => steps |s| s.list.sort_names = all_names;
    "sort-skips-names-of-minus" by "list/empty-names": "A name in sort with a further minus, and a lone minus, are skipped."
        => steps |s| s.list.sort_names = |values| names(values).into_iter().filter(|name| name != "-" && !name.starts_with("--")).collect();
    "bare-bounds-bound-nothing" by "list/empty-names": "min_ and max_ with nothing after them bound nothing, and face equality."
        => steps |s| s.list.is_within = is_within_unless_bare;
    "bare-bounds-skipped" by "list/empty-names": "min_ and max_ with nothing after them are skipped."
        => steps |s| {
            s.list.is_within = is_within_unless_bare;
            s.list.is_equality_filter = |name| is_equality_filter(name) && !is_bare_bound(name);
        };
    "fields-in-book-order" by silence: "A selected item keeps the order of the book."
        => steps |s| s.list.selected = |item, names| selected(item, &in_book_order(item, names));
    "impossible-days-are-text" by "list/date-impossible": "A day past the end of its month is no date."
        => steps |s| s.list.date = |text| iso_date(text).filter(|_| !runs_past_its_month(text));
    "impossible-dates-run-on" by "list/date-impossible": "A date past the end of its year, month, day or hour runs on."
        => steps |s| s.list.date = run_on;
    "is-counts-null-as-lacking" by "list/is-null-field": "A field that is null counts as lacking for is_."
        => steps |s| s.list.field_has_truth = |field, wanted| !field.is_null() && js::truthy(field) == wanted;
    "is-list-by-first-item" by "list/is-list-value": "Of a list the first item counts for is_."
        => steps |s| s.list.wanted_truth = |value| wanted_truth(item_of(value, <[Converted]>::first));
    "is-list-by-last-item" by "list/is-list-value": "Of a list the last item counts for is_."
        => steps |s| s.list.wanted_truth = |value| wanted_truth(item_of(value, <[Converted]>::last));
    "list-bounds-keep-nothing" by "list/bound-list-value": "A bound with a list keeps nothing."
        => steps |s| s.list.relation = |field, value| relation_unless(matches!(value, Converted::List(_)), field, value);
    "list-bounds-ignored" by "list/bound-list-value": "A bound with a list bounds nothing."
        => steps |s| s.list.relation = |field, value| if matches!(value, Converted::List(_)) { Some(Ordering::Equal) } else { relation(field, value) };
    "list-bounds-by-first-item" by "list/bound-list-value": "Of a list the first item bounds."
        => steps |s| s.list.relation = |field, value| match value {
            Converted::List(items) => items.first().and_then(|item| relation(field, item)),
            _ => relation(field, value),
        };
    "numbers-bounded-by-the-text-of-a-date" by "list/date-bounds": "A number within bounds of a date is compared with it as text."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::Number(_), Converted::Date(millis)) => Some(js::text_of(field).cmp(&format(*millis as i64, "%Y-%m-%d"))),
            _ => relation(field, value),
        };
    "texts-bounded-by-the-text-of-a-number" by "list/bound-text": "A text within bounds of a number is compared with it as text."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::String(text), Converted::Number(number)) => Some(text.cmp(&js::number_text(*number))),
            _ => relation(field, value),
        };
    "list-field-any-item" by "list/loose-list-field": "A list equals when one of its items does."
        => steps |s| s.list.equals = |field, value, steps| match (field, value) {
            (_, Converted::List(_)) => equals(field, value, steps),
            (Value::Array(items), _) => items.iter().any(|item| !item.is_array() && equals(item, value, steps)),
            _ => equals(field, value, steps),
        };
    "list-items-trimmed" by "list/comma-list-as-sent": "Items of a comma list are trimmed, empty ones dropped."
        => steps |s| s.list.split =
            |text| text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    "names-trimmed" by "list/name-spaces": "Names in sort and fields are trimmed."
        => steps |s| {
            s.list.sort_names = trimmed_names;
            s.list.field_names = trimmed_names;
        };
    "null-never-within-bounds" by "list/bound-null-field": "A field that is null is never within bounds."
        => steps |s| s.list.relation = |field, value| relation_unless(field.is_null(), field, value);
    "plain-numbers-only" by "list/convert-number-forms": "Only plain decimal texts become numbers."
        => steps |s| s.list.number = |text| number(text).filter(|_| is_plain_decimal(text));
    "words-for-infinity-are-numbers" by "list/convert-number-forms": "inf, infinity and nan are numbers."
        => steps |s| s.list.number = |text| number(text).or_else(|| word_for_infinity(text));
    "brackets-nest" by "list/bracketed-names": "A name with brackets is a list or an object under the name before them."
        => steps |s| s.list.name = |name| name_before_brackets(name).to_owned();
    "empty-value-is-its-text" by "list/empty-value": "An empty value equals the empty text alone."
        => steps |s| s.list.loosely_equal = |field, value| if value.is_empty_text() { field == "" } else { loosely_equal(field, value) };
    "empty-value-equals-false-too" by "list/empty-value": "An empty value equals the empty text and false, as in PHP."
        => steps |s| s.list.loosely_equal = |field, value| if value.is_empty_text() { field == "" || *field == false } else { loosely_equal(field, value) };
    "empty-value-equals-nothing" by "list/empty-value": "An empty value equals nothing."
        => steps |s| s.list.loosely_equal = |field, value| !value.is_empty_text() && loosely_equal(field, value);
    "plus-stays-plus" by "list/form-decoding": "A plus sign in a query stays one."
        => steps |s| s.list.decode = |text| percent_decode(text).0;
    "q-all-must-hold" by "list/q-repeated": "Of a repeated q all must hold."
        => steps |s| s.list.is_found = |book, texts, steps| texts.iter().all(|text| contains(book, text, steps));
    "q-folds-fully" by "list/q-case-folding": "q folds case in full."
        => steps |s| s.list.fold = |text| text.to_lowercase().replace('ß', "ss");
    "q-joined" by "list/q-repeated": "A repeated q is one text, joined with commas."
        => steps |s| s.list.q_texts = |values| if values.is_empty() { Vec::new() } else { vec![values.join(",")] };
    "q-first-counts" by "list/q-repeated": "Of a repeated q the first counts."
        => steps |s| s.list.q_texts = |values| values.first().cloned().into_iter().collect();
    "q-last-counts" by "list/q-repeated": "Of a repeated q the last counts."
        => steps |s| s.list.q_texts = |values| values.last().cloned().into_iter().collect();
    "q-as-converted" by "list/q-spelling": "A q that is a number or a date is searched as the converted value prints."
        => steps |s| s.list.q_texts = |values| values.iter().map(|text| as_converted(text)).collect();
    "q-split-at-commas" by "list/q-comma": "A q with commas is a list of texts."
        => steps |s| s.list.q_texts =
            |values| values.iter().flat_map(|text| text.split(',')).map(str::to_owned).collect();
    "repeated-nests" by "list/repeated-with-commas": "Repeated values with commas are lists in a list."
        => steps |s| s.list.convert_all = |values, steps| match values {
            [one] => convert(one, steps),
            _ => Converted::List(values.iter().map(|value| convert(value, steps)).collect()),
        };
    "reserved-names-in-any-case" by "list/reserved-name-case": "LIMIT, Sort and the like are the parameters themselves."
        => steps |s| s.list.name = |name| RESERVED.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name).to_owned();
    "sort-digits-by-number" by "list/sort-digits-in-text": "Digits in texts are ordered by their number."
        => steps |s| s.list.collation = || {
            let mut collation = CollatorPreferences::from(locale!("en-US"));
            collation.numeric_ordering = Some(CollationNumericOrdering::True);
            collation
        };
    "sort-in-spanish" by "list/sort-locale-ties": "Texts are ordered by the Spanish collation."
        => steps |s| s.list.collation = || locale!("es").into();
    "sort-mixed-by-type" by "list/sort-mixed": "Values of different types are ordered by their type."
        => steps |s| s.list.compare_values = compare_types_first;
    "sort-null-first" by "list/sort-null": "A field that is null comes first."
        => steps |s| s.list.compare_values = |x, y| y.is_null().cmp(&x.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-last" by "list/sort-null": "A field that is null comes last."
        => steps |s| s.list.compare_values = |x, y| x.is_null().cmp(&y.is_null()).then_with(|| compare_fields(x, y));
    "sort-null-is-missing" by "list/sort-null": "A field that is null counts as missing."
        => steps |s| s.list.sort_field = |book, name| book.get(name).filter(|field| !field.is_null());
    "sort-turns-ties-round" by "list/sort-stable": "Books that sort leaves equal come in reverse order."
        => steps |s| s.list.sort = |books, values, steps| {
            if !(steps.sort_names)(values).is_empty() {
                books.reverse();
            }
            sort(books, values, steps);
        };
    "texts-bounded-as-people-sort-them" by "list/bound-text": "A text within bounds of texts is compared without its letter case."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::String(text), Converted::Text(bound)) => Some(text.to_lowercase().cmp(&bound.to_lowercase())),
            _ => relation(field, value),
        };
    "texts-never-within-bounds" by "list/bound-text": "Of texts none is within bounds of texts."
        => steps |s| s.list.relation =
            |field, value| relation_unless(!is_scalar(field) && matches!(value, Converted::Text(_)), field, value);
};

/// One item of a list; of anything else, itself.
fn item_of(value: &Converted, item: fn(&[Converted]) -> Option<&Converted>) -> &Converted {
    match value {
        Converted::List(items) => item(items).unwrap_or(value),
        _ => value,
    }
}

/// Compares as the model does, or keeps the field out of all bounds.
fn relation_unless(is_out: bool, field: &Value, value: &Converted) -> Option<Ordering> {
    if is_out { None } else { relation(field, value) }
}

/// Whether a name is that of a bound with nothing after the prefix.
fn is_bare_bound(name: &str) -> bool {
    matches!(name, "min_" | "max_")
}

fn is_within_unless_bare(book: &Value, name: &str, value: &Converted, steps: &ListSteps) -> bool {
    is_bare_bound(name) || is_within(book, name, value, steps)
}

/// The names that are no fields.
const RESERVED: [&str; 8] = ["q", "page", "limit", "sort", "fields", "range", "min", "max"];

/// A day or a time in date form, whatever its numbers, counted on from the first of January: milliseconds since 1970.
fn run_on(text: &str) -> Option<f64> {
    const FORM: &[u8] = b"0000-00-00T00:00:00.000";
    let bare = text.strip_suffix('Z').filter(|bare| bare.len() > 10).unwrap_or(text);
    let fits = |(byte, form): (u8, &u8)| if *form == b'0' { byte.is_ascii_digit() } else { byte == *form };
    if !matches!(bare.len(), 10 | 19 | 23) || !bare.bytes().zip(FORM).all(fits) {
        return None;
    }
    let number = |from: usize, to: usize| bare.get(from..to).map_or(Some(0), |part| part.parse::<i64>().ok());
    let months = u32::try_from(number(5, 7)? - 1).ok()?;
    let month = NaiveDate::from_ymd_opt(i32::try_from(number(0, 4)?).ok()?, 1, 1)? + Months::new(months);
    let day = month + TimeDelta::days(number(8, 10)? - 1);
    let seconds = (number(11, 13)? * 60 + number(14, 16)?) * 60 + number(17, 19)?;
    let midnight = day.and_hms_opt(0, 0, 0)?.and_utc().timestamp_millis();
    Some((midnight + seconds * 1000 + number(20, 23)?) as f64)
}

/// Without a comma, which makes a list of it.
fn as_converted(text: &str) -> String {
    match convert(text, &ListSteps::default()) {
        Converted::Number(number) => js::number_text(number),
        Converted::Date(millis) => format(millis as i64, "%Y-%m-%dT%H:%M:%S%.3fZ"),
        _ => text.to_owned(),
    }
}

fn word_for_infinity(text: &str) -> Option<f64> {
    let word = text.trim_start_matches(['-', '+']);
    ["inf", "infinity", "nan"].iter().any(|known| word.eq_ignore_ascii_case(known)).then_some(f64::NAN)
}

/// The name before a pair of brackets at the end.
fn name_before_brackets(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| name.split_once('[')).map_or(name, |(outer, _)| outer)
}

fn is_date_text(field: &Value) -> bool {
    field.as_str().and_then(iso_date).is_some()
}

fn is_scalar(field: &Value) -> bool {
    matches!(field, Value::Null | Value::Bool(_) | Value::Number(_))
}

fn is_plain_decimal(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn runs_past_its_month(date: &str) -> bool {
    date.get(..10).is_some_and(|day| day.parse::<NaiveDate>().is_err())
}

fn all_names(values: &[String]) -> Vec<String> {
    values.iter().flat_map(|value| value.split(',')).map(str::to_owned).collect()
}

fn trimmed_names(values: &[String]) -> Vec<String> {
    names(values).iter().map(|name| name.trim().to_owned()).collect()
}

fn in_book_order(book: &Value, names: &[String]) -> Vec<String> {
    let fields = book.as_object().into_iter().flatten().map(|(name, _)| name);
    fields.filter(|name| names.contains(name)).cloned().collect()
}

fn compare_types_first(x: &Value, y: &Value) -> Ordering {
    let rank = |value: &Value| match value {
        Value::Null => 0,
        Value::Number(_) => 1,
        Value::String(_) => 2,
        Value::Bool(_) => 3,
        Value::Array(_) | Value::Object(_) => 4,
    };
    rank(x).cmp(&rank(y)).then_with(|| compare_fields(x, y))
}
