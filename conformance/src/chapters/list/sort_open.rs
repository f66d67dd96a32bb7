//! The parameter sort, where implementations may differ: only that every book is still there, and which order was seen.

use super::labelled_books::{LabelledBooks, Listed};
use super::rows::{labelled, listed};
use crate::chapters::prelude::*;

cases! { "list" by listed;
    /// Digits in texts are ordered as characters or as numbers.
    digits_in_texts_are_ordered_one_way judges ["list/sort-digits-in-text"]:
        labelled! { "nine": { "tema": "9" }, "ten": { "tema": "10" } }
        .reads_in_order("sort=tema", &[("characters", "ten nine"), ("numeric", "nine ten")]);
    /// Spaces around a name in sort belong to it or not.
    spaces_in_sort_are_read_one_way judges ["list/name-spaces"]:
        labelled! { "a": { "n": 1, " n": 2 }, "b": { "n": 2, " n": 1 } }
        .reads_in_order("sort=%20n", &[("kept", "b a"), ("trimmed", "a b")]);
    /// Capitals, accents and ñ are ordered as some locale does.
    ties_of_the_locale_are_ordered_one_way judges ["list/sort-locale-ties"];
    /// Empty names are skipped, or name the field of the empty name.
    empty_names_are_read_one_way judges ["list/empty-names"];
    /// A second minus belongs to the name, and a lone one to the empty name, or such names are skipped.
    further_minus_signs_are_read_one_way judges ["list/empty-names"];
    /// Three books of which one lacks the field stay three.
    missing_among_many_loses_no_book judges ["list/sort-missing-many"];
    /// A null among numbers has a place.
    null_among_numbers_has_a_place judges ["list/sort-null"];
    /// Values of different types lose no book.
    mixed_types_lose_no_book judges ["list/sort-mixed"];
    /// Equal books keep the order of creation or do not.
    equal_books_keep_an_order judges ["list/sort-stable"];
    /// Spaces around a name in fields belong to it or not.
    spaces_in_fields_are_read_one_way judges ["list/name-spaces"];
}

/// The first reading whose order is shown, or else the second where at least no book is lost.
fn first_or_any(cx: &CaseContext<'_>, listed: &Listed<'_>, first: (&str, &str), any: &str) -> CaseResult {
    let is_first = listed.is_whole() && listed.is(first.1);
    cx.observe(&[(first.0, is_first), (any, listed.is_whole())], listed.got())
}

fn ties_of_the_locale_are_ordered_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "enye": { "tema": "ñ" },
        "capital": { "tema": "A" },
        "o": { "tema": "o" },
        "accent": { "tema": "á" },
        "n": { "tema": "n" },
        "small": { "tema": "a" },
    }
    .created(cx)?;
    first_or_any(cx, &set.ask("sort=tema")?, ("root", "small capital accent n enye o"), "other")
}

fn empty_names_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let books = [("b", json!({ "n": 2, "": 2 })), ("a", json!({ "n": 1, "": 3 })), ("c", json!({ "n": 3, "": 1 }))];
    let set = LabelledBooks::of(cx, &books)?;
    for (asked, named) in [("sort=,n", "c b a"), ("sort=,,n", "c b a"), ("sort=n,", "a b c")] {
        let listed = set.ask(asked)?;
        let readings = [("skipped", listed.is("a b c")), ("named", listed.is(named))];
        cx.observe_of("an empty name in sort", &readings, listed.got())?;
    }
    Ok(())
}

fn further_minus_signs_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let books = [
        ("b", json!({ "n": 3, "-n": 2, "": 2, "-": 1 })),
        ("a", json!({ "n": 1, "-n": 1, "": 1, "-": 2 })),
        ("c", json!({ "n": 2, "-n": 3, "": 3, "-": 3 })),
    ];
    let set = LabelledBooks::of(cx, &books)?;
    let unsorted = set.ask("")?.labels();
    for asked in ["sort=--n", "sort=-"] {
        let listed = set.ask(asked)?;
        let is_unsorted = listed.reply.is(200) && unsorted.is_some() && listed.labels() == unsorted;
        let readings = [("named", listed.is("c b a")), ("skipped", is_unsorted)];
        cx.observe_of("a minus before no name or another minus", &readings, listed.got())?;
    }
    Ok(())
}

