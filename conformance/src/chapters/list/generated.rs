//! Lists of generated books, asked with generated queries, each answered as the naive list answers it.

use crate::chapters::prelude::*;
use crate::generate::inputs::{Show, dice, each};
use crate::generate::queries::{
    Domain, LOOSE_RULES, Queries, Query, RULES, differ_in, queries, resembling_fault, sample_books,
};

cases! { "list";
    /// Generated queries over generated books are answered as by a naive list; a failing query is shrunk.
    generated_queries_are_answered_as_by_a_naive_list judges ["list/equal-keeps"] and [RULES] => |cx| {
        let generated = Generated::of(cx, Domain::Agreed)?;
        each(cx, cx.session().cases, &generated.queries(), |ask, show| generated.judge(ask, show))
    };
    /// Generated filters on fields of several types keep what JavaScript's loose equality and truthiness keep.
    generated_loose_queries_are_answered_as_by_a_naive_list judges ["list/loose-number-text"] and [LOOSE_RULES]
        => |cx| {
        let generated = Generated::of(cx, Domain::Loose)?;
        let inputs = cx.session().cases.div_ceil(LOOSE_SHARE);
        each(cx, inputs, &generated.queries(), |ask, show| generated.judge(ask, show))
    };
}

/// The loose questions are few: one of four inputs still asks each of them more than once.
const LOOSE_SHARE: u32 = 4;

/// Generated books, and the questions that are asked of them.
struct Generated<'c> {
    cx: &'c CaseContext<'c>,
    domain: Domain,
    set: BookSet,
    books: Vec<Value>,
}

impl<'c> Generated<'c> {
    fn of(cx: &'c CaseContext<'c>, domain: Domain) -> Result<Self, CaseError> {
        let set = books::create_set(cx, &sample_books(&mut dice(cx.seed(), "books of a generated list")))?;
        let books = set.books.iter().map(|book| book.value()).collect();
        Ok(Self { cx, domain, set, books })
    }

    fn queries(&self) -> Queries {
        queries(self.domain, &mut dice(self.cx.seed(), "order of a generated list"))
    }

    fn judge(&self, ask: &Query, show: Show) -> CaseResult {
        let cx = self.cx;
        let request = cx.get(&self.set.path(&ask.to_string())).key(cx.test_key());
        let rule = if self.domain == Domain::Loose { "list/loose-number-text" } else { "list/equal-keeps" };
        let reply = show.send(request)?;
        reply.check_rule(rule).status(200)?;
        let got = reply.received().json().unwrap_or_default();
        let ask = ask.marked(&self.set.marker);
        match differ_in(self.domain, &self.books, &ask, got) {
            None => Ok(()),
            Some(found) => {
                let hint = (show == Show::Record).then(|| resembling_fault(&self.books, &ask, got));
                let hint = hint.flatten().map_or_else(String::new, |fault| format!(" (looks like: {fault})"));
                cx.check_rule(found.rule, false, found.place, found.want, format!("{}{hint}", found.got))
            }
        }
    }
}
