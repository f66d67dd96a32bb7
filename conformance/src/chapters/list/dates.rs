//! Dates, dates with a time of day, and texts that JavaScript reads as numbers. The documents leave open how a date
//! compares with a text, and which numbers are read, so nearly all of it is only noted.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// A date keeps no book whose field names another day, alone or in a list.
    date_keeps_no_other_day judges ["list/date-other-day"]:
        labelled! {
            "same-month": { "estreno": "2020-05-03" },
            "same-day-of-month": { "estreno": "2020-06-17" },
            "other-year": { "estreno": "2019-05-17" },
            "new-year": { "estreno": "2020-01-01" },
            "first-of-month": { "estreno": "2020-05-01" },
            "word": { "estreno": "mayo" },
            "lacking": {},
        }.keeps(&[
            ("estreno=2020-05-17", ""),
            ("estreno=2020-05-17T12:00:00Z", ""),
            ("estreno=2020-05-17,mayo", "word"),
            ("estreno=mayo,2020-05-17", "word"),
        ]);
    /// A day against the same instant in two spellings.
    day_against_a_date_text_is_read_one_way judges ["list/convert-date"]:
        labelled! {
            "day": { "dia": "2020-05-17" },
            "midnight": { "dia": "2020-05-17T00:00:00.000Z" },
            "next": { "dia": "2020-05-19" },
        }.reads("dia=2020-05-17", &[(AS_INSTANT, "day midnight"), (NEVER, ""), (AS_TEXT, "day")]);
    /// A time without a Z is in UTC or local.
    // Where the target's zone is UTC the two readings are one; a date that never equals a text decides nothing.
    time_without_zone_is_read_one_way judges ["list/date-without-zone"]:
        labelled! {
            "utc": { "dia": "2020-05-17T10:30:00Z" },
            "bare": { "dia": "2020-05-17T10:30:00" },
            "later": { "dia": "2020-05-19T10:30:00" },
        }.reads("dia=2020-05-17T10:30:00", &[("utc", "utc bare"), ("local", "bare"), ("local", "")]);
    /// A month that does not exist.
    impossible_month_is_read_one_way judges ["list/date-impossible"]:
        labelled! { "same-text": { "dia": "2020-13-01" }, "other": { "dia": "2021-01-01" } }.reads("dia=2020-13-01", &[
            ("v8", "same-text"),
            ("invalid", ""),
            ("runs-on", "same-text other"),
            ("runs-on", "other"),
        ]);
    /// A day past the end of its month.
    day_past_the_month_is_read_one_way judges ["list/date-impossible"]:
        labelled! {
            "same-text": { "dia": "2020-02-30" },
            "march": { "dia": "2020-03-01" },
            "leap": { "dia": "2020-02-29" },
        }.reads("dia=2020-02-30", &[
            ("v8", "same-text march"),
            ("not-a-date", "same-text"),
            ("invalid", ""),
            ("runs-on", "march"),
        ]);
    /// A date as lower bound, where the book also passes the equality step.
    date_as_lower_bound_is_read_one_way judges ["list/date-bounds"]:
        labelled! {
            "after": { "dia": "2020-06-01", "min_dia": "2020-05-17" },
            "same": { "dia": "2020-05-17", "min_dia": "2020-05-17" },
            "before": { "dia": "2020-04-30", "min_dia": "2020-05-17" },
            "bare": { "dia": "2020-06-01" },
        }.reads("min_dia=2020-05-17", &[("instants", "after same"), (NO_COMPARISON, "")]);
    /// A date as upper bound, where the book also passes the equality step.
    date_as_upper_bound_is_read_one_way judges ["list/date-bounds"]:
        labelled! {
            "before": { "dia": "2020-04-30", "max_dia": "2020-05-17" },
            "same-instant": { "dia": "2020-05-17T00:00:00.000Z", "max_dia": "2020-05-17" },
            "after": { "dia": "2020-06-01", "max_dia": "2020-05-17" },
            "bare": { "dia": "2020-04-30" },
        }.reads("max_dia=2020-05-17", &[("instants", "before same-instant"), (NO_COMPARISON, ""), (AS_TEXT, "before")]);
    /// A day with a time against the same instant in two spellings.
    time_against_a_date_text_is_read_one_way judges ["list/convert-date-time"];
    /// A date with a time equals texts of the same instant, and none a millisecond, minute, hour or day away.
    instants_are_told_apart_to_the_millisecond judges ["list/convert-date-time"];
    /// Bounds with a time keep what lies at or after, at or before, by hours first and seconds last.
    bounds_with_a_time_are_read_one_way judges ["list/date-bounds"];
    /// A date as a bound of a number is its milliseconds since 1970, or no bound.
    date_as_bound_of_a_number_is_read_one_way judges ["list/date-bounds"];
    /// Hour 24, minute 60 and the like are no time, or run on.
    impossible_times_are_read_one_way judges ["list/date-impossible"];
    /// Signs, points, exponents and digits in radix 2, 8 and 16 make numbers, or texts like others.
    odd_spellings_of_numbers_are_read_one_way judges ["list/convert-number-forms"];
    /// Words that some readers take for infinity or for no number are texts, or numbers that equal nothing.
    words_for_infinity_are_read_one_way judges ["list/convert-number-forms"];
    /// What JavaScript takes for no number is a text.
    texts_that_only_look_like_numbers_are_texts judges ["list/convert-number-forms"];
}

