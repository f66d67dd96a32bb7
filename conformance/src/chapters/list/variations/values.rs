//! Variations of the chapter list: how the query string is read, and its values converted.

use chrono::{Months, NaiveDate, TimeDelta};
use libros_conformance_model::clock::format;
use libros_conformance_model::list::compare::relation;
use libros_conformance_model::list::filter::{equals, is_equality_filter};
use libros_conformance_model::list::value::{boolean, convert, convert_all, iso_date, number};
use percent_encoding::percent_decode_str;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "repeated-last-wins" breaks "list/repeated": "Only the last value of a repeated parameter counts."
        => steps |s| s.list.convert_all = |values, steps| convert_all(&values[values.len() - 1..], steps);
    "repeated-first-wins" breaks "list/repeated": "Only the first value of a repeated parameter counts."
        => steps |s| s.list.convert_all = |values, steps| convert_all(&values[..1], steps);
    "repeated-not-converted" breaks "list/repeated": "Values of a repeated parameter stay texts, so true matches no boolean."
        => steps |s| s.list.convert_all = |values, steps| {
            match values {
                [_] => convert_all(values, steps),
                _ => Converted::List(values.iter().cloned().map(Converted::Text).collect()),
            }
        };
    "comma-list-not-split" breaks "list/comma-list": "A value with a comma is one text, not a list."
        => steps |s| s.list.split = |text| vec![text];
    "comma-list-first-only" breaks "list/comma-list": "Only the first item of a comma list counts."
        => steps |s| s.list.split = |text| text.split(',').take(1).collect();
    "comma-list-splits-once" breaks "list/comma-list": "A comma list is split at its first comma only."
        => steps |s| s.list.split = |text| text.splitn(2, ',').collect();
    "comma-list-of-eight-at-most" breaks "list/comma-list": "Only the first eight items of a comma list count."
        => steps |s| s.list.split = |text| text.split(',').take(8).collect();
    "list-must-match-whole" breaks "list/comma-list": "A field must equal all items of a list instead of any."
        => steps |s| s.list.equals = |field, value, steps| match value {
            Converted::List(items) => items.iter().all(|item| equals(field, item, steps)),
            _ => equals(field, value, steps),
        };
    "list-items-not-converted" breaks "list/comma-list-converts": "Items of a comma list stay texts, so true matches no boolean."
        => steps |s| s.list.convert_item = |item, _| Converted::Text(item.to_owned());
    "numbers-stay-text" breaks "list/convert-number" and "list/loose-number-text-forms": "Numeric values stay texts: 5 does not equal the text 5.0."
        => steps |s| s.list.number = |_| None;
    "decimals-stay-text" breaks "list/convert-number": "Only whole numbers are converted; 1.5 stays a text."
        => steps |s| s.list.number = |text| number(text).filter(|number| number.fract() == 0.0);
    "negative-numbers-stay-text" breaks "list/convert-number": "Negative numbers are not converted."
        => steps |s| s.list.number = |text| number(text).filter(|_| !text.starts_with('-'));
    "dates-keep-the-year-only" breaks "list/date-other-day": "Dates are compared only by their year."
        => steps |s| s.list.date = |text| iso_date(text).and_then(|_| iso_date(&format!("{}-01-01", text.get(..4)?)));
    "booleans-stay-text" breaks "list/convert-boolean": "The values true and false stay texts and match no boolean."
        => steps |s| s.list.boolean = |_| None;
    "booleans-lower-case-only" breaks "list/convert-boolean-case": "The values TRUE and False stay texts."
        => steps |s| s.list.boolean = |text| text.parse().ok();
    "false-stays-text" breaks "list/convert-boolean": "The value true becomes a boolean; false stays a text."
        => steps |s| s.list.boolean = |text| boolean(text).filter(|truth| *truth);
    "query-not-percent-decoded" breaks "list/percent-decoding": "The query string is not percent-decoded."
        => steps |s| s.list.decode = str::to_owned;
    "query-decoded-as-latin-1" breaks "list/percent-decoding": "Percent-encoded bytes are read as Latin-1 instead of UTF-8."
        => steps |s| s.list.decode = |text| percent_decode_str(text).map(char::from).collect();
    "empty-pairs-are-parameters" breaks "list/empty-pairs": "Nothing between two ampersands counts as a parameter with an empty name."
        => steps |s| s.list.pairs = |raw| raw.split('&').filter(|_| !raw.is_empty()).collect();
    "parameter-names-ignore-case" breaks "list/field-name-case": "Parameter names match fields in any letter case: N=5 filters on n."
        => steps |s| s.list.name = str::to_lowercase;
    "range-filters-too" breaks "list/range-min-max-ignored": "The parameter range is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "range";
    "min-filters-too" breaks "list/range-min-max-ignored": "The parameter min is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "min";
    "max-filters-too" breaks "list/range-min-max-ignored": "The parameter max is an equality filter."
        => steps |s| s.list.is_equality_filter = |name| is_equality_filter(name) || name == "max";
    "numbers-cut-to-whole" breaks "list/convert-number": "Numeric values lose their decimals."
        => steps |s| s.list.number = |text| number(text).map(f64::trunc);
    "numbers-read-by-their-beginning" breaks "list/convert-number": "A value that begins with a number is converted to that number."
        => steps |s| s.list.number = |text| (1..=text.len()).rev().find_map(|end| number(text.get(..end)?));
    "bad-percent-is-500" by "list/form-decoding": "A percent sign without two hexadecimal digits in a query answers 500."
        => reply |request, reply| if of_books(request) && shows_list(reply) && !percent_decode(&request.query).1 {
            refuse(reply, 500, "Unexpected failure");
            fail_unexpectedly(reply);
        };
    "bad-percent-is-400" by "list/form-decoding": "A percent sign without two hexadecimal digits in a query is refused."
        => reply |request, reply| if of_books(request) && shows_list(reply) && !percent_decode(&request.query).1 { refuse(reply, 400, "a bad percent sign") };
    "times-of-dates-as-text" breaks "list/convert-date-time": "A day in a query becomes a date; a date with a time stays a text."
        => steps |s| s.list.date = |text| iso_date(text).filter(|_| text.len() == 10);
    "milliseconds-of-dates-as-text" breaks "list/convert-date-time": "A date with milliseconds in a query stays a text."
        => steps |s| s.list.date = |text| iso_date(text).filter(|_| !text.contains('.'));
    "dates-as-text" by "list/convert-date" "list/convert-date-time": "Dates in a query stay texts."
        => steps |s| s.list.date = |_| None;
    "impossible-days-are-text" by "list/date-impossible": "A date with a day past the end of its month stays a text."
        => steps |s| s.list.date =
            |text| iso_date(text).filter(|_| text.get(..10).is_none_or(|day| day.parse::<NaiveDate>().is_ok()));
    "impossible-dates-run-on" by "list/date-impossible": "A date with a month, day or hour too large runs on into the next."
        => steps |s| s.list.date = run_on;
    "numbers-bounded-by-the-text-of-a-date" by "list/date-bounds": "A number field and a bound that is a date are compared as texts."
        => steps |s| s.list.relation = |field, value| match (field, value) {
            (Value::Number(_), Converted::Date(millis)) => Some(js::text_of(field).cmp(&format(*millis as i64, "%Y-%m-%d"))),
            _ => relation(field, value),
        };
    "list-items-trimmed" by "list/comma-list-as-sent": "Items of a comma list are trimmed, and empty ones dropped."
        => steps |s| s.list.split =
            |text| text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    "plain-numbers-only" by "list/convert-number-forms": "Only plain decimals are converted to numbers."
        => steps |s| s.list.number = |text| number(text).filter(|_| is_plain_decimal(text));
    "words-for-infinity-are-numbers" by "list/convert-number-forms": "The values inf, infinity and nan are converted to numbers."
        => steps |s| s.list.number = |text| number(text).or_else(|| word_for_infinity(text));
    "plus-stays-plus" by "list/form-decoding": "A plus sign in a query stays a plus sign."
        => steps |s| s.list.decode = |text| percent_decode(text).0;
    "repeated-nests" by "list/repeated-with-commas": "Repeated values with commas make lists within a list."
        => steps |s| s.list.convert_all = |values, steps| match values {
            [one] => convert(one, steps),
            _ => Converted::List(values.iter().map(|value| convert(value, steps)).collect()),
        };
    "reserved-names-in-any-case" by "list/reserved-name-case": "LIMIT, Sort and other spellings count as the list parameters themselves."
        => steps |s| s.list.name = |name| RESERVED.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name).to_owned();
};

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

fn is_plain_decimal(text: &str) -> bool {
    text.strip_prefix('-').unwrap_or(text).chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn word_for_infinity(text: &str) -> Option<f64> {
    let word = text.trim_start_matches(['-', '+']);
    ["inf", "infinity", "nan"].iter().any(|known| word.eq_ignore_ascii_case(known)).then_some(f64::NAN)
}

const RESERVED: [&str; 8] = ["q", "page", "limit", "sort", "fields", "range", "min", "max"];
