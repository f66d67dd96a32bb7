//! Draws bodies: objects with values of every type, other JSON, and texts that are no JSON.

use proptest::prelude::*;
use proptest::sample::select;

/// Values of fields as JSON, the usual ones first.
const VALUES: [&str; 36] = [
    "\"uno\"",
    "\"dos\"",
    "\"\"",
    "\" \"",
    "0",
    "1",
    "-1",
    "1.0",
    "1.50",
    "1e3",
    "1e21",
    "1e-7",
    "-0",
    "-0.0",
    "9007199254740993",
    "12345678901234567890",
    "0.1",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    "[\"read:libros\"]",
    "[\"read:libros\",\"write:libros\",\"delete:libros\"]",
    "[\"vuela\"]",
    "[1,null,[\"x\"]]",
    "{\"b\":1,\"a\":{\"2\":0,\"10\":1,\"1\":2}}",
    "\"\\u00f1\\ud83d\\ude00\"",
    "\"\\u0000\\u001f\\u007f\\u2028\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"ñandú\"",
    "\"2020-02-30\"",
    "\"2024-01-01T00:00:00.000Z\"",
    "\"<script>&'\"",
    "\"e\\u0301\"",
    "\"true\"",
    "1000000",
];

const STRANGE: [&str; 33] = [
    "",
    " ",
    "{",
    "[]",
    "null",
    "5",
    "true",
    "\"x\"",
    "{}",
    "{}x",
    "{'a':1}",
    "{\"a\":1,}",
    "{\"a\":01}",
    "{\"a\":+1}",
    "{\"a\":.5}",
    "{\"a\":5.}",
    "{\"a\":NaN}",
    "{\"a\":1e400}",
    "{\"a\":\"\\ud800\"}",
    "{\"a\":\"\\x\"}",
    "{\"a\":\"\u{1}\"}",
    "\u{feff}{}",
    "{\"titulo\":\"a\",\"titulo\":\"b\",\"autor\":\"c\"}",
    "{\"autor\":\"c\",\"10\":1,\"2\":2,\"titulo\":\"a\",\"-1\":3,\"01\":4}",
    "{\"titulo\":\"a\",\"autor\":\"c\",\"__proto__\":{\"x\":1},\"toString\":1,\"length\":2}",
    "{\"titulo\":\"a\",\"autor\":\"c\",\"\":0}",
    "{\"titulo\":\"a\",\"autor\":\"c\",\"4294967294\":1,\"4294967295\":2,\"4294967296\":3}",
    "\t{\"titulo\":\"a\"\n,\r\"autor\":\"c\"}\n",
    "{\"titulo\":[\"a\"],\"autor\":{}}",
    "{\"email\":[\"a\"],\"password\":{}}",
    "{\"name\":\"a\",\"age\":1,\"name\":\"b\"}",
    "{\"title\":\"a\",\"title\":\"b\"}",
    "undefined",
];

pub(crate) fn value() -> BoxedStrategy<String> {
    prop_oneof![2 => select(&VALUES[..2]), 3 => select(&VALUES[..])].prop_map(str::to_owned).boxed()
}

/// An object with most of `needed`, mostly with these values, and some of `more`; sometimes a strange text.
pub(crate) fn object(
    needed: &'static [(&'static str, &'static str)],
    more: &'static [&'static str],
) -> BoxedStrategy<String> {
    let needed: Vec<_> = needed
        .iter()
        .map(|(name, usual)| {
            let value = prop_oneof![6 => Just((*usual).to_owned()).boxed(), 1 => value()];
            (prop::bool::weighted(0.93), value)
                .prop_map(move |(is_there, value)| is_there.then(|| format!("\"{name}\":{value}")))
        })
        .collect();
    let field = (select(more), value()).prop_map(|(name, value)| format!("\"{name}\":{value}"));
    let object = (needed, prop::collection::vec(field, 0..=3)).prop_map(|(needed, more)| {
        let fields: Vec<String> = needed.into_iter().flatten().chain(more).collect();
        format!("{{{}}}", fields.join(","))
    });
    prop_oneof![8 => object.boxed(), 1 => strange()].boxed()
}

pub(crate) fn strange() -> BoxedStrategy<String> {
    let nested = select(vec![3_usize, 127, 128, 129, 200]).prop_map(|levels| {
        format!("{{\"titulo\":\"a\",\"autor\":\"b\",\"x\":{}{}}}", "[".repeat(levels), "]".repeat(levels))
    });
    prop_oneof![12 => select(&STRANGE[..]).prop_map(str::to_owned).boxed(), 1 => nested.boxed()].boxed()
}
