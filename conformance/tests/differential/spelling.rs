//! Respells query strings: needless percent-encoding, raw characters, nonsense.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRng;

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
    let name = select(vec![
        "q",
        "tema",
        "codigo",
        "n",
        "is_n",
        "is_activo",
        "is_",
        "min_",
        "max_n",
        "min_n",
        "page",
        "limit",
        "fields",
        "",
        "a%",
        "%",
        "%zz",
        "%C3",
        "cosas",
        "ficha",
        "nulo",
        "__proto__",
        "constructor",
        "length",
        "0",
        "orden",
        "%2Dn",
        "min_fecha",
        "fecha",
        "titulo",
        "range",
        "min",
        "max",
        "Q",
        "Limit",
    ]);
    let value = prop_oneof![
        2 => select(vec![
            "", "%", "%%", "%C3%", "%E9", "%00", "+", "++", ",", ",,", "%2C", "a%2Cb", "=", "==", "%3D", "null", "true,1", "[]",
            "%5B%5D", "1,", ",1", "%201", "1%09", "0x", "0x1F", "1e999", "-1e999", "1e-7", "00", "-0", "1.", ".5", "0b1", "0o7",
            "٣", "%D9%A3", "%EF%BB%BF5", "%C2%A05", "%E2%80%A85", "2020-1-1", "2020-02-29", "2021-02-29", "2020-03-01T24:00:00",
            "2020-03-01T00:00", "2020-03-01T00:00:00.5Z", "2020-03-01t00:00:00z", "2020-03-01,2020-07-15", "0000-01-01",
            "9999-12-31", "2020-03-01T00:00:60Z", "+2020-03-01", "20200301", "TRUE", "tRuE", "%74rue", "true+", "undefined",
            "%F0%9F%98%80", "%ED%A0%80", "I%CC%87", "%C4%B0", "%C3%9F", "SS", "ss", "%CF%83", "%CE%A3", "%CF%82",
        ]).prop_map(|text| text.bytes().map(|byte| if byte.is_ascii() { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()),
        1 => "[a-z0-9,.+%=;:@/?!$'()*_~-]{0,6}",
    ];
    let pair = (name, value, any::<bool>()).prop_map(|(name, value, is_pair)| {
        if is_pair || name.is_empty() { format!("{name}={value}") } else { format!("{name}{value}") }
    });
    prop::collection::vec(pair, 1..=3).prop_map(|pairs| pairs.join("&"))
}
