//! The order in which filters, sort, page and selection act. Each lot is longer than the pages asked of it.

use super::labelled_books::LabelledBooks;
use super::rows::{ListRow, labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// Equality filters find books beyond the first page.
    equality_acts_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve())
        .keeps(&[("tema=raro&limit=2", "b11 b12"), ("tema=raro", "b11 b12")]);
    /// q finds books beyond the first page.
    q_acts_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve())
        .keeps(&[("q=zafiro&limit=2", "b11 b12"), ("q=zafiro", "b11 b12")]);
    /// min_, max_ and is_ find books beyond the first page.
    bounds_and_truthiness_act_before_the_page judges ["list/order-filter-before-page"]:
        ListRow::of(twelve())
        .keeps(&[
            ("min_peso=5&limit=2", "b11 b12"),
            ("max_n=2&limit=2", "b11 b12"),
            ("is_leido=true&limit=2", "b11 b12"),
        ]);
    /// Pages count in what the filters kept.
    second_page_is_of_the_filtered judges ["list/order-filter-before-page"]:
        ListRow::of(twelve())
        .orders(&[("tema=raro&limit=1&page=2&sort=id", "b12"), ("tema=comun&limit=4&page=3&sort=id", "b09 b10")]);
    /// The first page of a sorted list holds the smallest of all.
    sort_acts_before_the_page judges ["list/order-sort-before-page"]:
        ListRow::of(twelve())
        .orders(&[("sort=n&limit=3", "b12 b11 b10"), ("sort=-titulo&limit=2", "b12 b11")]);
    /// Later pages go on in the same order.
    sort_acts_before_later_pages judges ["list/order-sort-before-page"]:
        ListRow::of(twelve())
        .orders(&[
            ("sort=n&limit=5&page=2", "b07 b06 b05 b04 b03"),
            ("sort=n&limit=5&page=3", "b02 b01"),
            ("sort=n&page=2", "b02 b01"),
        ]);
    /// sort goes by fields that are not shown.
    sort_sees_fields_that_are_not_shown judges ["list/order-fields-last"];
    /// Filters go by fields that are not shown.
    filters_see_fields_that_are_not_shown judges ["list/order-fields-last"];
    /// q looks into fields that are not shown.
    q_sees_fields_that_are_not_shown judges ["list/order-fields-last"];
}

/// Twelve books: n counts down, and the last two alone are of the kind `raro`.
fn twelve() -> Vec<(&'static str, Value)> {
    const LABELS: [&str; 12] = ["b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12"];
    LABELS
        .into_iter()
        .zip(1_i64..)
        .map(|(label, position)| {
            let is_rare = position > 10;
            let fields = json!({
                "n": 13 - position,
                "tema": if is_rare { "raro" } else { "comun" },
                "nota": if is_rare { "zafiro" } else { "cuarzo" },
                "peso": if is_rare { 9 } else { 1 },
                "min_peso": 5, "max_n": 2,
                "leido": is_rare, "is_leido": true,
            });
            (label, fields)
        })
        .collect()
}

fn sort_sees_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set =
        LabelledBooks::of(cx, &[("two", json!({ "n": 2 })), ("three", json!({ "n": 3 })), ("one", json!({ "n": 1 }))])?;
    shows(&set, &[("sort=n&fields=titulo", "one two three"), ("sort=-n&fields=titulo", "three two one")])
}

fn filters_see_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "low": { "n": 1, "min_n": 2, "tema": "mar" },
        "high": { "n": 3, "min_n": 2, "tema": "sal" },
    }
    .created(cx)?;
    shows(&set, &[("tema=mar&fields=titulo", "low"), ("min_n=2&fields=titulo", "high")])
}

fn q_sees_fields_that_are_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let set =
        LabelledBooks::of(cx, &[("with", json!({ "nota": "zafiro" })), ("without", json!({ "nota": "cuarzo" }))])?;
    shows(&set, &[("q=zafiro&fields=titulo", "with")])
}

/// Items of titulo alone, in this order.
fn shows(set: &LabelledBooks<'_>, asked: &[(&str, &str)]) -> CaseResult {
    for (parameters, titles) in asked {
        let want: Value = titles.split_whitespace().map(|title| json!({ "titulo": title })).collect();
        let listed = set.ask(parameters)?;
        let got = listed.reply.at("/datos").unwrap_or_default();
        let place = Place::body("/datos").of_query(parameters);
        listed.reply.check().status(200)?.that(same(&got, &want), place, &want, &got)?;
    }
    Ok(())
}
