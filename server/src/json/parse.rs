//! JSON text as JavaScript reads it. Never looks at what the values mean.

use serde_json::{Deserializer, Value};

/// How deep objects and lists may be nested in each other.
const DEPTH_MAX: usize = 128;

/// Why a text is not taken as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// `JSON.parse` would throw.
    #[error("not valid JSON")]
    Malformed,
    /// Objects and lists are nested more than 128 deep.
    #[error("nested too deep")]
    TooDeep,
}

/// Reads a text as `JSON.parse` does.
///
/// Of a repeated name the last value stays, in the place of the first. Numbers stand for doubles: read them with `as_f64`. Two
/// things JavaScript can hold and this cannot are refused as malformed: numbers beyond the largest double, and halves of
/// surrogate pairs.
///
/// # Errors
/// [`NotJson`] when the text is not JSON or is nested deeper than 128.
pub fn parse(text: &[u8]) -> Result<Value, NotJson> {
    // rule: errors/nested-too-deep
    if depth(text) > DEPTH_MAX {
        return Err(NotJson::TooDeep);
    }
    // An empty text, a byte order mark and bytes that are not UTF-8 are no JSON.
    // rule: errors/empty-body, errors/byte-order-mark, errors/invalid-utf8, errors/duplicate-keys
    let mut reader = Deserializer::from_slice(text);
    // The depth is bounded already, and to the level.
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader).map_err(|_| NotJson::Malformed)?;
    reader.end().map_err(|_| NotJson::Malformed)?;
    Ok(value)
}

/// How deep a text opens objects and lists, whether or not it is JSON.
fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = text.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => skip_text(&mut bytes),
            _ => {}
        }
    }
    deepest
}

/// Moves behind the quote that ends a text.
fn skip_text<'a>(bytes: &mut impl Iterator<Item = &'a u8>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::write;

    fn check(text: &str, expected: Result<&str, NotJson>) {
        let read = parse(text.as_bytes()).map(|value| write(&value));
        assert_eq!(read, expected.map(str::to_owned), "{text}");
    }

    fn nested(levels: usize) -> String {
        "[".repeat(levels) + &"]".repeat(levels)
    }

    #[test]
    fn values_of_every_type_are_read() {
        check(r#" {"a":[1,true,null,"é\u00e9\ud83d\ude00"]} "#, Ok(r#"{"a":[1,true,null,"éé😀"]}"#));
        check("5", Ok("5"));
    }

    #[test]
    fn what_json_parse_refuses_is_malformed() {
        for text in [
            "",
            " ",
            "{",
            "{}x",
            "{a:1}",
            "'a'",
            "[1,]",
            "01",
            "+1",
            ".5",
            "1.",
            "NaN",
            "undefined",
            "\"\n\"",
            "\u{feff}{}",
            "\u{a0}1",
            "/**/1",
            "\"\\x\"",
        ] {
            check(text, Err(NotJson::Malformed));
        }
        assert_eq!(parse(b"\"\xff\""), Err(NotJson::Malformed));
    }

    #[test]
    fn the_last_of_repeated_names_counts_in_the_place_of_the_first() {
        check(r#"{"a":1,"b":2,"a":3}"#, Ok(r#"{"a":3,"b":2}"#));
        check(r#"{"__proto__":1,"__proto__":2}"#, Ok(r#"{"__proto__":2}"#));
    }

    #[test]
    fn numbers_are_the_nearest_doubles() {
        check("9007199254740993", Ok("9007199254740992"));
        check("0.1", Ok("0.1"));
        check("-0", Ok("0"));
        check("5e-324", Ok("5e-324"));
        check("123456789012345678901234567890", Ok("1.2345678901234568e+29"));
        check("1.7976931348623157e308", Ok("1.7976931348623157e+308"));
        check("2.2250738585072011e-308", Ok("2.225073858507201e-308"));
    }

    #[test]
    fn depth_is_bounded_to_the_level() {
        assert!(parse(nested(128).as_bytes()).is_ok());
        assert_eq!(parse(nested(129).as_bytes()), Err(NotJson::TooDeep));
        assert_eq!(parse("[".repeat(1 << 20).as_bytes()), Err(NotJson::TooDeep));
        let brackets = format!("\"{}\\\"{}\"", "[".repeat(200), "{".repeat(200));
        assert!(parse(brackets.as_bytes()).is_ok());
    }
}
