//! Nothing is lost between writers, even if a body is long on its way.

use std::collections::BTreeMap;

use crate::chapters::prelude::*;

cases! { "storage";
    /// Concurrent replaces, creates and deletes of different books all take effect.
    writes_at_the_same_time_all_take_effect judges ["storage/no-lost-update"] => |cx| {
        // All writers at once, round by round; each has books of its own, so that each of its writes must be seen afterwards.
        let set = books::create_set(cx, &vec![json!({}); WRITERS])?;
        let mut last: Vec<Option<MadeBook>> = vec![None; WRITERS];
        for round in 0..ROUNDS {
            let written = concurrency::simultaneously(WRITERS, |writer| {
                write(cx, &set.books[writer], &set.marker, round, last[writer].as_ref())
            })?;
            last = written.into_iter().map(Some).collect();
        }
        for book in &set.books {
            let stored = books::stored(cx, book.id)?;
            let ronda = stored.get("ronda").cloned().unwrap_or_default();
            let is_last = same(&ronda, &json!(ROUNDS - 1));
            cx.check(is_last, Place::body("/ronda").when("after the last replace"), ROUNDS - 1, ronda)?;
        }
        let listed = books::list_marked(cx, &set.marker)?;
        let of_rounds = listed.iter().filter(|book| book.get("de").is_some()).count();
        let (want, got) = (2 * WRITERS, listed.len());
        let is_right = got == want && of_rounds == WRITERS;
        let got = format!("{got}, of which {of_rounds} made on the way");
        cx.check(is_right, "books under the marker at the end", format!("{want}, of which {WRITERS} made on the way"), got)
    };
    /// A create begun before another create and ended after it: both books are stored, with distinct ids.
    a_slow_create_and_another_are_both_there judges ["storage/no-lost-update", "books/concurrent-creates"] => |cx| {
        // Beside other cases the id taken twice may be that of a book of theirs, which they delete: hence three times.
        for _ in 0..3 {
            let set = books::create_set(cx, &[json!({ "n": "uno" })])?;
            let slow = cx.post("/libros").key(cx.admin_key()).json(&book(&set, "lento"));
            let (slow, meanwhile) = concurrency::send_in_two_pieces(slow, || books::create(cx, &book(&set, "dos")))?;
            let slow = books::created(cx, slow)?;
            let of_its_id = cx.get(&format!("/libros?id={}&limit=2", slow.id)).key(cx.admin_key()).send()?;
            let of_its_id = of_its_id.prepared("listing by id", 200)?.at("/datos").unwrap_or_default();
            let is_one = slow.id != meanwhile.id && of_its_id.as_array().is_some_and(|books| books.len() <= 1);
            let check = slow.reply.check_rule("books/concurrent-creates");
            let got = format!("{}, which these have: {of_its_id}", slow.id);
            check.that(is_one, Place::body("/id"), "an id no other create was given", got)?;
            shows_all(cx, &set, &[(set.books[0].id, "uno"), (meanwhile.id, "dos"), (slow.id, "lento")])?;
        }
        Ok(())
    };
    /// A create begun before a replace and a delete of other books, and ended after them, undoes neither.
    a_slow_create_undoes_no_other_write judges ["storage/no-lost-update"] => |cx| {
        let set = books::create_set(cx, &[json!({ "n": "uno" }), json!({ "n": "dos" }), json!({ "n": "tres" })])?;
        let [first, second, third] = [0, 1, 2].map(|index: usize| set.books[index].id);
        let slow = cx.post("/libros").key(cx.admin_key()).json(&book(&set, "lento"));
        let (slow, ()) = concurrency::send_in_two_pieces(slow, || {
            books::replace(cx, &set.books[2], &book(&set, "otro"))?;
            books::delete(cx, &set.books[0])
        })?;
        let slow = books::created(cx, slow)?;
        // Its id may be that of the deleted book only if that was the highest, which it was not.
        let kept = slow.id != first;
        cx.check(kept, Place::body("/id").of("the slow create"), "an id above the others", slow.id)?;
        shows_all(cx, &set, &[(second, "dos"), (third, "otro"), (slow.id, "lento")])
    };
    /// A replace begun before a create, a replace and a delete of other books, and ended after them, changes its own book alone.
    a_slow_replace_undoes_no_other_write judges ["storage/no-lost-update"] => |cx| {
        let set = books::create_set(cx, &["uno", "dos", "tres", "cuatro"].map(|n| json!({ "n": n })))?;
        let [own, third, fourth] = [1, 2, 3].map(|index: usize| set.books[index].id);
        let slow = cx.put(&set.books[1].path()).key(cx.admin_key()).json(&book(&set, "lento"));
        let (slow, made) = concurrency::send_in_two_pieces(slow, || {
            // Deletes a book before it, so that a service that remembers positions is off by one.
            books::delete(cx, &set.books[0])?;
            books::replace(cx, &set.books[3], &book(&set, "otro"))?;
            books::create(cx, &book(&set, "cinco"))
        })?;
        slow.prepared("replacing a book slowly", 200)?;
        shows_all(cx, &set, &[(own, "lento"), (third, "tres"), (fourth, "otro"), (made.id, "cinco")])
    };
    /// A create refused for want of an autor, begun before a delete and a create and ended after them, undoes neither.
    a_slow_create_that_is_refused_undoes_no_other_write judges ["storage/no-lost-update"] => |cx| {
        let set = books::create_set(cx, &[json!({ "n": "uno" }), json!({ "n": "dos" })])?;
        let first = set.books[0].id;
        let slow = cx.post("/libros").key(cx.admin_key()).json(&json!({ "titulo": "Ñandú", "lote": set.marker }));
        let (slow, made) = concurrency::send_in_two_pieces(slow, || {
            books::delete(cx, &set.books[1])?;
            books::create(cx, &book(&set, "tres"))
        })?;
        books::adopt(cx, slow).prepared("having a slow create refused", 400)?;
        shows_all(cx, &set, &[(first, "uno"), (made.id, "tres")])
    };
}

