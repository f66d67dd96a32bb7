//! The text of a JSON object as `JSON.stringify` prints it, entry by entry, without making values of it first.
//!
//! Handles the common texts only: where it returns `None`, the slower [`parse`](super::parse) knows every case and names the fault.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde_core::de::{Deserializer, Error, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::parse::{DEPTH_MAX, parse_levels};
use super::write::{write_number_to, write_text_to, write_to};

/// An object of more entries is not transcribed: each name is compared with all before it.
const ENTRIES_MAX: usize = 64;

/// An object's text and where its entries begin in it.
#[derive(Debug, Default)]
pub struct Transcript {
    /// The text, without spaces.
    pub text: String,
    /// Where each `"name":value` begins.
    pub entries: Vec<u32>,
}

/// Transcribes an object into `made`, which it overwrites; `None` for any other text, and for objects with repeated or very many names.
pub(crate) fn transcribe(text: &str, made: &mut Transcript) -> Option<()> {
    made.text.clear();
    made.entries.clear();
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.deserialize_map(Object(made)).ok()?;
    reader.end().ok()
}

struct Object<'a>(&'a mut Transcript);

/// Copied only where it has escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.text.push('{');
        while let Some(Name(name)) = map.next_key()? {
            self.0.begin_entry(&name).map_err(A::Error::custom)?;
            let value: &RawValue = map.next_value()?;
            write_raw(&mut self.0.text, value.get()).ok_or_else(|| A::Error::custom("better parsed"))?;
        }
        self.0.text.push('}');
        Ok(())
    }
}

impl Transcript {
    fn begin_entry(&mut self, name: &str) -> Result<(), &'static str> {
        let Transcript { text, entries } = self;
        if !entries.is_empty() {
            text.push(',');
        }
        let start = text.len();
        write_text_to(text, name);
        text.push(':');
        let (before, name) = text.as_bytes().split_at(start);
        // Few names begin alike: most need no call to compare them.
        let is_name = |entry: &u32| {
            let entry = &before[*entry as usize..];
            entry[1] == name[1] && entry.starts_with(name)
        };
        if entries.len() == ENTRIES_MAX || entries.iter().any(is_name) {
            return Err("better parsed");
        }
        entries.push(u32::try_from(start).map_err(|_| "too long")?);
        Ok(())
    }
}

/// Appends the text of a value that the library has found to be whole; `None` where it is better parsed by itself.
fn write_raw(text: &mut String, raw: &str) -> Option<()> {
    let bytes = raw.as_bytes();
    match bytes[0] {
        b't' | b'f' | b'n' => text.push_str(raw),
        b'"' if memchr::memchr(b'\\', bytes).is_none() => text.push_str(raw),
        // Fifteen digits are below 2^53.
        b'0'..=b'9' if bytes.len() <= 15 && bytes.iter().all(u8::is_ascii_digit) => text.push_str(raw),
        b'-' | b'0'..=b'9' => write_number_to(text, raw.parse().ok().filter(|number: &f64| number.is_finite())?),
        // The object around it is a level.
        _ => write_to(text, &parse_levels(bytes, DEPTH_MAX - 1).ok()?),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{parse, write};

    #[test]
    fn an_object_is_transcribed_as_it_is_parsed_and_written() {
        let mut transcript = Transcript::default();
        for text in [
            "{}",
            r#" { "a" : 1.0 , "b":-0, "c":1e21,"d":9007199254740993,"e":-7,"\u00e9\n":"\ud83d\ude00\u0001\/" } "#,
            r#"{"l":[1.0,{"x":1,"y":2,"x":3}],"o":{"b":[],"a":null},"t":true,"f":false,"n":null,"7":""}"#,
        ] {
            transcribe(text, &mut transcript).expect(text);
            assert_eq!(transcript.text, write(&parse(text.as_bytes()).expect(text)), "{text}");
            for entry in &transcript.entries {
                assert_eq!(&transcript.text[*entry as usize..=*entry as usize], "\"", "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_object_or_repeats_a_name_is_left() {
        let many = format!("{{{}}}", (0..70).map(|n| format!("\"{n}\":0")).collect::<Vec<_>>().join(","));
        for text in ["", "[]", "1", "{", "{}x", "{\"a\":1,\"a\":2}", "{\"a\":1e999}", "\u{feff}{}", &many] {
            assert!(transcribe(text, &mut Transcript::default()).is_none(), "{text}");
        }
    }
}
