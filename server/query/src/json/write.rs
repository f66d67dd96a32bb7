//! JSON text as JavaScript writes it. Never adds a space and never changes the order of a mapping's entries.

use serde_json::Value;

/// The JSON text of `value`, without spaces; numbers are printed as doubles are in JavaScript.
pub fn write(value: &Value) -> String {
    let mut text = String::new();
    write_to(&mut text, value);
    text
}

pub(crate) fn write_to(out: &mut String, value: &Value) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(truth) => out.push_str(if *truth { "true" } else { "false" }),
        Value::Number(number) => write_number_to(out, number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => write_text_to(out, text),
        Value::Array(items) => {
            out.push('[');
            write_separated(out, items, write_to);
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            write_separated(out, entries, |out, (name, value)| {
                write_text_to(out, name);
                out.push(':');
                write_to(out, value);
            });
            out.push('}');
        }
    }
}

/// Appends each item by `write`, with commas between them.
pub(crate) fn write_separated<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

/// Below 2^53 whole numbers are printed as they are, and quickest as integers.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

/// Appends `number` as `JSON.stringify` prints it: `1` for 1.0, `0` for -0, `1e+21`, and `null` for what is not finite.
pub fn write_number_to(out: &mut String, number: f64) {
    if number.trunc() == number && number.abs() < EXACT_BELOW {
        out.push_str(itoa::Buffer::new().format(number as i64));
    } else if number.is_finite() {
        out.push_str(ryu_js::Buffer::new().format_finite(number));
    } else {
        out.push_str("null");
    }
}

/// Appends `text` quoted and escaped: quotes, backslashes and control characters below U+0020 only.
pub(crate) fn write_text_to(out: &mut String, text: &str) {
    if is_plain(text) {
        out.push('"');
        out.push_str(text);
        out.push('"');
    } else {
        // The library writes texts as JavaScript does. Only its writer can fail, and a `String` never does.
        out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// Whether no byte of a text is escaped.
pub(crate) fn is_plain(text: &str) -> bool {
    // Looks at all of a block before it decides: the compiler makes vector code of that.
    let is_escaped = |found: bool, byte: &u8| found | (*byte < b' ') | (*byte == b'"') | (*byte == b'\\');
    !text.as_bytes().chunks(64).any(|block| block.iter().fold(false, is_escaped))
}
