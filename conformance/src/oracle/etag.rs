//! Whether an ETag is the MD5 of a JSON text.
//!
//! The documents say "of the JSON text of the data returned" and fix no serialisation. What stands in the body, when it is
//! compact, is that text; an implementation that writes its body otherwise may have hashed any usual form of the same value.

use md5::{Digest as _, Md5};
use serde_json::Value;

/// The tag without quotes, if it has some.
pub fn bare(tag: &str) -> &str {
    tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag)
}

/// The hex MD5 of a JSON text as it came.
pub fn of_text(text: &str) -> String {
    hex::encode(Md5::digest(text.as_bytes()))
}

/// Whether the tag, quoted or not, is the hex MD5 of the JSON text as it came or, failing that, of a usual form of its value.
pub fn is_md5_of_json(tag: &str, text: &str) -> bool {
    // The letter case of its digits is open.
    let is_digest_of = |text: &str| bare(tag).eq_ignore_ascii_case(&of_text(text));
    if is_digest_of(text) {
        return true;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let sorted = sorted(&value);
    [value, sorted].iter().any(|value| usual_forms(value).iter().any(|form| is_digest_of(form)))
}

/// Compact and with a space after commas and colons, each as it is and with every character outside ASCII escaped; indented.
fn usual_forms(value: &Value) -> Vec<String> {
    let compact = value.to_string();
    let mut spaced = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut spaced, Spaced);
    let spaced = match serde::Serialize::serialize(value, &mut serializer) {
        Ok(()) => String::from_utf8(spaced).unwrap_or_default(),
        Err(_) => String::new(),
    };
    let indented = serde_json::to_string_pretty(value).unwrap_or_default();
    vec![escaped(&compact), escaped(&spaced), compact, spaced, indented]
}

/// `, ` and `: ` between things, all on one line.
struct Spaced;

impl serde_json::ser::Formatter for Spaced {
    fn begin_array_value<W: ?Sized + std::io::Write>(&mut self, out: &mut W, first: bool) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(&mut self, out: &mut W, first: bool) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            escaped.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
    }
    escaped
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut pairs: Vec<_> = object.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            pairs.sort_by(|(a, _), (b, _)| a.cmp(b));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn md5(text: &str) -> String {
        hex::encode(Md5::digest(text.as_bytes()))
    }

    #[test]
    fn usual_forms_of_the_same_value_pass_and_other_values_do_not() {
        let body = r#"[{"b":"ñ","a":1}]"#;
        let forms = [
            body,
            r#"[{"a":1,"b":"ñ"}]"#,
            r#"[{"b":"\u00f1","a":1}]"#,
            r#"[{"b": "ñ", "a": 1}]"#,
            "[\n  {\n    \"b\": \"ñ\",\n    \"a\": 1\n  }\n]",
        ];
        for form in forms {
            assert!(is_md5_of_json(&md5(form), body), "{form}");
            assert!(is_md5_of_json(&format!("\"{}\"", md5(form)), body), "quoted, {form}");
        }
        for other in [r#"[{"b":"n","a":1}]"#, r#"{"b":"ñ","a":1}"#, r#"{"datos":[{"b":"ñ","a":1}]}"#, ""] {
            assert!(!is_md5_of_json(&md5(other), body), "{other}");
        }
    }
}
