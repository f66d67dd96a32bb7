//! Numbers in page and limit that the documents leave open: fractions, trailing text, repetitions, huge and negative ones.

use super::numbered_books::numbered_books;
use crate::chapters::list::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

cases! { "paging";
    /// Decimals are cut off, or make the number unparsable.
    fractions_are_read_one_way judges ["paging/number-fraction"];
    /// A negative limit is the minimum, 1.
    negative_limit_is_the_minimum judges ["paging/limit-negative"];
    /// A limit between 0 and 1 is the default or 1.
    limit_below_one_is_read_one_way judges ["paging/number-fraction"];
    /// Digits followed by something else.
    trailing_text_is_read_one_way judges ["paging/number-trailing-text"];
    /// An exponent.
    exponent_is_read_one_way judges ["paging/number-trailing-text"];
    /// More digits than a number can hold.
    number_beyond_the_finite_is_read_one_way judges ["paging/number-beyond-finite"];
    /// The first of several values counts, or none.
    repeated_number_is_read_one_way judges ["paging/number-repeated"];
}

/// Which of the values is in `metadata.paginacion` under the key.
fn reads(
    cx: &CaseContext<'_>,
    set: &LabelledBooks<'_>,
    key: &str,
    asked: &str,
    readings: &[(&str, i64)],
) -> CaseResult {
    let listed = set.ask(asked)?;
    let got = listed.reply.at(&format!("/metadata/paginacion/{key}")).unwrap_or_default();
    let is_ok = listed.reply.status() == 200;
    let readings: Vec<(&str, bool)> =
        readings.iter().map(|(reading, value)| (*reading, is_ok && same(&got, &json!(value)))).collect();
    cx.observe(&readings, format!("{key} {got} for `{asked}`"))
}

fn fractions_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    let unparsable = "unparsable";
    reads(cx, &set, "limit", "limit=2.7", &[("cut", 2), (unparsable, 10)])?;
    reads(cx, &set, "page", "limit=1&page=2.7", &[("cut", 2), (unparsable, 1)])
}

fn negative_limit_is_the_minimum(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    for asked in ["limit=-1", "limit=-5", "limit=-100"] {
        let listed = set.ask(asked)?;
        listed.reply.check().status(200)?.at("/metadata/paginacion/limit", &json!(1))?;
    }
    Ok(())
}

fn limit_below_one_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    let listed = set.ask("limit=0.5")?;
    let is = |limit: i64| {
        let told = listed.reply.at("/metadata/paginacion/limit").unwrap_or_default();
        listed.reply.status() == 200 && same(&told, &json!(limit))
    };
    cx.observe_of("a limit between 0 and 1", &[("cut", is(10)), ("minimum", is(1))], listed.got())
}

fn trailing_text_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    let (leading, unparsable) = ("leading", "unparsable");
    reads(cx, &set, "limit", "limit=2abc", &[(leading, 2), (unparsable, 10)])?;
    reads(cx, &set, "page", "limit=1&page=2abc", &[(leading, 2), (unparsable, 1)])
}

fn exponent_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    // 10 is the exponent's value as well as the default.
    reads(cx, &set, "limit", "limit=2e1", &[("leading", 2), ("unparsable", 10), ("exponent", 20)])
}

fn number_beyond_the_finite_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    let digits = "9".repeat(400);
    let (default, beyond) = ("default", "beyond");
    reads(cx, &set, "limit", &format!("limit={digits}"), &[(default, 10), (beyond, 100)])?;
    let listed = set.ask(&format!("sort=id&limit=2&page={digits}"))?;
    let is_ok = listed.reply.status() == 200;
    let shown = listed.labels().unwrap_or_else(|| vec!["no list".into()]);
    let has_prev = listed.reply.at("/metadata/paginacion/hasPrev");
    let is = |labels: &[&str], prev: bool| is_ok && shown == labels && has_prev == Some(Value::Bool(prev));
    // A number of four hundred digits may come back whole: legal JSON, and more than this suite's reader takes.
    let text = listed.reply.received().text().replace([' ', '\n'], "");
    let is_empty_text = is_ok && text.contains("\"datos\":[]") && text.contains("\"hasPrev\":true");
    cx.observe(&[(default, is(&["b01", "b02"], false)), (beyond, is(&[], true) || is_empty_text)], listed.got())
}

fn repeated_number_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 5)?;
    for asked in ["limit=2&limit=3", "limit=2,3"] {
        reads(cx, &set, "limit", asked, &[("first", 2), ("last", 3), ("unparsable", 10)])?;
    }
    for asked in ["limit=1&page=2&page=3", "limit=1&page=2,3"] {
        reads(cx, &set, "page", asked, &[("first", 2), ("last", 3), ("unparsable", 1)])?;
    }
    Ok(())
}
