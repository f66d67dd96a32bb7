//! Dates in the query. The documents leave open how a date compares with a text, so nearly all of it is only noted.

use serde_json::json;

use crate::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseResult;

use super::labelled_books::LabelledBooks;

cases! { "list";
    /// A date keeps no book whose field names another day, alone or in a list.
    date_keeps_no_other_day judges ["list/date-other-day"];
    /// A day against the same instant in two spellings.
    day_against_a_date_text_is_read_one_way judges ["list/convert-date"];
    /// A day with a time against the same instant in two spellings.
    time_against_a_date_text_is_read_one_way judges ["list/convert-date-time"];
    /// A time without a Z is in UTC or local.
    time_without_zone_is_read_one_way judges ["list/date-without-zone"];
    /// A month that does not exist.
    impossible_month_is_read_one_way judges ["list/date-impossible"];
    /// A day past the end of its month.
    day_past_the_month_is_read_one_way judges ["list/date-impossible"];
    /// A date as lower bound, where the book also passes the equality step.
    date_as_lower_bound_is_read_one_way judges ["list/date-bounds"];
    /// A date as upper bound, where the book also passes the equality step.
    date_as_upper_bound_is_read_one_way judges ["list/date-bounds"];
}

pub(super) const AS_INSTANT: &str = "compared as an instant with ISO date texts";
pub(super) const AS_TEXT: &str = "compared as text";
pub(super) const NEVER: &str = "a date never equals a text";
pub(super) const NO_COMPARISON: &str = "no comparison between a date and a text holds";

fn date_keeps_no_other_day(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("same-month", json!({ "estreno": "2020-05-03" })),
            ("same-day-of-month", json!({ "estreno": "2020-06-17" })),
            ("other-year", json!({ "estreno": "2019-05-17" })),
            ("new-year", json!({ "estreno": "2020-01-01" })),
            ("first-of-month", json!({ "estreno": "2020-05-01" })),
            ("word", json!({ "estreno": "mayo" })),
            ("lacking", json!({})),
        ],
    )?;
    shelf.keeps(&[
        ("estreno=2020-05-17", ""),
        ("estreno=2020-05-17T12:00:00Z", ""),
        ("estreno=2020-05-17,mayo", "word"),
        ("estreno=mayo&estreno=2020-05-17", "word"),
    ])
}

fn day_against_a_date_text_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("day", json!({ "dia": "2020-05-17" })),
            ("midnight", json!({ "dia": "2020-05-17T00:00:00.000Z" })),
            ("next", json!({ "dia": "2020-05-19" })),
        ],
    )?;
    shelf.ask("dia=2020-05-17")?.reads(&[(AS_INSTANT, "day midnight"), (NEVER, ""), (AS_TEXT, "day")])
}

fn time_against_a_date_text_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("seconds", json!({ "dia": "2020-05-17T10:30:00Z" })),
            ("millis", json!({ "dia": "2020-05-17T10:30:00.000Z" })),
            ("later", json!({ "dia": "2020-05-17T10:31:00Z" })),
        ],
    )?;
    for (asked, same_text) in [("dia=2020-05-17T10:30:00Z", "seconds"), ("dia=2020-05-17T10:30:00.000Z", "millis")] {
        shelf.ask(asked)?.reads(&[(AS_INSTANT, "seconds millis"), (NEVER, ""), (AS_TEXT, same_text)])?;
    }
    Ok(())
}

/// Where the target's zone is UTC the two readings are one; a date that never equals a text decides nothing.
fn time_without_zone_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("utc", json!({ "dia": "2020-05-17T10:30:00Z" })),
            ("bare", json!({ "dia": "2020-05-17T10:30:00" })),
            ("later", json!({ "dia": "2020-05-19T10:30:00" })),
        ],
    )?;
    let local = "local time of the server";
    shelf.ask("dia=2020-05-17T10:30:00")?.reads(&[("UTC", "utc bare"), (local, "bare"), (local, "")])
}

fn impossible_month_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[("same-text", json!({ "dia": "2020-13-01" })), ("other", json!({ "dia": "2021-01-01" }))],
    )?;
    shelf.ask("dia=2020-13-01")?.reads(&[
        ("as V8 reads dates, and a text where that reads none", "same-text"),
        ("an invalid date, which equals nothing", ""),
    ])
}

fn day_past_the_month_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("same-text", json!({ "dia": "2020-02-30" })),
            ("march", json!({ "dia": "2020-03-01" })),
            ("leap", json!({ "dia": "2020-02-29" })),
        ],
    )?;
    shelf.ask("dia=2020-02-30")?.reads(&[
        ("as V8 reads dates, and a text where that reads none", "same-text march"),
        ("2020-02-30 is no date either", "same-text"),
        ("an invalid date, which equals nothing", ""),
    ])
}

fn date_as_lower_bound_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("after", json!({ "dia": "2020-06-01", "min_dia": "2020-05-17" })),
            ("same", json!({ "dia": "2020-05-17", "min_dia": "2020-05-17" })),
            ("before", json!({ "dia": "2020-04-30", "min_dia": "2020-05-17" })),
            ("bare", json!({ "dia": "2020-06-01" })),
        ],
    )?;
    shelf.ask("min_dia=2020-05-17")?.reads(&[("instants", "after same"), (NO_COMPARISON, "")])
}

fn date_as_upper_bound_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let shelf = LabelledBooks::of(
        cx,
        &[
            ("before", json!({ "dia": "2020-04-30", "max_dia": "2020-05-17" })),
            ("same-instant", json!({ "dia": "2020-05-17T00:00:00.000Z", "max_dia": "2020-05-17" })),
            ("after", json!({ "dia": "2020-06-01", "max_dia": "2020-05-17" })),
            ("bare", json!({ "dia": "2020-04-30" })),
        ],
    )?;
    shelf.ask("max_dia=2020-05-17")?.reads(&[
        ("instants", "before same-instant"),
        (NO_COMPARISON, ""),
        (AS_TEXT, "before"),
    ])
}