pub(crate) const WRITERS: usize = 8;
pub(crate) const ROUNDS: usize = 4;

/// What one writer does in one round: replaces its own book, creates one more, and deletes the one of the round before.
pub(crate) fn write(
    cx: &CaseContext<'_>,
    own: &MadeBook,
    marker: &str,
    round: usize,
    last: Option<&MadeBook>,
) -> Result<MadeBook, CaseError> {
    let body = json!({ "titulo": "La tregua", "lote": marker, "ronda": round });
    let replaced = books::put(cx, own, &body)?;
    replaced.check().that(replaced.status() != 404, "replacing a book", "200", replaced.status())?;
    replaced.prepared("replacing a book", 200)?;
    let more = books::create(cx, &json!({ "lote": marker, "de": own.id, "ronda": round }))?;
    if let Some(last) = last {
        let deleted = cx.delete(&last.path()).key(cx.admin_key()).send()?;
        deleted.check().that(deleted.status() != 404, "deleting a book", "204", deleted.status())?;
        deleted.prepared("deleting a book", 204)?;
    }
    Ok(more)
}

/// What the list must show of the lot after concurrent writes: its books by `n`, in any order.
fn shows_all(cx: &CaseContext<'_>, set: &BookSet, want: &[(u64, &str)]) -> CaseResult {
    let listed = books::list_marked(cx, &set.marker)?;
    let told = |book: &Value| {
        (books::as_integer(&book["id"]).unwrap_or_default(), book["n"].as_str().unwrap_or_default().to_owned())
    };
    let got: BTreeMap<u64, String> = listed.iter().map(told).collect();
    let wanted: BTreeMap<u64, String> = want.iter().map(|(id, n)| (*id, (*n).to_owned())).collect();
    let is_so = got == wanted && listed.len() == want.len();
    let (want, got) = (format!("{wanted:?}"), format!("{got:?}"));
    cx.check_rule("storage/no-lost-update", is_so, "the books afterwards", want, got)
}

fn book(set: &BookSet, n: &str) -> Value {
    json!({ "titulo": "Ñandú, o la lentitud", "autor": "Nadie", "lote": set.marker, "n": n })
}
