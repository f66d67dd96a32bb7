//! A violation of a rule: the place in an exchange, what was wanted and what was received. `Display` makes texts; nothing parses them.

use std::fmt;

use serde_json::Value;

use crate::excerpt::excerpts;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    pub rule: &'static str,
    pub place: Place,
    pub want: Want,
    pub got: Got,
    /// The numbers of the exchanges that show it, the judged one last; none if it takes many.
    pub exchanges: Vec<u32>,
}

impl Mismatch {
    pub fn new(rule: &'static str, place: impl Into<Place>, want: impl Into<Want>, got: impl Into<Got>) -> Self {
        Self { rule, place: place.into(), want: want.into(), got: got.into(), exchanges: Vec::new() }
    }

    /// Place, want and got in one line; cuts long values around their first difference.
    pub fn summary(&self) -> String {
        const SUMMARY_CHARS: usize = 300;
        let [want, got] = excerpts(&self.want.to_string(), &self.got.to_string(), SUMMARY_CHARS);
        format!("{}: want {want}, got {got}", self.place)
    }

    /// Changes every text in it, to remove secrets.
    pub fn each_text(&mut self, change: impl Fn(&mut String)) {
        self.place.step.iter_mut().chain([&mut self.place.subject]).for_each(&change);
        match &mut self.place.part {
            Part::Status => {}
            Part::Header(text) | Part::Body(text) | Part::Described(text) => change(text),
        }
        self.want.each_text(&change);
        match &mut self.got {
            Got::Absent => {}
            Got::Json(value) => change_json(value, &change),
            Got::Text(text) | Got::NotJson(text) | Got::Described(text) => change(text),
        }
    }
}

