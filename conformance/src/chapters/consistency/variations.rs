//! Variations of the chapter consistency.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "reads-lag" breaks "consistency/one-order": "A book is read from a copy that is up to thirty milliseconds old."
        => around |held, request, answer| if request.method == "GET" && names_id(request) { lagging(held, request, answer, 30) } else { answer(held, request) };
    "replica-lags" breaks "consistency/one-order": "The second of two replicas answers reads from its state at the previous read."
        => replica |held, own, request, answer| read_on_its_own(held, own, request, answer);
    "refused-replace-shown" breaks "consistency/refused-unseen": "A replace is stored before its credential is checked, and taken back if the check fails."
        => race |world, request, answer| show_for_a_while(world, request, answer);
};

/// Reads the books as they were when this replica was last asked for one.
fn read_on_its_own(held: &mut Held, own: &mut State, request: &Request, answer: &Answer<'_>) -> Reply {
    if request.method != "GET" || !of_books(request) {
        return answer(held, request);
    }
    let current = mem::replace(&mut held.books, own.books.clone());
    let reply = answer(held, request);
    own.books.clone_from(&current);
    held.books = current;
    reply
}
