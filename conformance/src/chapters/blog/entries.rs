//! The five routes, also for entries never written or deleted. The documents do not show payloads and statuses.

use super::written::{BLOG, Entry, FORMS, Written, ask, is_bare, is_json, is_refused, offer, write, written};
use crate::chapters::prelude::*;
use crate::fixture::demo::is_success;
use crate::fixture::reset::{self, left_behind};

cases! { "blog";
    /// The list of entries of an untouched blog is 200 and JSON.
    untouched_list_is_json judges ["blog/list"] needs [BLOG, Need::Reset] => |cx| {
        let (entry, _) = offer(cx)?;
        reset::restore(cx)?;
        let list = ask(cx, "GET", "/posts").send()?;
        if entry.shows_in(&list) {
            return Err(left_behind("an entry of the blog"));
        }
        list.check().status(200)?.that(is_json(&list), Place::BODY, "JSON", list.summary()).map(drop)
    };
    /// What creating an entry answers: 201 with it, other JSON, an empty 201, or a refusal of its fields.
    writing_an_entry judges ["blog/create"] needs [BLOG] => |cx| {
        for form in 0..FORMS {
            let entry = Entry::of(cx, form);
            let reply = write(cx, &entry)?;
            let readings = [
                ("entry", reply.is(201) && entry.shows_in(&reply)),
                ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
                ("bare", is_bare(&reply)),
                ("refused", is_refused(&reply)),
            ];
            cx.observe(&readings, reply.summary())?;
            if !is_refused(&reply) {
                break;
            }
        }
        Ok(())
    };
    /// Reading an entry is 200 with JSON.
    reading_an_entry judges ["blog/read"] needs [BLOG] => |cx| {
        let Some(written) = written(cx)? else { return Ok(()) };
        let reply = ask(cx, "GET", &written.path()).send()?;
        let readings = [
            ("entry", reply.is(200) && written.entry.shows_in(&reply)),
            ("json", reply.is(200) && is_json(&reply)),
            ("not-kept", reply.is(404)),
        ];
        cx.observe(&readings, reply.summary())
    };
    /// An entry that the list shows can be read by its id, 200 with that entry, also after another was deleted.
    a_listed_entry_is_read judges ["blog/listed-is-read"] needs [BLOG] => |cx| {
        let (Some(first), Some(second)) = (written(cx)?, written(cx)?) else { return Ok(()) };
        ask(cx, "DELETE", &first.path()).send()?;
        let Some(third) = written(cx)? else { return Ok(()) };
        for Written { entry, id } in [second, third] {
            let list = ask(cx, "GET", "/posts").send()?.prepared("listing the entries", 200)?;
            // A target that keeps nothing lists nothing.
            if !entry.shows_in(&list) || !list.json().to_string().contains(&id) {
                return cx.tell("the list does not show what was written");
            }
            let read = ask(cx, "GET", &format!("/posts/{id}")).send()?;
            let check = read.check().status(200)?;
            check.that(entry.shows_in(&read), Place::BODY, "the entry that the list shows", read.summary())?;
        }
        Ok(())
    };
    /// What replacing an entry answers: a success, or 404 if the target keeps none.
    replacing_an_entry judges ["blog/replace"] needs [BLOG] => |cx| {
        let Some(written) = written(cx)? else { return Ok(()) };
        let (entry, path) = (&written.entry, written.path());
        let is_kept = is_kept(cx, &path)?;
        let other = Entry::of(cx, entry.form);
        let reply = ask(cx, "PUT", &path).json(&other.body()).send()?;
        let readings = [
            ("entry", reply.is(200) && other.shows_in(&reply)),
            ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
            ("204", reply.is(204)),
            ("not-kept", reply.is(404) && !is_kept),
        ];
        cx.observe(&readings, reply.summary())
    };
    /// What deleting an entry answers: a success, or 404 if the target keeps none.
    deleting_an_entry judges ["blog/delete"] needs [BLOG] => |cx| {
        let Some(written) = written(cx)? else { return Ok(()) };
        let path = written.path();
        let is_kept = is_kept(cx, &path)?;
        let reply = ask(cx, "DELETE", &path).send()?;
        let readings =
            [("204", reply.is(204)), ("json", reply.is(200) && is_json(&reply)), ("not-kept", reply.is(404) && !is_kept)];
        cx.observe(&readings, reply.summary())
    };
    /// An id in the target's form that no entry has is 404 or 410.
    an_unknown_id_is_not_found judges ["blog/unknown-id"] needs [BLOG] => |cx| {
        let Some(written) = written(cx)? else { return Ok(()) };
        must_be_gone(&ask(cx, "GET", &format!("/posts/{}", written.unknown_id())).send()?)
    };
    /// A deleted entry is 404 or 410, and in no list.
    a_deleted_entry_is_gone judges ["blog/deleted-is-gone"] needs [BLOG] => |cx| {
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
        let after = read()?;
        if !written.has_another_entry(&after) {
            must_be_gone(&after)?;
        }
        let list = ask(cx, "GET", "/posts").send()?;
        let is_gone = !written.entry.shows_in(&list);
        list.check().that(is_gone, Place::BODY, "a list without the deleted entry", list.summary()).map(drop)
    };
}

/// Whether a read of that path finds something: otherwise no change of it can be judged.
fn is_kept(cx: &CaseContext<'_>, path: &str) -> Result<bool, CaseError> {
    Ok(ask(cx, "GET", path).send()?.is(200))
}

fn must_be_gone(reply: &Reply) -> CaseResult {
    reply.check().that(matches!(reply.status(), 404 | 410), Place::STATUS, "404 or 410", reply.summary()).map(drop)
}
