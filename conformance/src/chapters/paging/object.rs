//! Numbers in page and limit that the documents leave open, and the pagination object: each of its six values on both
//! sides of where it changes.

use super::limit::{numbered_books, told};
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
    /// paginacion has its six keys and no others, also for an empty list.
    pagination_object_has_six_keys judges ["paging/object-keys"];
    /// page is the page in effect, as an integer.
    page_in_effect_is_told judges ["paging/object-page"] by told(12, "page", &[
            ("limit=1", 1),
            ("limit=1&page=1", 1),
            ("limit=1&page=2", 2),
            ("limit=1&page=12", 12),
            ("limit=5&page=3", 3),
        ]);
    /// limit is the limit in effect, as an integer.
    limit_in_effect_is_told judges ["paging/object-limit"] by told(3, "limit", &[
            ("limit=1", 1),
            ("limit=2", 2),
            // More than there are books: the answer shows the limit, not the number of items.
            ("limit=50", 50),
            ("limit=2&page=2", 2),
        ]);
    /// total counts what the filters kept, on every page.
    total_counts_what_the_filters_kept judges ["paging/object-total"] by told(12, "total", &[
            ("", 12),
            ("limit=5", 12),
            ("limit=5&page=3", 12),
            ("titulo=b01,b05,b12", 3),
            ("titulo=b01,b05,b12&limit=1", 3),
            ("titulo=b01,b05,b12&limit=1&page=3", 3),
            ("nada=1", 0),
        ]);
    /// pages is rounded up.
    pages_is_rounded_up judges ["paging/object-pages"] by told(12, "pages", &[
            ("limit=12", 1),
            ("limit=13", 1),
            ("limit=11", 2),
            ("limit=6", 2),
            ("limit=5", 3),
            ("limit=4&page=2", 3),
            ("limit=1", 12),
            ("", 2),
        ]);
    /// pages is 0 when nothing is kept.
    pages_of_nothing_is_0 judges ["paging/object-pages-empty"]
        by told(1, "pages", &[("nada=1", 0), ("nada=1&limit=1", 0), ("", 1)]);
    /// hasNext is true up to the page before the last.
    has_next_ends_with_the_last_item judges ["paging/object-has-next"] by told(12, "hasNext", &[
            ("", true),
            ("page=2", false),
            ("limit=11", true),
            ("limit=12", false),
            ("limit=13", false),
            ("limit=6", true),
            ("limit=6&page=2", false),
            ("limit=5&page=2", true),
            ("limit=5&page=3", false),
            ("limit=1&page=11", true),
            ("limit=1&page=12", false),
            ("nada=1", false),
        ]);
    /// hasPrev is true from the second page on.
    has_prev_begins_with_page_2 judges ["paging/object-has-prev"] by told(12, "hasPrev", &[
            ("", false),
            ("limit=5&page=1", false),
            ("limit=5&page=2", true),
            ("limit=5&page=3", true),
            ("page=2", true),
            ("nada=1", false),
        ]);
    /// On an empty list page is the one asked for, and hasPrev follows it.
    has_prev_of_nothing_goes_by_the_page judges ["paging/object-has-prev", "paging/page-beyond-end"];
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
    let is_ok = listed.reply.is(200);
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
        set.ask(asked)?.reply.check().status(200)?.at("/metadata/paginacion/limit", &json!(1))?;
    }
    Ok(())
}

fn limit_below_one_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    let listed = set.ask("limit=0.5")?;
    let is = |limit: i64| {
        let told = listed.reply.at("/metadata/paginacion/limit").unwrap_or_default();
        listed.reply.is(200) && same(&told, &json!(limit))
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
    let is_ok = listed.reply.is(200);
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

fn pagination_object_has_six_keys(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 3)?;
    for asked in ["", "limit=1&page=2", "nada=1", "fields=titulo&sort=titulo"] {
        let listed = set.ask(asked)?;
        let check = listed.reply.check().status(200)?;
        check.keys("/metadata/paginacion", &["page", "limit", "total", "pages", "hasNext", "hasPrev"])?;
    }
    Ok(())
}

/// If page is not the one asked for, that is the fault, whatever hasPrev says.
fn has_prev_of_nothing_goes_by_the_page(cx: &CaseContext<'_>) -> CaseResult {
    let set = numbered_books(cx, 1)?;
    let listed = set.ask("nada=1&page=3")?;
    listed.reply.check_rule("paging/page-beyond-end").status(200)?.at("/metadata/paginacion/page", &json!(3))?;
    listed.reply.check_rule("paging/object-has-prev").at("/metadata/paginacion/hasPrev", &json!(true)).map(drop)
}
