//! Writes whose body is long on its way, and others that come in between: none undoes another.

use std::collections::BTreeMap;

use crate::chapters::prelude::*;
use crate::fixture::books::{BookSet, MadeBook};

cases! { "storage";
    /// A create begun before another create and ended after it: both books are there, under ids of their own.
    a_slow_create_and_another_are_both_there judges ["storage/no-lost-update", "books/concurrent-creates"];
    /// A create begun before a replace and a delete of other books, and ended after them, undoes neither.
    a_slow_create_undoes_no_other_write judges ["storage/no-lost-update"];
    /// A replace begun before a create, a replace and a delete of other books, and ended after them, undoes none of them
    /// and changes its own book alone.
    a_slow_replace_undoes_no_other_write judges ["storage/no-lost-update"];
    /// A create that is refused in the end, for want of an autor, undoes none either.
    a_slow_create_that_is_refused_undoes_no_other_write judges ["storage/no-lost-update"];
}

const RULE: &str = "storage/no-lost-update";

/// What the list must show of the lot: its books by `n`, in any order.
fn shows(cx: &CaseContext<'_>, set: &BookSet, want: &[(u64, &str)]) -> CaseResult {
    let listed = books::list_marked(cx, &set.marker)?;
    let told = |book: &Value| {
        (books::whole(&book["id"]).unwrap_or_default(), book["n"].as_str().unwrap_or_default().to_owned())
    };
    let got: BTreeMap<u64, String> = listed.iter().map(told).collect();
    let wanted: BTreeMap<u64, String> = want.iter().map(|(id, n)| (*id, (*n).to_owned())).collect();
    let is_so = got == wanted && listed.len() == want.len();
    cx.check_rule(RULE, is_so, "the books afterwards", format!("{wanted:?}"), format!("{got:?}"))
}

fn book(set: &BookSet, n: &str) -> Value {
    json!({ "titulo": "Ñandú, o la lentitud", "autor": "Nadie", "lote": set.marker, "n": n })
}

fn create(cx: &CaseContext<'_>, set: &BookSet, n: &str) -> Result<MadeBook, CaseError> {
    books::created(cx, cx.post("/libros").key(cx.admin_key()).json(&book(set, n)).send()?)
}

fn replace(cx: &CaseContext<'_>, set: &BookSet, id: u64, n: &str) -> CaseResult {
    let reply = cx.put(&format!("/libros/{id}")).key(cx.admin_key()).json(&book(set, n)).send()?;
    reply.prepared("replacing another book meanwhile", 200).map(|_| ())
}

/// Beside other cases the id taken twice may be that of a book of theirs, which they delete: hence three times.
fn a_slow_create_and_another_are_both_there(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..3 {
        let set = books::create_set(cx, &[json!({ "n": "uno" })])?;
        let slow = cx.post("/libros").key(cx.admin_key()).json(&book(&set, "lento"));
        let (slow, meanwhile) = concurrency::send_slowly(slow, || create(cx, &set, "dos"))?;
        let slow = books::created(cx, slow)?;
        let of_its_id = cx.get(&format!("/libros?id={}&limit=2", slow.id)).key(cx.admin_key()).send()?;
        let of_its_id = of_its_id.prepared("listing by id", 200)?.at("/datos").unwrap_or_default();
        let is_one = slow.id != meanwhile.id && of_its_id.as_array().is_some_and(|books| books.len() <= 1);
        let check = slow.reply.check_rule("books/concurrent-creates");
        let got = format!("{}, which these have: {of_its_id}", slow.id);
        check.that(is_one, Place::body("/id"), "an id no other create was given", got)?;
        shows(cx, &set, &[(set.books[0].id, "uno"), (meanwhile.id, "dos"), (slow.id, "lento")])?;
    }
    Ok(())
}

fn a_slow_create_undoes_no_other_write(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": "uno" }), json!({ "n": "dos" }), json!({ "n": "tres" })])?;
    let [first, second, third] = [0, 1, 2].map(|index: usize| set.books[index].id);
    let slow = cx.post("/libros").key(cx.admin_key()).json(&book(&set, "lento"));
    let (slow, ()) = concurrency::send_slowly(slow, || {
        replace(cx, &set, third, "otro")?;
        books::delete(cx, &set.books[0])
    })?;
    let slow = books::created(cx, slow)?;
    // Its id may be that of the deleted book only if that was the highest, which it was not.
    let kept = slow.id != first;
    cx.check(kept, Place::body("/id").of("the slow create"), "an id above the others", slow.id)?;
    shows(cx, &set, &[(second, "dos"), (third, "otro"), (slow.id, "lento")])
}

fn a_slow_replace_undoes_no_other_write(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &["uno", "dos", "tres", "cuatro"].map(|n| json!({ "n": n })))?;
    let [own, third, fourth] = [1, 2, 3].map(|index: usize| set.books[index].id);
    let slow = cx.put(&set.books[1].path()).key(cx.admin_key()).json(&book(&set, "lento"));
    let (slow, made) = concurrency::send_slowly(slow, || {
        // A book before its own: what remembers places is then one off.
        books::delete(cx, &set.books[0])?;
        replace(cx, &set, fourth, "otro")?;
        create(cx, &set, "cinco")
    })?;
    slow.prepared("replacing a book slowly", 200)?;
    shows(cx, &set, &[(own, "lento"), (third, "tres"), (fourth, "otro"), (made.id, "cinco")])
}

fn a_slow_create_that_is_refused_undoes_no_other_write(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": "uno" }), json!({ "n": "dos" })])?;
    let first = set.books[0].id;
    let slow = cx.post("/libros").key(cx.admin_key()).json(&json!({ "titulo": "Ñandú", "lote": set.marker }));
    let (slow, made) = concurrency::send_slowly(slow, || {
        books::delete(cx, &set.books[1])?;
        create(cx, &set, "tres")
    })?;
    books::adopt(cx, slow).prepared("having a slow create refused", 400)?;
    shows(cx, &set, &[(first, "uno"), (made.id, "tres")])
}
