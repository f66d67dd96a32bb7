//! What a query value becomes before use: boolean, number, date, list or text. Compares nothing.

use chrono::{NaiveDate, TimeDelta};

use super::super::js;
use crate::impostor::faults::Faults;

/// A converted query value.
#[derive(Clone, Debug, PartialEq)]
pub enum Converted {
    /// `true` or `false` in any letter case.
    Bool(bool),
    /// A numeric text.
    Number(f64),
    /// An ISO date, as milliseconds since 1970.
    Date(f64),
    /// Anything else.
    Text(String),
    /// A value with commas, or a repeated parameter: always flat.
    List(Vec<Converted>),
}

/// Converts all values of one parameter.
pub(crate) fn convert_all(values: &[String], faults: &Faults) -> Converted {
    if faults.on("repeated-last-wins") {
        return values.last().map_or_else(|| Converted::Text(String::new()), |v| convert(v, faults));
    }
    if faults.on("repeated-first-wins") {
        return values.first().map_or_else(|| Converted::Text(String::new()), |v| convert(v, faults));
    }
    if let [one] = values {
        return convert(one, faults);
    }
    if faults.on("repeated-not-converted") {
        return Converted::List(values.iter().cloned().map(Converted::Text).collect());
    }
    if faults.reads("repeated-nests") {
        return Converted::List(values.iter().map(|v| convert(v, faults)).collect());
    }
    let mut items = Vec::new();
    for value in values {
        match convert(value, faults) {
            Converted::List(more) => items.extend(more),
            item => items.push(item),
        }
    }
    Converted::List(items)
}

/// Converts one text.
pub fn convert(text: &str, faults: &Faults) -> Converted {
    if text.contains(',') && !faults.on("comma-list-not-split") {
        let mut items: Vec<&str> = text.split(',').collect();
        if faults.reads("list-items-trimmed") {
            items = items.into_iter().map(str::trim).filter(|item| !item.is_empty()).collect();
        }
        if faults.on("comma-list-first-only") {
            items.truncate(1);
        }
        if faults.on("comma-list-splits-once") {
            items = text.splitn(2, ',').collect();
        }
        if faults.on("list-items-not-converted") {
            return Converted::List(items.into_iter().map(|item| Converted::Text(item.to_owned())).collect());
        }
        return Converted::List(items.into_iter().map(|item| convert_one(item, faults)).collect());
    }
    convert_one(text, faults)
}

fn convert_one(text: &str, faults: &Faults) -> Converted {
    if let Some(boolean) = boolean(text, faults) {
        return Converted::Bool(boolean);
    }
    if !text.is_empty() && !faults.on("numbers-stay-text") {
        let number = js::to_number(text);
        let integers_only = faults.on("decimals-stay-text") && number.fract() != 0.0;
        let plain_only = faults.reads("plain-numbers-only")
            && !text.strip_prefix('-').unwrap_or(text).chars().all(|c| c.is_ascii_digit() || c == '.');
        let negative = faults.on("negative-numbers-stay-text") && text.starts_with('-');
        if !number.is_nan() && !integers_only && !plain_only && !negative {
            return Converted::Number(number);
        }
    }
    if !faults.reads("dates-as-text")
        && let Some(date) = iso_date(text)
        && !(faults.reads("impossible-days-are-text") && flows_over(text))
    {
        return Converted::Date(if faults.on("dates-keep-the-year-only") { year_start(text) } else { date });
    }
    Converted::Text(text.to_owned())
}

fn boolean(text: &str, faults: &Faults) -> Option<bool> {
    if faults.on("booleans-stay-text") {
        return None;
    }
    if faults.on("booleans-lower-case-only") {
        return match text {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
    }
    if text.eq_ignore_ascii_case("true") {
        return Some(true);
    }
    (text.eq_ignore_ascii_case("false") && !faults.on("false-stays-text")).then_some(false)
}

/// Whether a date runs past the end of its month.
fn flows_over(text: &str) -> bool {
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<u32>().ok());
    let (year, month, day) = (part(0..4), part(5..7), part(8..10));
    let (Some(year), Some(month), Some(day)) = (year, month, day) else {
        return false;
    };
    NaiveDate::from_ymd_opt(year as i32, month, day).is_none()
}

fn year_start(text: &str) -> f64 {
    text.get(..4).and_then(|year| iso_date(&format!("{year}-01-01"))).unwrap_or(0.0)
}

/// `YYYY-MM-DD`, optionally `Thh:mm:ss`, `.mmm`, `Z`: milliseconds since 1970, always as UTC.
/// Days run to 31 in every month and flow over, as V8 has it; 24:00:00 is the next day's start.
pub fn iso_date(text: &str) -> Option<f64> {
    let number = |part: &str, digits: usize| -> Option<u32> {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
    };
    let (day, time) = match text.split_once('T') {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let mut parts = day.split('-');
    let year = number(parts.next()?, 4)?;
    let month = number(parts.next()?, 2)?;
    let day = number(parts.next()?, 2)?;
    if parts.next().is_some() || !(1..=31).contains(&day) {
        return None;
    }
    let mut millis = 0;
    if let Some(time) = time {
        let time = time.strip_suffix('Z').unwrap_or(time);
        let (clock, fraction) = match time.split_once('.') {
            Some((clock, fraction)) => (clock, number(fraction, 3)?),
            None => (time, 0),
        };
        let mut parts = clock.split(':');
        let hour = number(parts.next()?, 2)?;
        let minute = number(parts.next()?, 2)?;
        let second = number(parts.next()?, 2)?;
        let midnight = (hour, minute, second, fraction) == (24, 0, 0, 0);
        if parts.next().is_some() || !(midnight || hour < 24 && minute < 60 && second < 60) {
            return None;
        }
        millis = i64::from(hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction);
    }
    let first = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, 1)?;
    let midnight = (first + TimeDelta::days(i64::from(day) - 1)).and_hms_opt(0, 0, 0)?;
    Some((midnight.and_utc().timestamp_millis() + millis) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_the_four_forms_are_read_as_utc() {
        let day = 1_577_836_800_000.0;
        assert_eq!(iso_date("2020-01-01"), Some(day));
        for text in
            ["2020-01-01T00:00:01", "2020-01-01T00:00:01.000", "2020-01-01T00:00:01Z", "2020-01-01T00:00:01.000Z"]
        {
            assert_eq!(iso_date(text), Some(day + 1000.0), "{text}");
        }
        assert_eq!(iso_date("2020-02-30"), iso_date("2020-03-01"));
        for text in
            ["2020-1-01", "2020-13-01", "2020-01-32", "2020-01-01T25:00:00", "2020-01-01T00:00", "2020-01-01Z", ""]
        {
            assert_eq!(iso_date(text), None, "{text}");
        }
    }

    #[test]
    fn repeated_and_comma_values_become_one_flat_list() {
        let values = ["1,x".to_owned(), "TRUE".to_owned()];
        let expected = vec![Converted::Number(1.0), Converted::Text("x".to_owned()), Converted::Bool(true)];
        assert_eq!(convert_all(&values, &Faults::none()), Converted::List(expected));
    }
}