pub(super) const AS_INSTANT: &str = "instant";
pub(super) const AS_TEXT: &str = "text";
pub(super) const NEVER: &str = "never";
pub(super) const NO_COMPARISON: &str = "never";

fn time_against_a_date_text_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "seconds": { "dia": "2020-05-17T10:30:00Z" },
        "millis": { "dia": "2020-05-17T10:30:00.000Z" },
        "later": { "dia": "2020-05-17T10:31:00Z" },
    }
    .created(cx)?;
    for (asked, same_text) in [("dia=2020-05-17T10:30:00Z", "seconds"), ("dia=2020-05-17T10:30:00.000Z", "millis")] {
        set.ask(asked)?.reads(&[(AS_INSTANT, "seconds millis"), (NEVER, ""), (AS_TEXT, same_text)])?;
    }
    Ok(())
}

fn instants_are_told_apart_to_the_millisecond(cx: &CaseContext<'_>) -> CaseResult {
    const BOOKS: [(&str, &str); 9] = [
        ("at", "2020-05-17T12:30:45Z"),
        ("same", "2020-05-17T12:30:45.000Z"),
        ("milli", "2020-05-17T12:30:45.001Z"),
        ("second", "2020-05-17T12:30:46Z"),
        ("minute", "2020-05-17T12:31:45Z"),
        ("hour", "2020-05-17T13:30:45Z"),
        ("day", "2020-05-18T12:30:45Z"),
        ("late", "2020-05-17T23:59:59.999Z"),
        ("midnight", "2020-05-18T00:00:00Z"),
    ];
    let set = LabelledBooks::of(cx, &BOOKS.map(|(label, dia)| (label, json!({ "dia": dia }))))?;
    for (label, dia) in BOOKS {
        let as_instant = if matches!(label, "at" | "same") { "at same" } else { label };
        set.ask(&format!("dia={dia}"))?.reads(&[(AS_INSTANT, as_instant), (NEVER, ""), (AS_TEXT, label)])?;
    }
    Ok(())
}

fn bounds_with_a_time_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    const BOUND: &str = "2020-05-17T12:30:45Z";
    const BEFORE: [(&str, &str); 4] = [
        ("second-before", "2020-05-17T12:30:44Z"),
        ("minute-before", "2020-05-17T12:29:59Z"),
        ("hour-before", "2020-05-17T11:59:59Z"),
        ("day-before", "2020-05-16T23:59:59Z"),
    ];
    const AFTER: [(&str, &str); 4] = [
        ("second-after", "2020-05-17T12:30:46Z"),
        ("minute-after", "2020-05-17T12:31:00Z"),
        ("hour-after", "2020-05-17T13:00:00Z"),
        ("day-after", "2020-05-18T00:00:00Z"),
    ];
    let book = |(label, dia): (&'static str, &str)| (label, json!({ "dia": dia, "min_dia": BOUND, "max_dia": BOUND }));
    let books: Vec<_> = BEFORE.into_iter().chain([("at", BOUND)]).chain(AFTER).map(book).collect();
    let set = LabelledBooks::of(cx, &books)?;
    let labels = |books: &[(&str, &str)]| books.iter().map(|(label, _)| format!("{label} ")).collect::<String>() + "at";
    for (asked, kept) in [("min_dia", labels(&AFTER)), ("max_dia", labels(&BEFORE))] {
        set.ask(&format!("{asked}={BOUND}"))?.reads(&[("instants", kept.as_str()), (NO_COMPARISON, "")])?;
    }
    Ok(())
}

