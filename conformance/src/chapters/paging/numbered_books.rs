//! Books in a known order, and the paging object of lists of them.

use crate::chapters::list::labelled_books::LabelledBooks;
use crate::chapters::prelude::*;

pub(crate) const LABELS: [&str; 25] = [
    "b01", "b02", "b03", "b04", "b05", "b06", "b07", "b08", "b09", "b10", "b11", "b12", "b13", "b14", "b15", "b16",
    "b17", "b18", "b19", "b20", "b21", "b22", "b23", "b24", "b25",
];

/// So many books, at most 25, labelled b01, b02 and so on.
pub(crate) fn numbered_books<'t>(cx: &'t CaseContext<'t>, count: usize) -> Result<LabelledBooks<'t>, CaseError> {
    let books: Vec<(&str, Value)> = LABELS.iter().take(count).map(|label| (*label, json!({}))).collect();
    LabelledBooks::of(cx, &books)
}

/// The value in `metadata.paginacion` under a key, for each query.
pub(crate) fn paginacion<V: Clone + Into<Value>>(
    set: &LabelledBooks<'_>,
    key: &str,
    asked: &[(&str, V)],
) -> CaseResult {
    for (parameters, want) in asked {
        let want = want.clone().into();
        let listed = set.ask(parameters)?;
        let check = listed.reply.check().status(200)?;
        let got = listed.reply.at(&format!("/metadata/paginacion/{key}"));
        let holds = got.as_ref().is_some_and(|got| same(got, &want));
        let place = Place::body(format_args!("/metadata/paginacion/{key}")).of_query(parameters);
        check.that(holds, place, want, got)?;
    }
    Ok(())
}

/// The same of lists of that number of books.
pub(crate) fn told<V: Clone + Into<Value>>(
    cx: &CaseContext<'_>,
    count: usize,
    key: &str,
    asked: &[(&str, V)],
) -> CaseResult {
    paginacion(&numbered_books(cx, count)?, key, asked)
}
