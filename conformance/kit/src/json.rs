//! Reads JSON; pointers to the members of its values (RFC 6901), and their texts outside of JSON. Judges nothing.

use serde_json::Value;

pub fn pointer_to(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// Unescapes a part of a JSON pointer.
pub fn key_of(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// A string without quotes, any other value as JSON.
pub fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The value that is written so; `None` if it is not JSON. An integer beyond the largest double is cut to 308 digits, and `8.0` is read as 8.
pub fn parsed(bytes: &[u8]) -> Option<Value> {
    let value = serde_json::from_slice(bytes).ok().or_else(|| serde_json::from_slice(&with_308_digits(bytes)).ok());
    value.map(|mut value| {
        drop_zero_fractions(&mut value);
        value
    })
}

fn drop_zero_fractions(value: &mut Value) {
    const EXACT: f64 = (1_i64 << 53) as f64;
    match value {
        Value::Array(items) => items.iter_mut().for_each(drop_zero_fractions),
        Value::Object(members) => members.values_mut().for_each(drop_zero_fractions),
        _ => {
            let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < EXACT);
            if let Some(whole) = whole.filter(|_| value.is_f64()) {
                *value = (whole as i64).into();
            }
        }
    }
}

/// Cuts longer integers outside of strings to 308 digits.
fn with_308_digits(bytes: &[u8]) -> Vec<u8> {
    let (mut in_text, mut escaped, mut digits) = (false, false, 0);
    let is_kept = |byte: &&u8| {
        in_text ^= **byte == b'"' && !escaped;
        escaped = in_text && **byte == b'\\' && !escaped;
        digits = if in_text || !byte.is_ascii_digit() { 0 } else { digits + 1 };
        digits <= 308
    };
    bytes.iter().filter(is_kept).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_number_that_no_double_holds_is_json() {
        let nines = "9".repeat(400);
        let value = parsed(format!(r#"{{"a\"{nines}":{nines},"b":[-{nines}]}}"#).as_bytes()).unwrap();
        assert!(value[format!("a\"{nines}")].as_f64() > Some(9e307) && value["b"][0].as_f64() < Some(-9e307));
        assert!(parsed(b"{\"a\":09}").is_none());
    }

    #[test]
    fn a_whole_number_needs_no_fraction() {
        assert_eq!(parsed(b"[8.0, {\"a\": -1e2}, 0.5, 1e300]"), Some(json!([8, { "a": -100 }, 0.5, 1e300])));
    }
}
