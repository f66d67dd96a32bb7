//! min_ and max_: what they keep of the books that also pass the equality step.
//!
//! A book is only ever kept when it has a field named like the parameter, so the books here do.

use super::labelled_books::LabelledBooks;
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// min_ keeps greater numbers and drops smaller ones.
    min_keeps_greater_fields judges ["list/min-keeps"]:
        labelled! {
            "nine": { "n": 9, "min_n": 10 },
            "eleven": { "n": 11, "min_n": 10 },
            "hundred": { "n": 100, "min_n": 10 },
            "minus": { "n": -20, "min_n": 10 },
            "fraction": { "n": 10.5, "min_n": 10 },
            "negative-bound": { "n": -4, "min_n": -5 },
            "below-negative": { "n": -6, "min_n": -5 },
        }.keeps(&[("min_n=10", "eleven hundred fraction"), ("min_n=-5", "negative-bound")]);
    /// min_ keeps the number itself.
    min_keeps_an_equal_field judges ["list/min-inclusive"]:
        labelled! {
            "equal": { "n": 10, "min_n": 10 },
            "just-below": { "n": 9.999, "min_n": 10 },
            "zero": { "n": 0, "min_n": 0 },
        }.keeps(&[("min_n=10", "equal"), ("min_n=0", "zero")]);
    /// min_ drops books that lack the field, whatever the value.
    min_drops_books_that_lack_the_field judges ["list/bound-lacking"]:
        labelled! {
            "there": { "n": 3, "min_n": -5 },
            "lacking": { "min_n": -5 },
            "zero-there": { "n": 3, "min_n": 0 },
            "zero-lacking": { "min_n": 0 },
        }.keeps(&[("min_n=-5", "there"), ("min_n=0", "zero-there")]);
    /// max_ drops books that lack the field, whatever the value.
    max_drops_books_that_lack_the_field judges ["list/bound-lacking"]:
        labelled! {
            "there": { "n": 3, "max_n": 5 },
            "lacking": { "max_n": 5 },
            "zero-there": { "n": -3, "max_n": 0 },
            "zero-lacking": { "max_n": 0 },
        }.keeps(&[("max_n=5", "there"), ("max_n=0", "zero-there")]);
    /// min_ drops books without a field named like the parameter.
    min_is_an_equality_filter_as_well judges ["list/min-faces-equality"]:
        labelled! { "named": { "n": 11, "min_n": 10 }, "ordinary": { "n": 11 } }.keeps(&[("min_n=10", "named")]);
    /// max_ keeps smaller numbers and drops greater ones.
    max_keeps_smaller_fields judges ["list/max-keeps"]:
        labelled! {
            "nine": { "n": 9, "max_n": 10 },
            "eleven": { "n": 11, "max_n": 10 },
            "hundred": { "n": 100, "max_n": 10 },
            "minus": { "n": -20, "max_n": 10 },
            "fraction": { "n": 10.5, "max_n": 10 },
            "negative-bound": { "n": -6, "max_n": -5 },
            "above-negative": { "n": -4, "max_n": -5 },
        }.keeps(&[("max_n=10", "nine minus"), ("max_n=-5", "negative-bound")]);
    /// max_ keeps the number itself.
    max_keeps_an_equal_field judges ["list/max-inclusive"]:
        labelled! {
            "equal": { "n": 10, "max_n": 10 },
            "just-above": { "n": 10.001, "max_n": 10 },
            "zero": { "n": 0, "max_n": 0 },
        }.keeps(&[("max_n=10", "equal"), ("max_n=0", "zero")]);
    /// max_ drops books without a field named like the parameter.
    max_is_an_equality_filter_as_well judges ["list/max-faces-equality"]:
        labelled! { "named": { "n": 9, "max_n": 10 }, "ordinary": { "n": 9 } }.keeps(&[("max_n=10", "named")]);
    /// A field named like the parameter must equal its value.
    field_named_like_the_parameter_equals_the_value judges ["list/prefixed-equality-value"]:
        labelled! {
            "equal": { "n": 10, "min_n": 5, "max_n": 20, "is_n": true },
            "other": { "n": 10, "min_n": 6, "max_n": 19, "is_n": false },
            "word": { "n": 10, "min_n": "cinco", "max_n": "veinte", "is_n": false },
        }.keeps(&[("min_n=5", "equal"), ("max_n=20", "equal"), ("is_n=true", "equal")]);
    /// A numeric text against a bound is a number or never within.
    numeric_text_within_bounds_is_read_one_way judges ["list/bound-text"]:
        labelled! {
            "number": { "n": 15, "min_n": 10 },
            "hundred": { "n": "100", "min_n": 10 },
            "nine": { "n": "9", "min_n": 10 },
        }.reads("min_n=10", &[
            ("javascript", "number hundred"),
            ("never", "number"),
            ("code-points", "number hundred nine"),
        ]);
    /// A null field is 0 against a bound or never within.
    null_within_bounds_is_read_one_way judges ["list/bound-null-field"]:
        labelled! { "nothing": { "n": null, "min_n": -5, "max_n": 5 }, "number": { "n": 1, "min_n": -5, "max_n": 5 } }
        .reads("min_n=-5", &[("zero", "nothing number"), ("never", "number")])
        .reads("max_n=5", &[("zero", "nothing number"), ("never", "number")]);
    /// min_ and max_ together keep what lies between.
    both_bounds_keep_what_lies_between judges ["list/min-keeps", "list/max-keeps"];
    /// A text bound goes by code units or keeps nothing.
    text_bound_is_read_one_way judges ["list/bound-text"];
    /// Infinity as a bound is beyond every number, or keeps nothing.
    infinity_is_read_one_way judges ["list/convert-number-forms"];
    /// A bound with a list is answered in a permitted way.
    list_bound_is_read_one_way judges ["list/bound-list-value"];
    /// min_ with nothing after it names the field of the empty name, or is skipped.
    min_with_nothing_after_it_names_the_empty_field judges ["list/empty-names"]
        by empty_name("min_", [("above", 7), ("below", 3)]);
    /// max_ with nothing after it names the field of the empty name, or is skipped.
    max_with_nothing_after_it_names_the_empty_field judges ["list/empty-names"]
        by empty_name("max_", [("below", 3), ("above", 7)]);
}

