//! What a delete answers, and what it leaves.

use serde_json::{Value, json};

use super::ids;
use crate::case::Need;
use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::http::reply::{holds, same, told};

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

fn a_delete_answers_204(t: &Trial<'_>) -> Judged {
    for _ in 0..2 {
        let made = t.create_book(&json!({}))?;
        let reply = t.delete(&made.path()).key(t.admin_key()).send()?;
        reply.judge("books/delete-status").status(204)?;
    }
    Ok(())
}

fn a_delete_answers_without_a_body(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    let followed = t.followed("DELETE", &made.path(), Some(t.admin_key()))?;
    let rule = "books/delete-status";
    let status = followed.first.status;
    holds(t.case(), rule, status == 204, "status", 204, format!("{status} {}", followed.first.text()))?;
    let length = followed.first.header("Content-Length");
    let is_empty = length.as_deref().is_none_or(|length| length.trim() == "0");
    holds(t.case(), rule, is_empty, "header Content-Length", "absent or 0", length.unwrap_or_default())?;
    let got = followed.spoilt.unwrap_or_default();
    holds(t.case(), rule, got.is_empty(), "the connection after it", "the next answer", got)
}

fn a_deleted_book_cannot_be_read(t: &Trial<'_>) -> Judged {
    let gone = t.create_book(&json!({}))?;
    // While this one is there, nobody can be given the id of the first.
    let later = t.create_book(&json!({}))?;
    t.read_again(gone.id)?;
    let before = t.read_book(later.id)?;
    t.delete_book(&gone)?;
    let reply = t.get(&gone.path()).key(t.admin_key()).send()?;
    reply.judge("books/delete-removes").status(404)?;
    let reply = t.get(&later.path()).key(t.admin_key()).send()?;
    let judge = reply.judge("books/delete-removes");
    judge.status(200)?.body(&before)?;
    Ok(())
}

fn a_delete_takes_no_neighbour_along(t: &Trial<'_>) -> Judged {
    let books = t.create_lot(&[json!({}), json!({}), json!({}), json!({})])?.books;
    let gone = &books[1];
    t.delete_book(gone)?;
    let left: Vec<u64> = books.iter().map(|book| book.id).filter(|id| *id != gone.id).collect();
    for id in left.iter().chain(&left) {
        let reply = t.get(&format!("/libros/{id}")).key(t.admin_key()).send()?;
        reply.judge("books/delete-removes").status(200)?;
    }
    Ok(())
}

fn a_delete_takes_one_book_from_the_list(t: &Trial<'_>) -> Judged {
    let lot = t.create_lot(&[json!({ "n": "a" }), json!({ "n": "b" }), json!({ "n": "c" }), json!({ "n": "d" })])?;
    let before = t.marked_books(&lot.marker)?;
    let gone = &lot.books[1];
    if before.len() != lot.books.len() {
        return Err(Stop::Blocked {
            step: "listing the books created".into(),
            why: format!("want {}, got {}", lot.books.len(), before.len()),
        });
    }
    t.delete_book(gone)?;
    let after = t.marked_books(&lot.marker)?;
    let want: Vec<Value> = before.into_iter().filter(|book| ids(std::slice::from_ref(book)) != [gone.id]).collect();
    let in_any_order = |a: &[Value], b: &[Value]| a.len() == b.len() && a.iter().all(|a| b.iter().any(|b| same(a, b)));
    let rule = "books/delete-removes";
    holds(t.case(), rule, in_any_order(&after, &want), "the books under the marker", json!(want), json!(after))
}

fn a_deleted_book_cannot_be_replaced(t: &Trial<'_>) -> Judged {
    let gone = t.create_book(&json!({}))?;
    t.create_book(&json!({}))?;
    t.delete_book(&gone)?;
    let body = json!({ "titulo": "Otra vez", "autor": "Nadie" });
    let reply = t.claim(t.put(&gone.path()).key(t.admin_key()).json(&body).send()?);
    reply.judge("books/delete-removes").status(404)?;
    Ok(())
}

fn deleting_an_unknown_id_is_404(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    t.delete_book(&made)?;
    let reply = t.delete(&t.unknown_book()).key(t.admin_key()).send()?;
    reply.judge("books/delete-unknown").status(404)?;
    Ok(())
}

fn deleting_twice_is_404(t: &Trial<'_>) -> Judged {
    let made = t.create_book(&json!({}))?;
    t.create_book(&json!({}))?;
    t.delete_book(&made)?;
    let reply = t.delete(&made.path()).key(t.admin_key()).send()?;
    let judge = reply.judge("books/delete-unknown");
    judge.that(reply.status() == 404, "status of the second DELETE", 404, told(&reply))?;
    Ok(())
}
