//! Converts a query value to a boolean, number, date, list or text. Compares nothing.

use chrono::{NaiveDate, TimeDelta};

use super::converted::Converted;
use super::steps::ListSteps;
use crate::js;

pub fn convert_all(values: &[String], steps: &ListSteps) -> Converted {
    match values {
        [one] => convert(one, steps),
        _ => {
            let items = |value: &String| match convert(value, steps) {
                Converted::List(items) => items,
                item => vec![item],
            };
            Converted::List(values.iter().flat_map(items).collect())
        }
    }
}

/// Converts a value; one with commas is a list.
pub fn convert(text: &str, steps: &ListSteps) -> Converted {
    if !text.contains(',') {
        return convert_one(text, steps);
    }
    Converted::List((steps.split)(text).into_iter().map(|item| (steps.convert_item)(item, steps)).collect())
}

pub fn convert_one(text: &str, steps: &ListSteps) -> Converted {
    let boolean = (steps.boolean)(text).map(Converted::Bool);
    let number = || (steps.number)(text).map(Converted::Number);
    let date = || (steps.date)(text).map(Converted::Date);
    boolean.or_else(number).or_else(date).unwrap_or_else(|| Converted::Text(text.to_owned()))
}

/// `true` or `false` in any letter case.
pub fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The number that `Number(text)` reads; `None` for NaN and for the empty text.
pub fn number(text: &str) -> Option<f64> {
    Some(js::to_number(text)).filter(|number| !text.is_empty() && !number.is_nan())
}

/// `YYYY-MM-DD`, optionally `Thh:mm:ss`, `.mmm`, `Z`: milliseconds since 1970, always as UTC.
/// Every month accepts days up to 31; a surplus runs into the next month, as in V8. 24:00:00 is the next day's start.
pub fn iso_date(text: &str) -> Option<f64> {
    let number = |part: &str, digits: usize| -> Option<u32> {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
    };
    let three = |text: &str, separator: char, digits: usize| -> Option<[u32; 3]> {
        let [first, second, third]: [&str; 3] = text.split(separator).collect::<Vec<_>>().try_into().ok()?;
        Some([number(first, digits)?, number(second, 2)?, number(third, 2)?])
    };
    let (date, time) = text.split_once('T').map_or((text, None), |(date, time)| (date, Some(time)));
    let [year, month, day] = three(date, '-', 4)?;
    let mut millis = 0;
    if let Some(time) = time {
        let time = time.strip_suffix('Z').unwrap_or(time);
        let (clock, fraction) = match time.split_once('.') {
            Some((clock, fraction)) => (clock, number(fraction, 3)?),
            None => (time, 0),
        };
        let [hour, minute, second] = three(clock, ':', 2)?;
        let midnight = (hour, minute, second, fraction) == (24, 0, 0, 0);
        if !(midnight || hour < 24 && minute < 60 && second < 60) {
            return None;
        }
        millis = i64::from(hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction);
    }
    let first = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, 1).filter(|_| (1..=31).contains(&day))?;
    let midnight = (first + TimeDelta::days(i64::from(day) - 1)).and_hms_opt(0, 0, 0)?;
    Some((midnight.and_utc().timestamp_millis() + millis) as f64)
}
