//! Numbers as JavaScript reads them from texts: `Number()` and `parseInt`; and as it writes them back.

/// `Number(text)`: NaN where the text is no number, 0 where it is empty or white space alone.
pub(super) fn to_number(text: &str) -> f64 {
    let text = text.trim_matches(is_space);
    match text.as_bytes() {
        [] => 0.0,
        [b'0', b'x' | b'X', digits @ ..] => whole_in_radix(digits, 16),
        [b'0', b'o' | b'O', digits @ ..] => whole_in_radix(digits, 8),
        [b'0', b'b' | b'B', digits @ ..] => whole_in_radix(digits, 2),
        _ => decimal(text),
    }
}

/// `parseInt(text, 10)`: the integer after white space; `None` for NaN.
pub(super) fn parse_int(text: &str) -> Option<f64> {
    leading_integer(text.trim_start_matches(is_space))
}

/// The integer that a text begins with, as `parseInt` reads it: a sign, then digits up to the first other character.
pub fn leading_integer(text: &str) -> Option<f64> {
    let (negative, text) = split_sign(text);
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let whole = text[..end].parse::<f64>().ok()?;
    Some(if negative { -whole } else { whole })
}

/// `String(number)`: `1` for 1.0, `0` for -0, `1e+21`, `Infinity`.
pub(super) fn to_text(number: f64) -> String {
    ryu_js::Buffer::new().format(number).to_owned()
}

/// White space and line ends as JavaScript trims them: Unicode's, without U+0085 and with the byte order mark.
fn is_space(character: char) -> bool {
    character == '\u{feff}' || (character != '\u{85}' && character.is_whitespace())
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// A signed decimal literal or `Infinity`. Rust's own reader is exact and takes the same decimals, but also `inf` and `nan`.
fn decimal(text: &str) -> f64 {
    let (negative, unsigned) = split_sign(text);
    match unsigned.bytes().next() {
        Some(b'0'..=b'9' | b'.') => text.parse().unwrap_or(f64::NAN),
        _ if unsigned == "Infinity" && negative => f64::NEG_INFINITY,
        _ if unsigned == "Infinity" => f64::INFINITY,
        _ => f64::NAN,
    }
}

/// A whole number in radix 2, 8 or 16, rounded once to the nearest double, ties to even; NaN for any other character.
fn whole_in_radix(digits: &[u8], radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    let bits_per_digit = radix.trailing_zeros();
    let mut leading: u64 = 0;
    let mut dropped_bits: i32 = 0;
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(radix) else { return f64::NAN };
        if leading.leading_zeros() > bits_per_digit {
            leading = leading << bits_per_digit | u64::from(digit);
        } else {
            // 60 leading bits decide every rounding but that of an exact tie, which any later one bit breaks.
            leading |= u64::from(digit != 0);
            dropped_bits = dropped_bits.saturating_add(bits_per_digit.cast_signed());
        }
    }
    leading as f64 * 2f64.powi(dropped_bits)
}