fn both_bounds_keep_what_lies_between(cx: &CaseContext<'_>) -> CaseResult {
    let bounds = |n: i64| json!({ "n": n, "min_n": 5, "max_n": 8 });
    let set =
        LabelledBooks::of(cx, &[("four", bounds(4)), ("six", bounds(6)), ("seven", bounds(7)), ("nine", bounds(9))])?;
    let listed = set.ask("min_n=5&max_n=8")?;
    let shown = listed.labels().unwrap_or_default();
    let lets_in = |label: &str| shown.iter().any(|shown| shown == label);
    let rule = if lets_in("nine") { "list/max-keeps" } else { "list/min-keeps" };
    listed.keeps_by(rule, "six seven")
}

fn text_bound_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "above": { "letra": "z", "min_letra": "m" },
        "equal": { "letra": "m", "min_letra": "m" },
        "below": { "letra": "a", "min_letra": "m" },
        "capital": { "letra": "Z", "min_letra": "m" },
    }
    .created(cx)?;
    set.ask("min_letra=m")?.reads(&[
        ("javascript", "above equal"),
        ("never", ""),
        ("locale", "above equal capital"),
    ])?;
    // Two units of UTF-16 stand for what comes after U+FFFF, and begin before U+E000.
    let last = "\u{e000}";
    let set = labelled! {
        "pair": { "letra": "\u{1f4da}", "min_letra": last },
        "same": { "letra": last, "min_letra": last },
    }
    .created(cx)?;
    // Locales may leave both unordered, so that each is kept beside the other.
    set.ask(&format!("min_letra={}", percent_encoded(last)))?.reads(&[
        ("javascript", "same"),
        ("code-points", "pair same"),
        ("never", ""),
    ])
}

/// Beyond every number, or a text that no number is compared with.
fn infinity_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "small": { "n": -5, "min_n": "-Infinity", "max_n": "Infinity" },
        "large": { "n": 1e300, "min_n": "-Infinity", "max_n": "Infinity" },
    }
    .created(cx)?;
    for bound in ["min_n=-Infinity", "max_n=Infinity", "min_n=%2BInfinity", "max_n=-Infinity"] {
        let listed = set.ask(bound)?;
        listed.reply.check().status(200)?;
        cx.tell(format!("{bound} keeps {}", listed.got()))?;
    }
    Ok(())
}

fn list_bound_is_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "above": { "n": 9, "min_n": 5 },
        "between": { "n": 6, "min_n": 5 },
        "below": { "n": 1, "min_n": 5 },
        "unnamed": { "n": 9 },
    }
    .created(cx)?;
    let listed = set.ask("min_n=5,7")?;
    listed.reads(&[("text", ""), ("ignored", "above between below"), ("item", "above between"), ("item", "above")])?;
    // A text that is the list's, one before it and one after it; the list may hold a number, a boolean or a date.
    for (what, list, text) in [
        ("texts", "lima,mar", "lima,mar"),
        ("numbers", "lima,2.50", "lima,2.5"),
        ("booleans", "lima,TRUE", "lima,true"),
        ("dates", "lima,2024-03-01", "lima,Fri Mar 01 2024 00:00:00 GMT+0000 (Coordinated Universal Time)"),
    ] {
        let set = labelled! {
            "same": { "t": text, "min_t": "lima" },
            "before": { "t": text[..text.len() - 1], "min_t": "lima" },
            "after": { "t": format!("{text} "), "min_t": "lima" },
        }
        .created(cx)?;
        let listed = set.ask(&format!("min_t={list}"))?;
        listed.reply.check().status(200)?;
        let seen = if listed.is("same after") { "its text in JavaScript" } else { "otherwise" };
        cx.tell(format!("a list of {what}: {seen}"))?;
    }
    Ok(())
}

fn empty_name(
    cx: &CaseContext<'_>,
    name: &str,
    [(kept, fits), (dropped, misses)]: [(&'static str, i64); 2],
) -> CaseResult {
    let set = LabelledBooks::of(
        cx,
        &[
            (kept, json!({ "": fits, name: 5 })),
            (dropped, json!({ "": misses, name: 5 })),
            ("equal", json!({ "": 5, name: 5 })),
            ("lacks-the-empty", json!({ name: 5 })),
            ("lacks-the-named", json!({ "": fits })),
        ],
    )?;
    // Skipped as a bound, and as an equality filter too.
    let (as_bound, altogether) = (
        format!("{kept} {dropped} equal lacks-the-empty"),
        format!("{kept} {dropped} equal lacks-the-empty lacks-the-named"),
    );
    set.ask(&format!("{name}=5"))?
        .reads_of(name, &[("named", &format!("{kept} equal")), ("skipped", &as_bound), ("skipped", &altogether)])
}
