//! Entries that are not there: never written, or deleted.

use super::written::{BLOG, Entry, ask, written};
use crate::chapters::prelude::*;
use crate::fixture::demo::is_success;

cases! { "blog";
    /// An id of the form that the target gives, which no entry has, is 404 or 410.
    an_unknown_id_is_not_found judges ["blog/unknown-id"] needs [BLOG];
    /// A deleted entry is 404 or 410 under its id, and in no list.
    a_deleted_entry_is_gone judges ["blog/deleted-is-gone"] needs [BLOG];
    /// Replacing and deleting what does not exist is refused, or done.
    unknown_entries judges ["blog/unknown-entry"] needs [BLOG];
}

fn must_be_gone(reply: &Reply) -> CaseResult {
    reply.check().that(matches!(reply.status(), 404 | 410), Place::STATUS, "404 or 410", reply.summary()).map(drop)
}

fn an_unknown_id_is_not_found(cx: &CaseContext<'_>) -> CaseResult {
    let Some(written) = written(cx)? else { return Ok(()) };
    must_be_gone(&ask(cx, "GET", &format!("/posts/{}", written.unknown_id())).send()?)
}

fn a_deleted_entry_is_gone(cx: &CaseContext<'_>) -> CaseResult {
    let Some(written) = written(cx)? else { return Ok(()) };
    let path = written.path();
    let read = || ask(cx, "GET", &path).send();
    if !written.entry.shows_in(&read()?) {
        return cx.tell("nothing that is written can be read: there is nothing to delete");
    }
    let deleted = ask(cx, "DELETE", &path).send()?;
    if !is_success(&deleted) {
        return cx.tell(format!("deleting is refused: {}", deleted.summary()));
    }
    must_be_gone(&read()?)?;
    let list = ask(cx, "GET", "/posts").send()?;
    list.check()
        .that(!written.entry.shows_in(&list), Place::BODY, "a list without the deleted entry", list.summary())
        .map(drop)
}

fn unknown_entries(cx: &CaseContext<'_>) -> CaseResult {
    let path = format!("/posts/{}", cx.unique("nada"));
    for method in ["GET", "DELETE", "PUT"] {
        let request = ask(cx, method, &path);
        let request = if method == "PUT" { request.json(&Entry::of(cx, 0).body()) } else { request };
        let reply = request.send()?;
        let (status, may_pass) = (reply.status(), method != "GET" && is_success(&reply));
        let passes = if method == "PUT" { "put-creates" } else { "delete-done" };
        let readings = [("404", status == 404), ("4xx", (400..500).contains(&status)), (passes, may_pass)];
        cx.observe(&readings, format!("{method}: {}", reply.summary()))?;
    }
    Ok(())
}
