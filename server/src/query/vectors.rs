//! The engine against `fixtures/vectors`: what JavaScript itself says of conversion, comparison and order.

use std::cmp::Ordering;

use serde_json::Value;

use super::collate::CollationKey;
use super::compare::Bound;
use super::datum::Datum;
use super::equal::AnyOf;
use super::value::{Scalar, Sent};
use super::{book, number, params};

macro_rules! vector {
    ($file:literal) => {
        include_str!(concat!("../../../fixtures/vectors/", $file))
    };
}

/// Runs `check` on every case of a vector file; a file without cases fails.
fn each(vector: &str, check: impl Fn(&Value)) {
    let vector: Value = serde_json::from_str(vector).expect("a vector file is JSON");
    let cases = vector["cases"].as_array().expect("a vector file has cases");
    assert!(!cases.is_empty());
    cases.iter().for_each(check);
}

fn text<'a>(case: &'a Value, key: &str) -> &'a str {
    case[key].as_str().unwrap_or_else(|| panic!("{key} is a text in {case}"))
}

/// A tagged value of the vectors, as the engine holds it.
fn sent(tagged: &Value) -> Sent {
    match &tagged["list"] {
        Value::Array(items) => Sent::List(items.iter().map(scalar).collect()),
        _ => Sent::One(scalar(tagged)),
    }
}

fn scalar(tagged: &Value) -> Scalar {
    if let Some(boolean) = tagged["boolean"].as_bool() {
        Scalar::Boolean(boolean)
    } else if let Some(number) = tagged["number"].as_str() {
        Scalar::Number(number.parse().expect("a number of the vectors"))
    } else if let Some(instant) = tagged["date"].as_i64() {
        Scalar::Date(instant)
    } else {
        Scalar::Text(text(tagged, "text").to_owned())
    }
}

#[test]
fn values_convert_as_in_javascript() {
    each(vector!("conversion.json"), |case| {
        assert_eq!(Sent::convert([text(case, "raw")]), sent(&case["value"]), "{case}");
    });
}

#[test]
fn loose_equality_is_javascripts() {
    each(vector!("loose-equality.json"), |case| {
        let equal = AnyOf::new(&sent(&case["sent"])).equals(&Datum::of(&case["stored"]));
        assert_eq!(equal, case["equal"], "{case}");
    });
}

#[test]
fn bounds_compare_as_in_javascript() {
    each(vector!("less-than.json"), |case| {
        let order = Bound::new(&sent(&case["sent"])).order_of(&Datum::of(&case["stored"]));
        assert_eq!(order.is_some_and(Ordering::is_ge), case["at_least"], "{case}");
        assert_eq!(order.is_some_and(Ordering::is_le), case["at_most"], "{case}");
    });
}

#[test]
fn query_strings_are_read_as_url_search_params() {
    each(vector!("query-strings.json"), |case| {
        let pairs: Vec<_> = params::pairs(text(case, "query")).collect();
        assert_eq!(serde_json::json!(pairs), case["pairs"], "{case}");
    });
}

#[test]
fn integers_are_parsed_as_in_javascript() {
    each(vector!("parse-int.json"), |case| {
        // Zeros are one in the vectors, as they are for String().
        let parsed = number::parse_int(text(case, "text")).map(number::to_text);
        assert_eq!(parsed.as_deref(), case["number"].as_str(), "{case}");
    });
}

#[test]
fn texts_order_as_in_javascript() {
    each(vector!("collation.json"), |case| {
        let order = CollationKey::of(text(case, "left")).cmp(&CollationKey::of(text(case, "right")));
        assert_eq!(order as i64, case["sign"], "{case}");
    });
}

#[test]
fn letter_case_folds_as_in_javascript() {
    each(vector!("lower-case.json"), |case| {
        assert_eq!(book::fold(text(case, "text")), text(case, "lower"), "{case}");
    });
}