/// Changes the text of the value; the value stays JSON if its text does.
fn change_json(value: &mut Value, change: &impl Fn(&mut String)) {
    let mut text = value.to_string();
    change(&mut text);
    *value = serde_json::from_str(&text).unwrap_or(Value::String(text));
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Place {
    pub part: Part,
    step: Option<String>,
    /// Text after the part: the request or sample.
    subject: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Status,
    Header(String),
    /// The value at a JSON pointer of the body; the whole body if the pointer is empty.
    Body(String),
    Described(String),
}

impl Place {
    pub const STATUS: Self = Self::at(Part::Status);
    pub const BODY: Self = Self::at(Part::Body(String::new()));

    pub const fn at(part: Part) -> Self {
        Self { part, step: None, subject: String::new() }
    }

    pub fn header(name: impl fmt::Display) -> Self {
        Self::at(Part::Header(name.to_string()))
    }

    pub fn body(pointer: impl fmt::Display) -> Self {
        Self::at(Part::Body(pointer.to_string()))
    }

    pub fn of(self, subject: impl fmt::Display) -> Self {
        self.when(format_args!("of {subject}"))
    }

    pub fn of_query(self, query: impl fmt::Display) -> Self {
        self.of(format_args!("`{query}`"))
    }

    /// Adds a phrase: `after the last replace`.
    pub fn when(mut self, phrase: impl fmt::Display) -> Self {
        self.subject += &format!(" {phrase}");
        self
    }

    pub fn in_line(mut self, line: usize) -> Self {
        self.subject += &format!(", line {line}");
        self
    }

    pub fn in_step(self, step: &str) -> Self {
        Self { step: Some(step.to_owned()), ..self }
    }

    /// Whether the place is in a reviewed transcript, whose masks no answer contains.
    pub fn is_of_transcript(&self) -> bool {
        self.step.is_some()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// This value; numbers are equal by value.
    Json(Value),
    Text(String),
    Absent,
    Present,
    Keys(Vec<String>),
    Digest(String),
    OneOf(Vec<Self>),
    Described(String),
}

impl Want {
    pub fn keys(keys: &[&str]) -> Self {
        let mut keys: Vec<String> = keys.iter().copied().map(str::to_owned).collect();
        keys.sort_unstable();
        Self::Keys(keys)
    }

    fn each_text(&mut self, change: &impl Fn(&mut String)) {
        match self {
            Self::Absent | Self::Present => {}
            Self::Json(value) => change_json(value, change),
            Self::Text(text) | Self::Digest(text) | Self::Described(text) => change(text),
            Self::Keys(keys) => keys.iter_mut().for_each(change),
            Self::OneOf(wants) => wants.iter_mut().for_each(|want| want.each_text(change)),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Got {
    Json(Value),
    Text(String),
    Absent,
    NotJson(String),
    Described(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = &self.step {
            write!(f, "step `{step}`, ")?;
        }
        write!(f, "{}{}", self.part, self.subject)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status => f.write_str("status"),
            Self::Header(name) => write!(f, "header {name}"),
            Self::Body(pointer) if pointer.is_empty() => f.write_str("body"),
            Self::Body(pointer) => write!(f, "body {pointer}"),
            Self::Described(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(value) => write!(f, "{value}"),
            Self::Text(text) | Self::Described(text) => f.write_str(text),
            Self::Absent => f.write_str("absent"),
            Self::Present => f.write_str("present"),
            Self::Keys(keys) => write!(f, "an object with exactly {}", keys.join(", ")),
            Self::Digest(digest) => write!(f, "the hex MD5 of the JSON text, {digest}"),
            Self::OneOf(wants) => {
                let wants: Vec<_> = wants.iter().map(Self::to_string).collect();
                f.write_str(&wants.join(" or "))
            }
        }
    }
}

impl fmt::Display for Got {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(value) => write!(f, "{value}"),
            Self::Text(text) | Self::Described(text) => f.write_str(text),
            Self::Absent => f.write_str("absent"),
            Self::NotJson(body) => write!(f, "a body that is not JSON: {body}"),
        }
    }
}

/// Checks take a text as a description, and any other value as the value itself.
macro_rules! meant {
    ($variant:expr, $to:ident: $($from:ty),*) => {$(
        impl From<$from> for $to {
            fn from(meant: $from) -> Self {
                $variant(meant.into())
            }
        }
    )*};
}

meant!(|text| Place::at(Part::Described(text)), Place: &str, String, &String);
meant!(Want::Described, Want: &str, String, &String);
meant!(Got::Described, Got: &str, String, &String);
meant!(Want::Json, Want: Value, u16, u32, u64, i32, i64, usize, f64, bool);
meant!(Got::Json, Got: Value, u16, u32, u64, i32, i64, usize, f64, bool);
meant!(|value: &Value| Want::Json(value.clone()), Want: &Value);
meant!(|value: &Value| Got::Json(value.clone()), Got: &Value);
meant!(|value: Option<Value>| value.map_or(Got::Absent, Got::Json), Got: Option<Value>);
meant!(|text: Option<String>| text.map_or(Got::Absent, Got::Text), Got: Option<String>);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn places_wants_and_gots_are_shown_in_the_words_of_the_reports() {
        let place = Place::header("ETag").of_query("q=1").in_step("read");
        assert_eq!(place.to_string(), "step `read`, header ETag of `q=1`");
        assert_eq!(Place::BODY.in_line(3).to_string(), "body, line 3");
        assert_eq!(Place::body("/datos").when("after it").to_string(), "body /datos after it");
        assert_eq!(Want::keys(&["b", "a"]).to_string(), "an object with exactly a, b");
        assert_eq!(Want::OneOf(vec![200.into(), Want::Absent]).to_string(), "200 or absent");
        assert_eq!(Got::from(&json!({ "a": "b" })).to_string(), r#"{"a":"b"}"#);
        let mismatch = Mismatch::new("a/b", Place::STATUS, 200, "404 of another's");
        assert_eq!(mismatch.summary(), "status: want 200, got 404 of another's");
    }
}
