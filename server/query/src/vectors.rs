//! The engine against `fixtures/vectors`: what JavaScript itself says of conversion, comparison and order.

use serde_json::Value;

use super::compare::{Bound, Side};
use super::dictionary_builder::DictionaryBuilder;
use super::equal::AnyOf;
use super::filter::Test;
use super::js_value::JsValue;
use super::query_value::{QueryValue, Scalar};
use super::{collate, number, params, texts};
use crate::json;

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
fn sent(tagged: &Value) -> QueryValue {
    QueryValue(match &tagged["list"] {
        Value::Array(items) => items.iter().map(scalar).collect(),
        _ => vec![scalar(tagged)],
    })
}

/// Puts a condition to a dictionary of one value.
fn passes(test: &Test, stored: &Value) -> bool {
    let mut builder = DictionaryBuilder::default();
    builder.code(&JsValue::read(&json::write(stored)));
    test.codes(&builder.finish(1).0).contains(0)
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
        assert_eq!(QueryValue::convert([text(case, "raw")]), sent(&case["value"]), "{case}");
    });
}

#[test]
fn loose_equality_is_javascripts() {
    each(vector!("loose-equality.json"), |case| {
        assert_eq!(passes(&Test::Equals(AnyOf::new(&sent(&case["sent"]))), &case["stored"]), case["equal"], "{case}");
    });
}

#[test]
fn bounds_compare_as_in_javascript() {
    each(vector!("less-than.json"), |case| {
        for (side, expected) in [(Side::AtLeast, "at_least"), (Side::AtMost, "at_most")] {
            let test = Test::Bound(side, Bound::new(&sent(&case["sent"])));
            assert_eq!(passes(&test, &case["stored"]), case[expected], "{case}");
        }
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
        let order = collate::compare(text(case, "left"), text(case, "right"));
        assert_eq!(order as i64, case["sign"], "{case}");
    });
}

#[test]
fn letter_case_folds_as_in_javascript() {
    each(vector!("lower-case.json"), |case| {
        assert_eq!(texts::fold(text(case, "text")), text(case, "lower"), "{case}");
    });
}
