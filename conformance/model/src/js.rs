//! The JavaScript that the documents rely on: number texts, Number(), parseInt, truthiness, String(), JSON.stringify. Knows no HTTP.

use std::io;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::ser::{Formatter, Serializer};

/// White space as String.prototype.trim sees it.
pub fn is_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// A number's text, as `String(n)` gives it.
pub fn number_text(n: f64) -> String {
    ryu_js::Buffer::new().format(n).to_owned()
}

/// `Number(text)`; NaN if the text is not a number. The empty text is 0.
pub fn to_number(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    if text.is_empty() {
        return 0.0;
    }
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0o", "0O"], 8), (["0b", "0B"], 2)] {
        if let Some(digits) = prefixes.iter().find_map(|p| text.strip_prefix(p)) {
            return radix_number(digits, radix);
        }
    }
    let (sign, unsigned) = sign_of(text);
    if unsigned == "Infinity" {
        return sign * f64::INFINITY;
    }
    // Rust reads the same decimals as JavaScript does once words ("inf", "nan") and signs are out of the way.
    let decimal = unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && unsigned.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    if !decimal {
        return f64::NAN;
    }
    sign * unsigned.parse::<f64>().unwrap_or(f64::NAN)
}

/// The sign at the beginning of a text, 1 if there is none, and the rest.
fn sign_of(text: &str) -> (f64, &str) {
    text.strip_prefix('-').map_or_else(|| (1.0, text.strip_prefix('+').unwrap_or(text)), |rest| (-1.0, rest))
}

fn radix_number(digits: &str, radix: u32) -> f64 {
    let with = |number: f64, c: char| Some(number * f64::from(radix) + f64::from(c.to_digit(radix)?));
    digits.chars().try_fold(0.0, with).filter(|_| !digits.is_empty()).unwrap_or(f64::NAN)
}

/// `parseInt(text, 10)`; `None` where JavaScript gives NaN or an infinite number.
pub fn parse_int(text: &str) -> Option<f64> {
    let (sign, rest) = sign_of(text.trim_start_matches(is_space));
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse::<f64>().ok()?;
    number.is_finite().then_some(sign * number)
}

pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(b) => *b,
        Value::Number(_) => value.as_f64().is_some_and(|n| n != 0.0),
        Value::String(s) => !s.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// `String(value)`: the items of a list, joined with commas; `[object Object]` for an object.
pub fn text_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(_) => number_text(value.as_f64().unwrap_or(f64::NAN)),
        Value::String(s) => s.clone(),
        Value::Array(items) => {
            let text = |item: &Value| {
                if item.is_null() { String::new() } else { text_of(item) }
            };
            items.iter().map(text).collect::<Vec<_>>().join(",")
        }
        Value::Object(_) => "[object Object]".to_owned(),
    }
}

/// The deepest nesting of lists and objects that the parser accepts.
const NESTING_MAX: usize = 128;

/// `JSON.parse(text)`, except that keys that look like indices stay in their place.
/// Errors: the text is not JSON, or is nested more than 128 deep.
pub fn parse(text: &[u8]) -> serde_json::Result<Value> {
    let mut reader = serde_json::Deserializer::from_slice(text);
    if nesting(text) <= NESTING_MAX {
        // The reader's own limit is one level lower.
        reader.disable_recursion_limit();
    }
    let value = Value::deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// The depth of nested brackets, those in strings not counted.
fn nesting(text: &[u8]) -> usize {
    let (mut depth, mut deepest, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for byte in text {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => depth += 1,
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// `JSON.stringify(value)`: compact, numbers in JavaScript's form.
pub fn stringify(value: &Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut bytes, JsNumbers);
    if value.serialize(&mut serializer).is_err() {
        return String::new();
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// serde_json's compact form with every number written as JavaScript would.
struct JsNumbers;

impl Formatter for JsNumbers {
    fn write_f64<W: ?Sized + io::Write>(&mut self, writer: &mut W, n: f64) -> io::Result<()> {
        writer.write_all(number_text(n).as_bytes())
    }

    fn write_u64<W: ?Sized + io::Write>(&mut self, writer: &mut W, n: u64) -> io::Result<()> {
        writer.write_all(number_text(n as f64).as_bytes())
    }

    fn write_i64<W: ?Sized + io::Write>(&mut self, writer: &mut W, n: i64) -> io::Result<()> {
        writer.write_all(number_text(n as f64).as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_128_deep_and_no_deeper() {
        let nested = |levels: usize| format!("{}\"[\\\"[\"{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(128).as_bytes()).is_ok());
        assert!(parse(nested(129).as_bytes()).is_err());
        assert!(parse("[".repeat(1 << 20).as_bytes()).is_err());
    }
}
