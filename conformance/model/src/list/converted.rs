//! A converted query value, and its number and text in JavaScript. Converts nothing.

use crate::js;

#[derive(Clone, Debug, PartialEq)]
pub enum Converted {
    /// `true` or `false` in any letter case.
    Bool(bool),
    Number(f64),
    /// An ISO date, as milliseconds since 1970.
    Date(f64),
    Text(String),
    /// A value with commas, or a repeated parameter: always flat.
    List(Vec<Converted>),
}

impl Converted {
    /// `Number(value)`.
    pub fn number(&self) -> f64 {
        match self {
            Self::Bool(b) => f64::from(*b),
            Self::Number(n) | Self::Date(n) => *n,
            Self::Text(_) | Self::List(_) => js::to_number(&self.text()),
        }
    }

    /// `String(value)`.
    pub fn text(&self) -> String {
        match self {
            Self::Bool(b) => b.to_string(),
            Self::Number(n) => js::number_text(*n),
            // As JavaScript prints a date in the time zone UTC.
            Self::Date(millis) => match chrono::DateTime::from_timestamp_millis(*millis as i64) {
                Some(date) => date.format("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)").to_string(),
                None => "Invalid Date".to_owned(),
            },
            Self::Text(text) => text.clone(),
            Self::List(items) => items.iter().map(Self::text).collect::<Vec<_>>().join(","),
        }
    }

    pub fn is_empty_text(&self) -> bool {
        matches!(self, Self::Text(text) if text.is_empty())
    }
}
