//! Variations of the chapter consistency.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "reads-lag" breaks "consistency/one-order": "A book is read from a copy that is up to thirty milliseconds old."
        => around |state, request, answer| if request.method == "GET" && names_id(request) { lagging(state, request, answer, 30) } else { answer(state, request) };
    "deletes-look-early" breaks "consistency/one-order": "A delete looks for its book, and deletes what is there some milliseconds later."
        => race |world, request, answer| let_others_between(world, request, answer, "DELETE", delete_what_was_seen);
    "replica-lags" breaks "consistency/one-order": "The second of two replicas answers reads from its state at the previous read."
        => replica |state, second, request, answer| read_on_its_own(state, second, request, answer);
    "refused-replace-shown" breaks "consistency/refused-unseen": "A replace is stored before its credential is checked, and taken back if the check fails."
        => race |world, request, answer| show_for_a_while(world, request, answer);
};

fn delete_what_was_seen(state: &mut Shared, seen: Vec<Value>, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    let was_there = seen.into_iter().any(|book| book["id"].as_f64() == id_of(request));
    if reply.status == 404 && was_there { Reply::bare(204) } else { reply }
}

/// The second address answers reads from its state at the previous read.
fn read_on_its_own(state: &mut Shared, second: &mut State, request: &Request, answer: &Answer<'_>) -> Reply {
    if request.method != "GET" || !of_books(request) {
        return answer(state, request);
    }
    let current = mem::replace(&mut state.books, second.books.clone());
    let reply = answer(state, request);
    second.books.clone_from(&current);
    state.books = current;
    reply
}
