//! The fields of a JSON body. Reads types, knows no meaning.

use crate::response::failure::{Failure, object};
use serde_json::{Map, Value};

/// The fields of a body that is a JSON object.
#[derive(Debug)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body.
    ///
    /// # Errors
    /// When it is not JSON, nested too deep, or no object.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Failure> {
        object(body).map(Self)
    }

    /// Takes a field, whatever it holds.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }

    /// Takes a field that holds a text; `None` when it is missing or holds anything else.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name) {
            Some(Value::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Takes a field that holds a text of at least one character.
    pub(crate) fn filled_text(&mut self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.is_empty())
    }

    /// Whether a field holds something that JavaScript takes for true.
    pub(crate) fn truth(&mut self, name: &str) -> bool {
        match self.take(name) {
            // rule: verification/trust-default, verification/trust-other-type
            None | Some(Value::Null) => false,
            Some(Value::Bool(truth)) => truth,
            // rule: verification/trust-other-type
            Some(Value::Number(number)) => number.as_f64().is_some_and(|number| number != 0.0 && !number.is_nan()),
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(_) | Value::Object(_)) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_has_fields() {
        for (body, expected) in [
            ("", Failure::BodyNotJson),
            ("{", Failure::BodyNotJson),
            ("[]", Failure::BodyNotObject),
            ("null", Failure::BodyNotObject),
            ("\"x\"", Failure::BodyNotObject),
            ("5", Failure::BodyNotObject),
        ] {
            assert_eq!(Fields::read(body.as_bytes()).map(|_| ()), Err(expected), "{body}");
        }
        assert!(Fields::read(b"{}").is_ok());
    }

    #[test]
    fn a_text_is_a_text_and_nothing_else() {
        let mut fields = Fields::read(br#"{"a":"x","b":"","c":5,"d":null}"#).expect("an object");
        assert_eq!(fields.filled_text("a").as_deref(), Some("x"));
        assert_eq!(fields.filled_text("b"), None);
        assert_eq!((fields.text("c"), fields.text("d"), fields.text("e")), (None, None, None));
    }

    #[test]
    fn truth_is_that_of_javascript() {
        for (value, truth) in [
            ("true", true),
            ("false", false),
            ("null", false),
            ("0", false),
            ("-0", false),
            ("0.5", true),
            ("\"\"", false),
            ("\"false\"", true),
            ("[]", true),
            ("{}", true),
        ] {
            let mut fields = Fields::read(format!(r#"{{"t":{value}}}"#).as_bytes()).expect("an object");
            assert_eq!(fields.truth("t"), truth, "{value}");
        }
        assert!(!Fields::read(b"{}").expect("an object").truth("t"));
    }
}
