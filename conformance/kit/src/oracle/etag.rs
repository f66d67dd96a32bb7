//! Whether an ETag is the MD5 of a JSON text.
//!
//! The documents say "of the JSON text of the data returned" and fix no serialisation. A compact body is that text; an
//! implementation that writes its body otherwise may have hashed any usual form of the same value.

use md5::{Digest as _, Md5};
use serde::Serialize as _;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};

pub fn bare(tag: &str) -> &str {
    tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"')).unwrap_or(tag)
}

/// Whether the tag, quoted or not, is a digest: 32 hex digits.
pub fn is_digest(tag: &str) -> bool {
    let digits = bare(tag);
    digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

pub fn of_text(text: &str) -> String {
    hex::encode(Md5::digest(text.as_bytes()))
}

/// Whether the tag, quoted or not, is the hex MD5 of the text, in either letter case, with or without a line end.
pub fn is_md5_of(tag: &str, text: &str) -> bool {
    let plain = text.trim_end();
    let ended = ["\n", "\r\n"].map(|end| format!("{plain}{end}"));
    [text, plain, &ended[0], &ended[1]].iter().any(|text| bare(tag).eq_ignore_ascii_case(&of_text(text)))
}

/// Whether the text of a book, or of a list of them, is not the stored one: it has white space or escapes, or its
/// fields are not in the order of `sent`, those of the service last. Its tag may then be that of the stored text.
pub fn is_respelt(text: &str, sent: &[&str]) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    let items = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
    let place = |name: &str| sent.iter().position(|sent| *sent == name).unwrap_or(sent.len());
    let in_order = |item: &Value| item.as_object().is_none_or(|item| item.keys().is_sorted_by_key(|name| place(name)));
    let compact = value.to_string();
    text.trim_end() != compact || !items.iter().all(in_order)
}

/// Whether the tag, quoted or not, is the hex MD5 of the JSON text or of a usual form of its value.
pub fn is_md5_of_json(tag: &str, text: &str) -> bool {
    is_md5_of(tag, text) || is_md5_of_usual_form(tag, text)
}

/// Whether the tag, quoted or not, is the hex MD5 of a usual form of the value of the JSON text.
pub fn is_md5_of_usual_form(tag: &str, text: &str) -> bool {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    let mut sorted = value.clone();
    sorted.sort_all_objects();
    [value, sorted].iter().any(|value| usual_forms(value).any(|form| is_md5_of(tag, &form)))
}

/// Compact, or with a space after commas and colons, both plain and with all characters outside ASCII escaped in lower
/// or upper case hex digits; indented by two or four spaces.
fn usual_forms(value: &Value) -> impl Iterator<Item = String> {
    let on_one_line = [value.to_string(), written(value, Spaced)];
    let indents = [&b"  "[..], b"    "].into_iter();
    let indented = indents.map(|indent| written(value, PrettyFormatter::with_indent(indent)));
    let escapes: [fn(u16) -> String; 2] = [|unit| format!("\\u{unit:04x}"), |unit| format!("\\u{unit:04X}")];
    let to_escape = on_one_line.clone().into_iter().filter(|text| !text.is_ascii());
    let escaped = to_escape.flat_map(move |text| escapes.map(|escape| escaped(&text, escape)));
    on_one_line.into_iter().chain(indented).chain(escaped)
}

/// Puts `, ` and `: ` between items, on one line.
struct Spaced;

impl Formatter for Spaced {
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

fn written(value: &Value, formatter: impl Formatter) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
    // A value always serialises, and to UTF-8.
    _ = value.serialize(&mut serializer);
    String::from_utf8(text).unwrap_or_default()
}

fn escaped(text: &str, escape: fn(u16) -> String) -> String {
    let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| escape(*unit)).collect();
    text.chars().map(|c| if c.is_ascii() { c.to_string() } else { units(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_of_the_same_value_pass_and_other_values_do_not() {
        let body = r#"[{"b":"ñ","a":1}]"#;
        let forms = [
            body,
            r#"[{"a":1,"b":"ñ"}]"#,
            r#"[{"b":"\u00f1","a":1}]"#,
            r#"[{"b":"\u00F1","a":1}]"#,
            r#"[{"b": "ñ", "a": 1}]"#,
            "[\n  {\n    \"b\": \"ñ\",\n    \"a\": 1\n  }\n]",
            "[\n    {\n        \"b\": \"ñ\",\n        \"a\": 1\n    }\n]",
        ];
        for form in forms {
            assert!(is_md5_of_json(&of_text(form), body), "{form}");
            assert!(is_md5_of_json(&format!("\"{}\"", of_text(form)), body), "quoted, {form}");
        }
        for other in [r#"[{"b":"n","a":1}]"#, r#"{"b":"ñ","a":1}"#, r#"{"datos":[{"b":"ñ","a":1}]}"#, ""] {
            assert!(!is_md5_of_json(&of_text(other), body), "{other}");
        }
    }

    #[test]
    fn a_tag_may_hash_the_text_with_or_without_a_line_end() {
        for text in ["[]", r#"[{"a":1}]"#] {
            for hashed in [format!("{text}\n"), format!("{text}\r\n"), text.to_owned()] {
                assert!(is_md5_of_json(&of_text(&hashed), text), "{hashed:?} of {text}");
                assert!(is_md5_of_json(&of_text(&hashed), &format!("{text}\n")), "{hashed:?} of {text} and a line end");
            }
            assert!(!is_md5_of_json(&of_text(&format!("{text} x")), text));
        }
        assert!(
            is_md5_of_json(&of_text("[\n  {\n    \"a\": 1\n  }\n]\n"), r#"[{"a":1}]"#),
            "indented, with a line end"
        );
    }

    #[test]
    fn a_text_is_respelt_unless_it_is_compact_and_in_the_order_sent() {
        let sent = ["titulo", "autor", "n"];
        for text in [r#"{"titulo":"ñ","autor":"x","n":1.0,"id":7}"#, r#"[{"titulo":"x","n":2}]"#, "[]", "[{}]\n"] {
            assert!(!is_respelt(text, &sent), "{text}");
        }
        let others = [
            r#"{"titulo": "x"}"#,
            r#"{"titulo":"\u00f1"}"#,
            r#"{"autor":"x","titulo":"y"}"#,
            r#"{"id":7,"titulo":"y"}"#,
            r#"[{"titulo":"x"},{"n":1,"autor":"x"}]"#,
        ];
        for text in others {
            assert!(is_respelt(text, &sent), "{text}");
        }
    }
}
