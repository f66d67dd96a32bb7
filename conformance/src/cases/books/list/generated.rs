//! Lists of generated books, asked with generated queries, each answered as the naive list answers it.

use crate::case::cases;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
use crate::fixture::books::{self, BookSet};
use crate::generate::inputs::{Show, dice, each};
use crate::generate::queries::{Domain, Query, RULES, differ, queries, resembling_fault, sample_books};
use crate::http::exchange::Received;
use crate::http::reply::brief;

cases! { "list";
    /// Generated queries over generated books are answered as a naive list answers them, shrunk to a minimal query where not.
    generated_queries_are_answered_as_by_a_naive_list judges ["list/equal-keeps"] and [RULES];
}

fn generated_queries_are_answered_as_by_a_naive_list(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &sample_books(&mut dice(cx.session().seed, "books of a generated list")))?;
    let books: Vec<_> = set.books.iter().map(|book| book.value()).collect();
    let queries = queries(Domain::Agreed, &mut dice(cx.session().seed, "order of a generated list"));
    each(cx, cx.session().cases, &queries, |ask, show| {
        let received = answer(cx, &set, ask, show)?;
        let got = received.json().unwrap_or_default();
        if received.status != 200 {
            let got = format!("{} {}", received.status, brief(&received.text()));
            return cx.check_rule("list/equal-keeps", false, "status", "200", got);
        }
        match differ(&books, &ask.marked(&set.marker), &got) {
            None => Ok(()),
            Some(found) => {
                let hint = (show == Show::Record).then(|| resembling_fault(&books, &ask.marked(&set.marker), &got));
                let hint = hint.flatten().map_or_else(String::new, |fault| format!(" (looks like: {fault})"));
                cx.check_rule(found.rule, false, &found.place, found.want.to_string(), format!("{}{hint}", found.got))
            }
        }
    })
}

fn answer(cx: &CaseContext<'_>, set: &BookSet, ask: &Query, show: Show) -> Result<Received, CaseError> {
    let request = cx.get(&set.path(&ask.to_string())).key(cx.test_key());
    Ok(show.send(request)?.received().clone())
}