fn date_as_bound_of_a_number_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    const BOUND: &str = "2020-05-17";
    const BOUND_MS: i64 = 1_589_673_600_000;
    let book = |n: i64| json!({ "n": n, "min_n": BOUND, "max_n": BOUND });
    let books = [("before", BOUND_MS - 1), ("at", BOUND_MS), ("after", BOUND_MS + 1)];
    let set = LabelledBooks::of(cx, &books.map(|(label, n)| (label, book(n))))?;
    // Compared as texts every number of milliseconds of this length comes before `2020-05-17`.
    for (asked, kept, as_text) in [("min_n", "at after", ""), ("max_n", "before at", "before at after")] {
        set.ask(&format!("{asked}={BOUND}"))?.reads(&[("instants", kept), (NO_COMPARISON, ""), (AS_TEXT, as_text)])?;
    }
    Ok(())
}

fn impossible_times_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    // What is sent, what it would be if it ran on, and whether V8 takes it for that.
    const TIMES: [(&str, &str, bool); 7] = [
        ("2020-05-17T24:00:00Z", "2020-05-18T00:00:00Z", true),
        ("2020-05-17T24:00:01Z", "2020-05-18T00:00:01Z", false),
        ("2020-05-17T24:01:00Z", "2020-05-18T00:01:00Z", false),
        ("2020-05-17T24:00:00.001Z", "2020-05-18T00:00:00.001Z", false),
        ("2020-05-17T25:00:00Z", "2020-05-18T01:00:00Z", false),
        ("2020-05-17T12:60:00Z", "2020-05-17T13:00:00Z", false),
        ("2020-05-17T12:30:60Z", "2020-05-17T12:31:00Z", false),
    ];
    for (sent, run_on, is_time) in TIMES {
        let set =
            LabelledBooks::of(cx, &[("same-text", json!({ "dia": sent })), ("run-on", json!({ "dia": run_on }))])?;
        let as_v8 = if is_time { "same-text run-on" } else { "same-text" };
        let readings = [
            ("v8", as_v8),
            ("hour-24", "same-text"),
            ("invalid", ""),
            ("runs-on", "same-text run-on"),
            ("runs-on", "run-on"),
        ];
        set.ask(&format!("dia={sent}"))?.reads(&readings)?;
    }
    Ok(())
}

/// Notes what becomes of a text beside the number it spells or looks like; `as_number` is the reading where both are kept.
fn judge(cx: &CaseContext<'_>, text: &str, number: f64, as_number: &str) -> CaseResult {
    let books = [("text", json!({ "n": text })), ("number", json!({ "n": number })), ("other", json!({ "n": 23 }))];
    let readings = [(as_number, "text number"), ("text", "text"), ("number", "number"), ("nothing", "")];
    LabelledBooks::of(cx, &books)?.ask(&format!("n={}", percent_encoded(text)))?.reads(&readings)
}

fn odd_spellings_of_numbers_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    const FORMS: [(&str, f64); 16] = [
        ("+5", 5.0),
        ("5.", 5.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("007", 7.0),
        ("1E2", 100.0),
        ("1e+2", 100.0),
        ("5e-1", 0.5),
        ("-1.5e1", -15.0),
        ("0X1f", 31.0),
        ("0x0", 0.0),
        ("0b101", 5.0),
        ("0O17", 15.0),
        ("\u{a0}5\u{feff}", 5.0),
        // Rounded to the nearest double, and up by the last digit alone.
        ("0x10000000000000800", 18_446_744_073_709_551_616.0),
        ("0x10000000000000801", 18_446_744_073_709_555_712.0),
    ];
    for (text, number) in FORMS {
        judge(cx, text, number, "javascript")?;
    }
    Ok(())
}

fn texts_that_only_look_like_numbers_are_texts(cx: &CaseContext<'_>) -> CaseResult {
    const TEXTS: [(&str, f64); 12] = [
        ("0x", 0.0),
        ("0b2", 2.0),
        ("0o8", 8.0),
        ("0x5g", 5.0),
        ("-0x5", -5.0),
        ("1e", 1.0),
        ("1e+", 1.0),
        ("1e5x", 100_000.0),
        ("--5", 5.0),
        (".", 0.0),
        ("1_000", 1000.0),
        ("1.5.2", 1.5),
    ];
    for (text, number) in TEXTS {
        judge(cx, text, number, "number")?;
    }
    Ok(())
}

fn words_for_infinity_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let words = ["inf", "-inf", "INF", "infinity", "nan", "NaN"];
    for word in words {
        let books = [("text", json!({ "n": word })), ("zero", json!({ "n": 0 })), ("other", json!({ "n": "palabra" }))];
        LabelledBooks::of(cx, &books)?.ask(&format!("n={word}"))?.reads(&[("text", "text"), ("nothing", "")])?;
    }
    Ok(())
}
