//! The parameter sort on more books than one page holds, where every two of them have an order.

use crate::chapters::prelude::*;
use crate::fixture::books::BookSet;

cases! { "list";
    /// A hundred and fifty books that a name leaves equal come in the order of the next name, across pages.
    many_equal_books_are_ordered_by_the_next_name judges ["list/sort-several"]
        by rises_and_falls(["igual,n", "igual,-n"]);
    /// A hundred and fifty books of which every third lacks a name come in the order that the names agree on.
    a_name_that_many_lack_is_skipped_for_their_pairs judges ["list/sort-missing"]
        by rises_and_falls(["decena,n", "-decena,-n"]);
}

const BOOKS: u64 = 150;

/// Books in no order of `n`, all of one `igual`. `decena` grows with `n` and every third book lacks it: so each two books have
/// their order, which no third one contradicts, whether `decena` counts for them or not.
fn many(cx: &CaseContext<'_>) -> Result<BookSet, CaseError> {
    let body = |place: u64| {
        let n = place * 67 % BOOKS;
        if n.is_multiple_of(3) {
            json!({ "n": n, "igual": 7 })
        } else {
            json!({ "n": n, "igual": 7, "decena": n / 10 })
        }
    };
    books::create_set_in_any_order(cx, &(0..BOOKS).map(body).collect::<Vec<_>>())
}

/// Whether both pages show all of the books by their `n`, rising or falling.
fn orders_by_n(cx: &CaseContext<'_>, set: &BookSet, sort: &str, is_rising: bool) -> CaseResult {
    let (mut shown, mut replies) = (Vec::new(), Vec::new());
    for page in 1..=2 {
        let path = set.path(&format!("sort={sort}&limit=100&page={page}"));
        let reply = cx.get(&path).key(cx.test_key()).send()?.prepared("listing books", 200)?;
        let items = reply.at("/datos").unwrap_or_default();
        shown.extend(items.as_array().into_iter().flatten().map(|book| book.get("n").and_then(books::whole)));
        replies.push(reply);
    }
    let mut want: Vec<Option<u64>> = (0..BOOKS).map(Some).collect();
    if !is_rising {
        want.reverse();
    }
    let from = want.iter().zip(&shown).position(|(want, shown)| want != shown).unwrap_or_default();
    let told = |numbers: &[Option<u64>]| {
        brief(&format!("{:?}", numbers.iter().flatten().skip(from).take(8).collect::<Vec<_>>()))
    };
    let place = format!("n in datos of both pages by sort={sort}, from the first difference on");
    cx.check(shown == want, &place, told(&want), told(&shown)).seen_in(&replies)
}

fn rises_and_falls(cx: &CaseContext<'_>, [rising, falling]: [&str; 2]) -> CaseResult {
    let set = many(cx)?;
    orders_by_n(cx, &set, rising, true)?;
    orders_by_n(cx, &set, falling, false)
}
