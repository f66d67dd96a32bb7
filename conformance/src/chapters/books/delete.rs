//! What a delete answers, and what it leaves.

use super::answers::ids;
use crate::chapters::prelude::*;

cases! { "books";
    /// A delete answers 204.
    a_delete_answers_204 judges ["books/delete-status"];
    /// After the head of a 204 nothing follows: the connection carries the next answer.
    a_delete_answers_without_a_body judges ["books/delete-status"];
    /// A deleted book is gone from reads.
    a_deleted_book_cannot_be_read judges ["books/delete-removes"];
    /// A deleted book is gone from the list, and the books around it are as they were.
    a_delete_takes_one_book_from_the_list judges ["books/delete-removes"];
    /// The books created before and after a deleted one stay.
    a_delete_takes_no_neighbour_along judges ["books/delete-removes"] needs [Need::Exclusive];
    /// A deleted book cannot be replaced.
    a_deleted_book_cannot_be_replaced judges ["books/delete-removes"];
    /// DELETE of an id that no book has is 404.
    deleting_an_unknown_id_is_404 judges ["books/delete-unknown"];
    /// A second DELETE is 404.
    deleting_twice_is_404 judges ["books/delete-unknown"];
}

fn a_delete_answers_204(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..2 {
        let made = books::create(cx, &json!({}))?;
        cx.delete(&made.path()).key(cx.admin_key()).send()?.check().status(204)?;
    }
    Ok(())
}

fn a_delete_answers_without_a_body(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    let send_two = concurrency::send_two(cx, "DELETE", &made.path(), Some(cx.admin_key()))?;
    let status = send_two.first.status;
    cx.check(status == 204, Place::STATUS, 204, format!("{status} {}", send_two.first.text()))?;
    let length = send_two.first.header("Content-Length");
    let is_empty = length.as_deref().is_none_or(|length| length.trim() == "0");
    cx.check(is_empty, Place::header("Content-Length"), "absent or 0", length.unwrap_or_default())?;
    let got = send_two.spoilt.unwrap_or_default();
    cx.check(got.is_empty(), "the connection after it", "the next answer", got)
}

fn a_deleted_book_cannot_be_read(cx: &CaseContext<'_>) -> CaseResult {
    let gone = books::create(cx, &json!({}))?;
    // While this one exists, the id of the first is not given again.
    let later = books::create(cx, &json!({}))?;
    books::read(cx, gone.id)?;
    let before = books::stored(cx, later.id)?;
    books::delete(cx, &gone)?;
    cx.get(&gone.path()).key(cx.admin_key()).send()?.check().status(404)?;
    cx.get(&later.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&before).map(drop)
}

fn a_delete_takes_no_neighbour_along(cx: &CaseContext<'_>) -> CaseResult {
    let books = books::create_set(cx, &[json!({}), json!({}), json!({}), json!({})])?.books;
    let gone = &books[1];
    books::delete(cx, gone)?;
    let left: Vec<u64> = books.iter().map(|book| book.id).filter(|id| *id != gone.id).collect();
    for id in left.iter().chain(&left) {
        cx.get(&format!("/libros/{id}")).key(cx.admin_key()).send()?.check().status(200)?;
    }
    Ok(())
}

fn a_delete_takes_one_book_from_the_list(cx: &CaseContext<'_>) -> CaseResult {
    let set =
        books::create_set(cx, &[json!({ "n": "a" }), json!({ "n": "b" }), json!({ "n": "c" }), json!({ "n": "d" })])?;
    let before = books::list_marked(cx, &set.marker)?;
    let gone = &set.books[1];
    if before.len() != set.books.len() {
        return Err(CaseError::blocked(
            "listing the books created",
            format!("want {}, got {}", set.books.len(), before.len()),
        ));
    }
    books::delete(cx, gone)?;
    let after = books::list_marked(cx, &set.marker)?;
    let want: Vec<Value> = before.into_iter().filter(|book| ids(std::slice::from_ref(book)) != [gone.id]).collect();
    let in_any_order = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same(a, b)));
    cx.check(in_any_order(&after, &want), "the books under the marker", json!(want), json!(after))
}

fn a_deleted_book_cannot_be_replaced(cx: &CaseContext<'_>) -> CaseResult {
    let gone = books::create(cx, &json!({}))?;
    books::create(cx, &json!({}))?;
    books::delete(cx, &gone)?;
    let body = json!({ "titulo": "Otra vez", "autor": "Nadie" });
    books::adopt(cx, cx.put(&gone.path()).key(cx.admin_key()).json(&body).send()?).check().status(404).map(drop)
}

fn deleting_an_unknown_id_is_404(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    books::delete(cx, &made)?;
    cx.delete(&books::unknown_path(cx)).key(cx.admin_key()).send()?.check().status(404).map(drop)
}

fn deleting_twice_is_404(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    books::create(cx, &json!({}))?;
    books::delete(cx, &made)?;
    let reply = cx.delete(&made.path()).key(cx.admin_key()).send()?;
    reply.check().of("the second DELETE").status(404).map(drop)
}
