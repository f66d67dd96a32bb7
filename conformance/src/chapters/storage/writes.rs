//! Cases of the chapter storage: what one request wrote, the next one reads, and nothing is lost between writers.

use crate::chapters::books::answers::ids;
use crate::chapters::prelude::*;
use crate::fixture::books::MadeBook;

cases! { "storage";
    /// A book created on one connection is read on others, under another key and under a session.
    a_created_book_is_there_for_everyone judges ["storage/between-requests"];
    /// A list shown before a write shows the write afterwards: creates, replaces and deletes.
    a_list_follows_every_write judges ["storage/between-requests"];
    /// Reading again, and again after other writes, gives the same book.
    a_book_stays_as_it_is judges ["storage/between-requests"];
    /// Replaces, creates and deletes of different books at the same time all take effect.
    writes_at_the_same_time_all_take_effect judges ["storage/no-lost-update"];
}

fn a_created_book_is_there_for_everyone(cx: &CaseContext<'_>) -> CaseResult {
    let body = json!({ "titulo": "La tregua", "autor": "Mario Benedetti" });
    let alone = cx.post("/libros").key(cx.admin_key()).header("Connection", "close").json(&body);
    let made = books::created(cx, alone.send()?)?;
    let first = books::stored(cx, made.id)?;
    let reader = &cx.target().credentials.regular_user;
    let session = users::log_in(cx, &reader.email, &reader.password)?.session;
    let get = || cx.get(&made.path()).header("Connection", "close");
    for request in [get().key(cx.test_key()), get().key(cx.admin_key()), get().bearer(&session)] {
        request.send()?.check().status(200)?.body(&first)?;
    }
    Ok(())
}

fn a_list_follows_every_write(cx: &CaseContext<'_>) -> CaseResult {
    let set = books::create_set(cx, &[json!({ "n": "uno" })])?;
    let shows = |step: &str, want: &[(u64, &str)]| {
        let listed = books::list_marked(cx, &set.marker)?;
        let shown = listed.iter().map(|book| book["n"].as_str().unwrap_or_default());
        let got: Vec<(u64, &str)> = ids(&listed).into_iter().zip(shown).collect();
        let is_shown = got.len() == want.len() && want.iter().all(|book| got.contains(book));
        cx.check(is_shown, step, format!("{want:?}"), format!("{got:?}"))
    };
    let first = &set.books[0];
    shows("the list after a create", &[(first.id, "uno")])?;
    let second = books::create(cx, &json!({ "lote": set.marker, "n": "dos" }))?;
    shows("the list after another create", &[(first.id, "uno"), (second.id, "dos")])?;
    let body = json!({ "titulo": "La tregua", "lote": set.marker, "n": "tres" });
    cx.put(&first.path()).key(cx.admin_key()).json(&body).send()?.prepared("replacing a book", 200)?;
    shows("the list after a replace", &[(first.id, "tres"), (second.id, "dos")])?;
    books::delete(cx, first)?;
    shows("the list after a delete", &[(second.id, "dos")])
}

fn a_book_stays_as_it_is(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({ "paginas": 223, "temas": ["amor", null] }))?;
    let first = books::stored(cx, made.id)?;
    for _ in 0..3 {
        cx.get(&made.path()).key(cx.admin_key()).send()?.check().status(200)?.body(&first)?;
        let other = books::create(cx, &json!({ "paginas": 7 }))?;
        books::delete(cx, &other)?;
    }
    Ok(())
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
    let replaced = cx.put(&own.path()).key(cx.admin_key()).json(&body).send()?;
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

/// All writers at once, round by round; each has books of its own, so that each of its writes must be seen afterwards.
fn writes_at_the_same_time_all_take_effect(cx: &CaseContext<'_>) -> CaseResult {
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
}