fn missing_among_many_loses_no_book(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! { "three": { "n": 3 }, "lacks": {}, "one": { "n": 1 }, "lacks-too": {}, "two": { "n": 2 } }
        .created(cx)?;
    let (first, again) = (set.ask("sort=n")?, set.ask("sort=n")?);
    let is_same = first.labels() == again.labels();
    cx.observe(
        &[
            ("deterministic", first.is_whole() && again.is_whole() && is_same),
            ("other", first.is_whole() && again.is_whole()),
        ],
        format!("{}, then {}", first.got(), again.got()),
    )
    .seen_in([&first.reply, &again.reply])
}

fn null_among_numbers_has_a_place(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(
        cx,
        &[("five", json!({ "n": 5 })), ("nothing", json!({ "n": null })), ("minus", json!({ "n": -5 }))],
    )?;
    let listed = set.ask("sort=n")?;
    let readings = [
        ("javascript", listed.is("minus nothing five")),
        ("first", listed.is("nothing minus five")),
        ("last", listed.is("minus five nothing")),
        // Skipped for every pair with it, so that nothing decides between the numbers on either side of it.
        ("missing", listed.is_whole()),
    ];
    cx.observe(&readings, listed.got())
}

fn mixed_types_lose_no_book(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "true": { "v": true },
        "text": { "v": "sol" },
        "false": { "v": false },
        "number": { "v": 7 },
        "list": { "v": [1] },
    }
    .created(cx)?;
    for asked in ["sort=v", "sort=-v"] {
        let listed = set.ask(asked)?;
        cx.observe(&[("other", listed.is_whole())], listed.got())?;
    }
    // Two by two, so that there is an order; the one that JavaScript puts last is created first.
    let pairs = [
        [json!(true), json!(false)],
        [json!("10"), json!(9)],
        [json!(10), json!("9")],
        [json!(2), json!(true)],
        [json!(false), json!(-1)],
        [json!([2]), json!(1)],
        [json!(["b"]), json!(["a"])],
        [json!({}), json!("[")],
    ];
    for [last, first] in pairs {
        let pair = LabelledBooks::of(cx, &[("last", json!({ "v": last })), ("first", json!({ "v": first }))])?;
        pair.ask("sort=v")?.reads_in_order(&[("javascript", "first last"), ("other", "last first")])?;
    }
    Ok(())
}

fn equal_books_keep_an_order(cx: &CaseContext<'_>) -> CaseResult {
    let set = labelled! {
        "two-first": { "n": 2 },
        "one-first": { "n": 1 },
        "two-second": { "n": 2 },
        "one-second": { "n": 1 },
        "two-third": { "n": 2 },
    }
    .created(cx)?;
    let listed = set.ask("sort=n")?;
    let shown = listed.labels().unwrap_or_default();
    let by_n = shown.iter().is_sorted_by_key(|label| label.starts_with("two"));
    let stable = ["one-first", "one-second", "two-first", "two-second", "two-third"];
    let readings = [("creation", listed.is_whole() && shown == stable), ("other", listed.is_whole() && by_n)];
    cx.observe(&readings, listed.got())
}

fn spaces_in_fields_are_read_one_way(cx: &CaseContext<'_>) -> CaseResult {
    let set = LabelledBooks::of(cx, &[("a", json!({ "n": 1, " n": 2 }))])?;
    let listed = set.ask("fields=titulo,%20n")?;
    let item = listed.reply.at("/datos/0").unwrap_or_default();
    let has_only = |name: &str, value: i64| {
        let item = item.as_object();
        let is_it = |got: &Value| same(got, &json!(value));
        item.is_some_and(|item| item.len() == 2 && item.contains_key("titulo") && item.get(name).is_some_and(is_it))
    };
    cx.observe(&[("kept", has_only(" n", 2)), ("trimmed", has_only("n", 1))], item)
}
