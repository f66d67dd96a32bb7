//! The parameters of a GraphQL request: query, variables, operation name. Read from a JSON body or a query string.

use juniper::Variables;
use serde_json::{Map, Number, Value};

use crate::demo::failure::Failure;
use crate::json_body::{object, optional_text, text};
use libros_server_query::json;

#[derive(Debug, PartialEq)]
pub(super) struct GraphqlRequest {
    pub(super) query: String,
    pub(super) operation_name: Option<String>,
    pub(super) variables: Variables,
}

impl GraphqlRequest {
    pub(super) fn from_body(body: &[u8]) -> Result<Self, Failure> {
        // rule: graphql/unreadable-request
        Self::read(object(body)?)
    }

    /// From the query string of a GET; `None` when it has no query.
    pub(super) fn from_query_string(raw: &str) -> Result<Option<Self>, Failure> {
        let mut fields = Map::new();
        let parsed = |text: &str, name| json::parse(text.as_bytes()).map_err(|_| Failure::FieldNotObject(name));
        for (name, value) in form_urlencoded::parse(raw.as_bytes()) {
            let value = match name.as_ref() {
                "query" => value.into(),
                _ if value.is_empty() => continue,
                "operationName" => value.into(),
                "variables" => parsed(&value, "variables")?,
                "extensions" => parsed(&value, "extensions")?,
                _ => continue,
            };
            fields.insert(name.into_owned(), value);
        }
        if fields.contains_key("query") { Self::read(fields).map(Some) } else { Ok(None) }
    }

    fn read(mut fields: Map<String, Value>) -> Result<Self, Failure> {
        let query = text(&mut fields, "query")?;
        // A parameter that is null counts as absent.
        fields.retain(|_, value| !value.is_null());
        // rule: graphql/request-extras
        let operation_name = optional_text(&mut fields, "operationName")?;
        let mut member = |name| match fields.remove(name) {
            None => Ok(Map::new()),
            Some(Value::Object(members)) => Ok(members),
            Some(_) => Err(Failure::FieldNotObject(name)),
        };
        member("extensions")?;
        Ok(Self { query, operation_name, variables: variables_of(member("variables")?)? })
    }
}

fn variables_of(fields: Map<String, Value>) -> Result<Variables, Failure> {
    serde_json::from_value(with_integers(Value::Object(fields))).map_err(|_| Failure::FieldNotObject("variables"))
}

/// The value with every number that is whole as an integer, since GraphQL distinguishes `Int` from `Float`, and JSON does not.
fn with_integers(value: Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(integer(&number).unwrap_or(number)),
        Value::Array(items) => Value::Array(items.into_iter().map(with_integers).collect()),
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, with_integers(value))).collect())
        }
        other => other,
    }
}

fn integer(number: &Number) -> Option<Number> {
    /// Beyond this, doubles skip integers. Every `Int` is far below.
    const EXACT_MAX: f64 = 9_007_199_254_740_992.0;
    let number = number.as_f64()?;
    if number.fract() != 0.0 || number.abs() > EXACT_MAX {
        return None;
    }
    Some(Number::from(number as i64))
}
