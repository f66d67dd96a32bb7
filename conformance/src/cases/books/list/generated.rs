//! Lists of generated books, asked with generated queries, each answered as the naive list answers it.

use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::books::Lot;
use crate::generate::inputs::{Show, dice, each};
use crate::generate::queries::{Ask, Domain, RULES, asks, differ, shelf};
use crate::http::exchange::Received;
use crate::http::reply::{brief, holds};

cases! { "list";
    /// Generated queries over generated books are answered as a naive list answers them, shrunk to a minimal query where not.
    generated_queries_are_answered_as_by_a_naive_list judges ["list/equal-keeps"] and [RULES];
}

fn generated_queries_are_answered_as_by_a_naive_list(t: &Trial<'_>) -> Judged {
    let lot = t.create_lot(&shelf(&mut dice(t.setting().seed, "books of a generated list")))?;
    let books: Vec<_> = lot.books.iter().map(|book| book.value()).collect();
    let asks = asks(Domain::Agreed, &mut dice(t.setting().seed, "order of a generated list"));
    each(t, t.setting().cases, &asks, |ask, show| {
        let received = answer(t, &lot, ask, show)?;
        let got = received.json().unwrap_or_default();
        if received.status != 200 {
            let got = format!("{} {}", received.status, brief(&received.text()));
            return holds(t.case(), "list/equal-keeps", false, "status", "200", got);
        }
        match differ(&books, &ask.marked(&lot.marker), &got) {
            None => Ok(()),
            Some(found) => {
                holds(t.case(), found.rule, false, &found.place, found.want.to_string(), found.got.to_string())
            }
        }
    })
}

fn answer(t: &Trial<'_>, lot: &Lot, ask: &Ask, show: Show) -> Result<Received, Stop> {
    let request = t.get(&lot.path(&ask.to_string())).key(&t.target().credentials.test_key);
    match show {
        Show::Record => Ok(request.send()?.received().clone()),
        Show::Forget => request.send_unrecorded()?.received.map_err(Stop::NoAnswer),
    }
}
