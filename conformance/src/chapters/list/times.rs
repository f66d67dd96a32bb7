//! Dates with a time of day: distinct to the millisecond, in order, and past the end of a day. All of it only noted, as with dates.

use super::dates::{AS_INSTANT, AS_TEXT, NEVER, NO_COMPARISON};
use super::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

cases! { "list";
    /// A date with a time equals texts of the same instant, and none a millisecond, minute, hour or day away.
    instants_are_told_apart_to_the_millisecond judges ["list/convert-date-time"];
    /// Bounds with a time keep what lies at or after, at or before, by hours first and seconds last.
    bounds_with_a_time_are_read_one_way judges ["list/date-bounds"];
    /// A date as a bound of a number is its milliseconds since 1970, or no bound.
    date_as_bound_of_a_number_is_read_one_way judges ["list/date-bounds"];
    /// Hour 24, minute 60 and the like are no time, or run on.
    impossible_times_are_read_one_way judges ["list/date-impossible"];
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
    // Compared as texts every number of so many milliseconds comes before `2020-05-17`.
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
