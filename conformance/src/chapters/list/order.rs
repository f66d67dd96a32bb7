//! The parameter sort: more books than one page holds; and orders in which implementations may differ, where only that every book is
//! still there is judged, and the order is noted.

use super::labelled_books::labelled;
use crate::chapters::prelude::*;

cases! { "list";
    /// A hundred and fifty books that a name leaves equal come in the order of the next name, across pages.
    many_equal_books_are_ordered_by_the_next_name judges ["list/sort-several"]
        by rises_and_falls(["igual,n", "igual,-n"]);
    /// A hundred and fifty books of which every third lacks a name come in the order that the names agree on.
    a_name_that_many_lack_is_skipped_for_their_pairs judges ["list/sort-missing"]
        by rises_and_falls(["decena,n", "-decena,-n"]);
    /// Capitals, accents and ñ are ordered as some locale does.
    ties_of_the_locale_are_ordered_one_way judges ["list/sort-locale-ties"] => |cx| {
        let set = labelled! {
            cx;
            "enye": { "tema": "ñ" },
            "capital": { "tema": "A" },
            "o": { "tema": "o" },
            "accent": { "tema": "á" },
            "n": { "tema": "n" },
            "small": { "tema": "a" },
        }?;
        let listed = set.ask("sort=tema")?;
        let readings = [("root", listed.is("small capital accent n enye o")), ("other", listed.is_whole())];
        cx.observe(&readings, listed.got())
    };
    /// Empty names are skipped, or name the field of the empty name.
    empty_names_are_read_one_way judges ["list/empty-names"] => |cx| {
        let set = labelled! { cx; "b": { "n": 2, "": 2 }, "a": { "n": 1, "": 3 }, "c": { "n": 3, "": 1 } }?;
        for (asked, named) in [("sort=,n", "c b a"), ("sort=,,n", "c b a"), ("sort=n,", "a b c")] {
            let listed = set.ask(asked)?;
            let readings = [("skipped", listed.is("a b c")), ("named", listed.is(named))];
            cx.observe_of("an empty name in sort", &readings, listed.got())?;
        }
        Ok(())
    };
    /// A second minus belongs to the name, and a lone one to the empty name, or such names are skipped.
    further_minus_signs_are_read_one_way judges ["list/empty-names"] => |cx| {
        let set = labelled! {
            cx;
            "b": { "n": 3, "-n": 2, "": 2, "-": 1 },
            "a": { "n": 1, "-n": 1, "": 1, "-": 2 },
            "c": { "n": 2, "-n": 3, "": 3, "-": 3 },
        }?;
        let unsorted = set.ask("")?.labels();
        for asked in ["sort=--n", "sort=-"] {
            let listed = set.ask(asked)?;
            let is_unsorted = listed.reply.is(200) && unsorted.is_some() && listed.labels() == unsorted;
            let readings = [("named", listed.is("c b a")), ("skipped", is_unsorted)];
            cx.observe_of("a minus before no name or another minus", &readings, listed.got())?;
        }
        Ok(())
    };
    /// Three books of which one lacks the field stay three.
    missing_among_many_loses_no_book judges ["list/sort-missing-many"] => |cx| {
        let set = labelled! {
            cx; "three": { "n": 3 }, "lacks": {}, "one": { "n": 1 }, "lacks-too": {}, "two": { "n": 2 },
        }?;
        let (first, again) = (set.ask("sort=n")?, set.ask("sort=n")?);
        let are_whole = first.is_whole() && again.is_whole();
        let readings = [("deterministic", are_whole && first.labels() == again.labels()), ("other", are_whole)];
        cx.observe(&readings, format!("{}, then {}", first.got(), again.got())).seen_in([&first.reply, &again.reply])
    };
    /// A null among numbers has a place.
    null_among_numbers_has_a_place judges ["list/sort-null"] => |cx| {
        let set = labelled! {
            cx; "five": { "n": 5 }, "seven": { "n": 7 }, "nothing": { "n": null }, "minus": { "n": -5 }
        }?;
        let listed = set.ask("sort=n")?;
        let readings = [
            ("javascript", listed.is("minus nothing five seven")),
            ("first", listed.is("nothing minus five seven")),
            ("last", listed.is("minus five seven nothing")),
            // Skipped for every pair with it, so that nothing decides between the numbers on either side of it.
            ("missing", listed.is_whole()),
        ];
        cx.observe(&readings, listed.got())
    };
    /// Values of different types lose no book.
    mixed_types_lose_no_book judges ["list/sort-mixed"] => |cx| {
        let set = labelled! {
            cx;
            "true": { "v": true },
            "text": { "v": "sol" },
            "false": { "v": false },
            "number": { "v": 7 },
            "list": { "v": [1] },
        }?;
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
            let pair = labelled! { cx; "last": { "v": last }, "first": { "v": first } }?;
            pair.ask("sort=v")?.reads_in_order(&[("javascript", "first last"), ("other", "last first")])?;
        }
        Ok(())
    };
    /// Equal books keep the order of creation or do not.
    equal_books_keep_an_order judges ["list/sort-stable"] => |cx| {
        let set = labelled! {
            cx;
            "two-first": { "n": 2 },
            "one-first": { "n": 1 },
            "two-second": { "n": 2 },
            "one-second": { "n": 1 },
            "two-third": { "n": 2 },
        }?;
        let listed = set.ask("sort=n")?;
        let by_n = listed.labels().unwrap_or_default().iter().is_sorted_by_key(|label| label.starts_with("two"));
        let is_stable = listed.is("one-first one-second two-first two-second two-third");
        cx.observe(&[("creation", is_stable), ("other", listed.is_whole() && by_n)], listed.got())
    };
}

