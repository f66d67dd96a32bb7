//! Query values: what a text of the query string is converted to before it is compared with anything.
//! Source: catalogue-service, "List query parameters".

use super::{date, number};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Scalar {
    Boolean(bool),
    /// A double; never NaN.
    Number(f64),
    /// An instant in milliseconds since 1970.
    Date(i64),
    Text(String),
}

/// What one parameter carries, repetitions included: one value, or several, which are a list.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct QueryValue(pub(super) Vec<Scalar>);

impl Scalar {
    fn convert(text: &str) -> Scalar {
        // rule: list/empty-value
        if text.is_empty() {
            return Scalar::Text(String::new());
        }
        // rule: list/convert-boolean, list/convert-boolean-case
        if text.eq_ignore_ascii_case("true") {
            return Scalar::Boolean(true);
        }
        if text.eq_ignore_ascii_case("false") {
            return Scalar::Boolean(false);
        }
        // rule: list/convert-number, list/convert-number-forms
        let number = number::to_number(text);
        if !number.is_nan() {
            return Scalar::Number(number);
        }
        // rule: list/convert-date, list/convert-date-time
        match date::instant_ms(text) {
            Some(instant) => Scalar::Date(instant),
            None => Scalar::Text(text.to_owned()),
        }
    }

    /// `Boolean(value)`.
    fn is_truthy(&self) -> bool {
        match self {
            Scalar::Boolean(boolean) => *boolean,
            Scalar::Number(number) => *number != 0.0,
            Scalar::Date(_) => true,
            Scalar::Text(text) => !text.is_empty(),
        }
    }

    /// `String(value)`.
    fn to_text(&self) -> String {
        match self {
            Scalar::Boolean(boolean) => boolean.to_string(),
            Scalar::Number(number) => number::to_text(*number),
            Scalar::Date(instant) => date::to_text(*instant),
            Scalar::Text(text) => text.clone(),
        }
    }
}

impl QueryValue {
    /// Converts every value that a parameter was given, in order.
    pub(super) fn convert<'a>(values: impl IntoIterator<Item = &'a str>) -> QueryValue {
        // rule: list/comma-list, list/comma-encoded, list/repeated, list/repeated-with-commas
        let items = values.into_iter().flat_map(|value| value.split(','));
        // rule: list/comma-list-converts, list/comma-list-as-sent
        QueryValue(items.map(Scalar::convert).collect())
    }

    /// `Boolean(value)`; a list is an object and therefore true.
    pub(super) fn is_truthy(&self) -> bool {
        // rule: list/is-list-value
        if let [only] = self.0.as_slice() { only.is_truthy() } else { true }
    }
}

/// `String(list)`: the texts of its items, joined by commas.
pub(super) fn list_text(scalars: &[Scalar]) -> String {
    scalars.iter().map(Scalar::to_text).collect::<Vec<_>>().join(",")
}
