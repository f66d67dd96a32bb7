//! Respells query strings: needless percent-encoding, raw characters, nonsense.

use proptest::prelude::*;
use proptest::test_runner::TestRng;

use super::vocabulary::word;

/// Characters that may be raw in a request target, besides letters, digits and the delimiters of a query.
const RAW: &[u8] = b"-._~!$'()*,;:@/?";

/// The same query in another spelling.
pub(crate) fn respelled(query: &str, dice: &mut TestRng) -> String {
    let mut out = String::new();
    let mut rest = query.bytes();
    while let Some(byte) = rest.next() {
        let escaped = (byte == b'%').then(|| [rest.next(), rest.next()]);
        let value = match escaped {
            Some([Some(high), Some(low)]) => hex(high).zip(hex(low)).map(|(high, low)| high * 16 + low),
            Some(_) => None,
            None if matches!(byte, b'&' | b'=' | b'+') => {
                out.push(char::from(byte));
                continue;
            }
            None => Some(byte),
        };
        let value = value.unwrap_or(b'x');
        let may_be_raw = value.is_ascii_alphanumeric() || RAW.contains(&value);
        match dice.next_u32() % 8 {
            0 => out.push_str(&format!("%{value:02x}")),
            1 => out.push_str(&format!("%{value:02X}")),
            2.. if value == b' ' => out.push('+'),
            2.. if may_be_raw => out.push(char::from(value)),
            _ => out.push_str(&format!("%{value:02X}")),
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

/// Nonsense parameters, beside a few plausible ones.
pub(crate) fn nonsense() -> impl Strategy<Value = String> {
    let encoded = |byte: u8| if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let value = prop_oneof![
        2 => word("parameter_values").prop_map(move |text| text.bytes().map(encoded).collect::<String>()),
        1 => "[a-z0-9,.+%=;:@/?!$'()*_~-]{0,6}",
    ];
    let pair = (word("parameter_names"), value, any::<bool>()).prop_map(|(name, value, is_pair)| {
        if is_pair || name.is_empty() { format!("{name}={value}") } else { format!("{name}{value}") }
    });
    prop::collection::vec(pair, 1..=3).prop_map(|pairs| pairs.join("&"))
}
