//! JSON text as JavaScript reads it, out of a body and out of the store alike. Never looks at what the values mean.

use std::fmt;

use serde_core::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::error::Category;
use serde_json::{Map, Value};

/// How deep objects and lists may be nested in each other.
pub(super) const DEPTH_MAX: usize = 128;

/// Why a text is not taken as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// `JSON.parse` would throw, or it is a number or a text that [`parse`] refuses.
    #[error("not valid JSON")]
    Malformed,
    /// Objects and lists are nested more than 128 deep.
    #[error("nested too deep")]
    TooDeep,
}

/// Reads a text as `JSON.parse` does. Of a repeated name the last value stays, in the place of the first. Numbers are doubles: read them
/// with `as_f64`. Refuses three things that JavaScript can hold: numbers beyond the largest double, halves of surrogate pairs, and more
/// than 128 levels.
pub fn parse(text: &[u8]) -> Result<Value, NotJson> {
    parse_levels(text, DEPTH_MAX)
}

pub(super) fn parse_levels(text: &[u8], levels: usize) -> Result<Value, NotJson> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    // The depth is bounded by `Levels`, and to the level.
    reader.disable_recursion_limit();
    let value = Levels(levels).deserialize(&mut reader).map_err(|error| match error.classify() {
        Category::Data => NotJson::TooDeep,
        // An empty text, a byte order mark and bytes that are not UTF-8 are no JSON.
        // rule: errors/empty-body, errors/byte-order-mark, errors/invalid-utf8
        Category::Io | Category::Syntax | Category::Eof => NotJson::Malformed,
    })?;
    reader.end().map_err(|_| NotJson::Malformed)?;
    Ok(value)
}

/// Reads a stored record of a fixed shape, or fails. A field of any content needs [`value`], since the record around it adds a level.
pub fn read_record<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let record = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(record)
}

/// Reads a field of a record that may hold anything a body may.
pub fn value<'de, D: Deserializer<'de>>(field: D) -> Result<Value, D::Error> {
    Levels(DEPTH_MAX).deserialize(field)
}

/// Reads any value that is nested no deeper than this. The library would read the text of some names as JSON
/// (`$serde_json::private::RawValue`). Here a name is a name.
#[derive(Clone, Copy)]
struct Levels(usize);

impl Levels {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        // rule: errors/nested-too-deep
        self.0.checked_sub(1).map(Self).ok_or_else(|| E::custom(NotJson::TooDeep))
    }
}

impl<'de> DeserializeSeed<'de> for Levels {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

macro_rules! scalars {
    ($($visit:ident: $scalar:ty),*) => {$(
        fn $visit<E>(self, scalar: $scalar) -> Result<Value, E> {
            Ok(scalar.into())
        }
    )*};
}

impl<'de> Visitor<'de> for Levels {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    scalars!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str, visit_string: String);

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut items = Vec::new();
        while let Some(item) = list.next_element_seed(inner)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut fields = Map::new();
        while let Some(name) = object.next_key::<String>()? {
            let field = object.next_value_seed(inner)?;
            // rule: errors/duplicate-keys
            fields.insert(name, field);
        }
        Ok(Value::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write;

    fn nested(levels: usize) -> String {
        "[".repeat(levels) + &"]".repeat(levels)
    }

    #[test]
    fn depth_is_bounded_to_the_level() {
        assert!(parse(nested(128).as_bytes()).is_ok());
        assert_eq!(parse(nested(129).as_bytes()), Err(NotJson::TooDeep));
        assert_eq!(parse("[".repeat(1 << 20).as_bytes()), Err(NotJson::TooDeep));
        let brackets = format!("\"{}\\\"{}\"", "[".repeat(200), "{".repeat(200));
        assert!(parse(brackets.as_bytes()).is_ok());
    }

    #[test]
    fn a_name_that_the_library_takes_for_its_own_is_a_name() {
        for name in ["$serde_json::private::RawValue", "$serde_json::private::Number"] {
            let text = format!(r#"{{"{name}":"[1]"}}"#);
            assert_eq!(parse(text.as_bytes()).map(|value| write(&value)), Ok(text));
        }
    }
}