const BOOKS: u64 = 150;

/// Books in no order of `n`, all of one `igual`. `decena` grows with `n` and every third book lacks it: so each two books have
/// their order, which no third one contradicts, whether `decena` counts for them or not.
fn many(cx: &CaseContext<'_>) -> Result<BookSet, CaseError> {
    let body = |place: u64| {
        let n = place * 67 % BOOKS;
        let mut book = json!({ "n": n, "igual": 7 });
        if !n.is_multiple_of(3) {
            book["decena"] = json!(n / 10);
        }
        book
    };
    books::create_set_in_any_order(cx, &(0..BOOKS).map(body).collect::<Vec<_>>())
}

/// Whether both pages show all of the books by their `n`, rising by one `sort`, falling by the other.
fn rises_and_falls(cx: &CaseContext<'_>, [rising, falling]: [&str; 2]) -> CaseResult {
    let set = many(cx)?;
    orders_by_n(cx, &set, rising, 0..BOOKS)?;
    orders_by_n(cx, &set, falling, (0..BOOKS).rev())
}

fn orders_by_n(cx: &CaseContext<'_>, set: &BookSet, sort: &str, want: impl Iterator<Item = u64>) -> CaseResult {
    let want: Vec<Option<u64>> = want.map(Some).collect();
    let (mut shown, mut replies) = (Vec::new(), Vec::new());
    for page in 1..=2 {
        let path = set.path(&format!("sort={sort}&limit=100&page={page}"));
        let reply = cx.get(&path).key(cx.test_key()).send()?.prepared("listing books", 200)?;
        let items = reply.at("/datos").unwrap_or_default();
        shown.extend(items.as_array().into_iter().flatten().map(|book| book.get("n").and_then(books::whole)));
        replies.push(reply);
    }
    let from = want.iter().zip(&shown).position(|(want, shown)| want != shown).unwrap_or_default();
    let excerpt = |numbers: &[Option<u64>]| {
        brief(&format!("{:?}", numbers.iter().flatten().skip(from).take(8).collect::<Vec<_>>()))
    };
    let place = format!("n in datos of both pages by sort={sort}, from the first difference on");
    cx.check(shown == want, &place, excerpt(&want), excerpt(&shown)).seen_in(&replies)
}
