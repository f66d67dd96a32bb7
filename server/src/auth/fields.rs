//! The fields of a JSON body. Reads types, knows no meaning.

use serde_json::{Map, Value};

use crate::response::failure::{Failure, object};
use libros_server_query::is_truthy;

#[derive(Debug)]
pub(crate) struct Fields(Map<String, Value>);

impl Fields {
    /// Reads a body. Fails when it is not JSON, nested too deep, or no object.
    pub(crate) fn read(body: &[u8]) -> Result<Self, Failure> {
        Ok(Self(object(body)?))
    }

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
        // rule: verification/trust-default, verification/trust-other-type
        self.take(name).is_some_and(|value| is_truthy(&value))
    }
}
