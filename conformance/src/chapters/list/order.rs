//! The parameter sort: more books than one page holds, and names of minus signs.

use super::labelled_books::labelled;
use crate::chapters::prelude::*;

cases! { "list";
    /// sort orders a hundred and fifty books that the first name leaves equal by the next name, across pages.
    many_equal_books_are_ordered_by_the_next_name judges ["list/sort-several"]
        by rises_and_falls(["igual,n", "igual,-n"]);
    /// sort orders a hundred and fifty books, of which every third lacks the first name, as its names agree.
    a_name_that_many_lack_is_skipped_for_their_pairs judges ["list/sort-missing"]
        by rises_and_falls(["decena,n", "-decena,-n"]);
    /// In sort, a second minus belongs to the name and a lone one stands before an empty name, or such names are skipped.
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
        shown.extend(items.as_array().into_iter().flatten().map(|book| book.get("n").and_then(books::as_integer)));
        replies.push(reply);
    }
    let from = want.iter().zip(&shown).position(|(want, shown)| want != shown).unwrap_or_default();
    let excerpt = |numbers: &[Option<u64>]| {
        brief(&format!("{:?}", numbers.iter().flatten().skip(from).take(8).collect::<Vec<_>>()))
    };
    let place = format!("n in datos of both pages by sort={sort}, from the first difference on");
    cx.check(shown == want, &place, excerpt(&want), excerpt(&shown)).seen_in(&replies)
}
