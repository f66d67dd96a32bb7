//! Dates in the query. The documents leave open how a date compares with a text, so nearly all of it is only noted.

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
        }
        .keeps(&[
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
        }
        .reads("dia=2020-05-17", &[(AS_INSTANT, "day midnight"), (NEVER, ""), (AS_TEXT, "day")]);
    /// A time without a Z is in UTC or local.
    // Where the target's zone is UTC the two readings are one; a date that never equals a text decides nothing.
    time_without_zone_is_read_one_way judges ["list/date-without-zone"]:
        labelled! {
            "utc": { "dia": "2020-05-17T10:30:00Z" },
            "bare": { "dia": "2020-05-17T10:30:00" },
            "later": { "dia": "2020-05-19T10:30:00" },
        }
        .reads("dia=2020-05-17T10:30:00", &[("utc", "utc bare"), ("local", "bare"), ("local", "")]);
    /// A month that does not exist.
    impossible_month_is_read_one_way judges ["list/date-impossible"]:
        labelled! { "same-text": { "dia": "2020-13-01" }, "other": { "dia": "2021-01-01" } }
        .reads("dia=2020-13-01", &[
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
        }
        .reads("dia=2020-02-30", &[
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
        }
        .reads("min_dia=2020-05-17", &[("instants", "after same"), (NO_COMPARISON, "")]);
    /// A date as upper bound, where the book also passes the equality step.
    date_as_upper_bound_is_read_one_way judges ["list/date-bounds"]:
        labelled! {
            "before": { "dia": "2020-04-30", "max_dia": "2020-05-17" },
            "same-instant": { "dia": "2020-05-17T00:00:00.000Z", "max_dia": "2020-05-17" },
            "after": { "dia": "2020-06-01", "max_dia": "2020-05-17" },
            "bare": { "dia": "2020-04-30" },
        }
        .reads("max_dia=2020-05-17", &[("instants", "before same-instant"), (NO_COMPARISON, ""), (AS_TEXT, "before")]);
    /// A day with a time against the same instant in two spellings.
    time_against_a_date_text_is_read_one_way judges ["list/convert-date-time"];
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
