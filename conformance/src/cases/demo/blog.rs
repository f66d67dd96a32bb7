//! Cases of the chapter blog: five routes on `/posts`, whose payloads and statuses the documents do not show.

use serde_json::{Map, Value, json};

use super::users::interface::credentials_change_nothing;
use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::fixture::demo::is_success;
use crate::fixture::reset::{self, left};
use crate::http::reply::{Reply, SeenIn as _, told};
use crate::http::request::Request;
use crate::target::profile::Interface;

const BLOG: Need = Need::Interface(Interface::Blog);

cases! { "blog";
    /// The list is 200 and JSON, before an entry is written and after.
    list_is_json judges ["blog/list"] needs [BLOG];
    /// The list of an untouched blog is 200 and JSON.
    untouched_list_is_json judges ["blog/list"] needs [BLOG, Need::Reset];
    /// Writing an entry is a success with JSON, or 201 without a body.
    writing_an_entry judges ["blog/create"] needs [BLOG];
    /// Reading an entry is 200 with JSON.
    reading_an_entry judges ["blog/read"] needs [BLOG];
    /// An entry that the list shows under an id is read under it: 200 with that entry.
    a_listed_entry_is_read judges ["blog/listed-is-read"] needs [BLOG];
    /// Replacing an entry is a success.
    replacing_an_entry judges ["blog/replace"] needs [BLOG];
    /// Deleting an entry is a success.
    deleting_an_entry judges ["blog/delete"] needs [BLOG];
    /// Entries that do not exist are refused.
    unknown_entries judges ["blog/unknown-entry"] needs [BLOG];
    /// An entry without a title is refused, or accepted.
    entries_without_a_title judges ["blog/invalid"] needs [BLOG];
    /// What fields an entry has is free.
    fields_of_an_entry judges ["blog/shape"] needs [BLOG];
    /// What was written, replaced and deleted shows in later reads, or nothing does.
    changes_show_or_not judges ["blog/persistence"] needs [BLOG];
    /// The routes need no credential, and a wrong one changes nothing.
    routes_need_no_credential judges ["users/no-credential"] needs [BLOG];
}

/// How many forms an entry has.
const FORMS: usize = 3;

/// An entry under a title of its own.
struct Entry {
    form: usize,
    title: String,
}

impl Entry {
    fn of(cx: &CaseContext<'_>, form: usize) -> Self {
        Self { form, title: cx.unique("Entrada") }
    }

    /// With every field that an outline of a blog may ask for; for those that refuse fields they do not know, with few.
    fn body(&self) -> Value {
        let title = &self.title;
        let forms: [Value; FORMS] = [
            json!({ "title": title, "content": "Texto", "body": "Texto", "author": "Ada" }),
            json!({ "title": title, "content": "Texto" }),
            json!({ "titulo": title, "contenido": "Texto" }),
        ];
        forms[self.form].clone()
    }

    /// The title shows in the body, wherever it stands there.
    fn shows_in(&self, reply: &Reply) -> bool {
        is_json(reply) && reply.json().to_string().contains(&self.title)
    }
}

fn ask<'t>(cx: &'t CaseContext<'_>, method: &str, path: &str) -> Request<'t> {
    cx.request_at(Interface::Blog, method, path)
}

fn write(cx: &CaseContext<'_>, entry: &Entry) -> Result<Reply, CaseError> {
    ask(cx, "POST", "/posts").json(&entry.body()).send()
}

/// Writes an entry in the first form that is not refused, or in the last one.
fn offer(cx: &CaseContext<'_>) -> Result<(Entry, Reply), CaseError> {
    let mut form = 0;
    loop {
        let entry = Entry::of(cx, form);
        let reply = write(cx, &entry)?;
        form += 1;
        if form == FORMS || !is_refused(&reply) {
            return Ok((entry, reply));
        }
    }
}

/// Whether the fields of an entry are not those that the target wants.
fn is_refused(reply: &Reply) -> bool {
    matches!(reply.status(), 400 | 422)
}

/// A 201 whose Location, if anything, tells of the entry.
fn is_bare(reply: &Reply) -> bool {
    reply.status() == 201 && reply.received().body.is_empty()
}

fn is_json(reply: &Reply) -> bool {
    reply.received().json().is_some()
}

/// An entry that was written, and where it is.
struct Written {
    entry: Entry,
    path: String,
}

/// Writes an entry. What it takes and shows is not said, so where every form is refused, or no identifier is to be found, that is
/// told, and there is nothing to go on with.
fn written(cx: &CaseContext<'_>) -> Result<Option<Written>, CaseError> {
    let (entry, reply) = offer(cx)?;
    if is_refused(&reply) {
        cx.tell("every entry is refused: its fields are the target's own")?;
        return Ok(None);
    }
    if !is_success(&reply) {
        return Err(CaseError::blocked("writing an entry", told(&reply)));
    }
    let id = id_in(&reply.json(), &entry).or_else(|| id_in_location(&reply));
    let id = match id {
        Some(id) => Some(id),
        None => id_in_list(&ask(cx, "GET", "/posts").send()?.json(), &entry),
    };
    if id.is_none() {
        cx.tell("no identifier of a written entry is shown, in its answer, in Location or in the list")?;
    }
    Ok(id.map(|id| Written { entry, path: format!("/posts/{id}") }))
}

/// All objects within, those nearest to the top first.
fn objects<'v>(json: &'v Value) -> Vec<&'v Map<String, Value>> {
    let (mut found, mut level) = (Vec::new(), vec![json]);
    while !level.is_empty() {
        found.extend(level.iter().filter_map(|value| value.as_object()));
        let within = |value: &'v Value| match value {
            Value::Array(items) => items.iter().collect::<Vec<_>>(),
            Value::Object(fields) => fields.values().collect(),
            _ => Vec::new(),
        };
        level = level.into_iter().flat_map(within).collect();
    }
    found
}

fn own_id(object: &Map<String, Value>) -> Option<String> {
    ["id", "_id", "postId", "uid"].into_iter().find_map(|key| match object.get(key)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    })
}

/// The identifier of the object that shows the entry.
fn id_in_list(json: &Value, entry: &Entry) -> Option<String> {
    let is_shown = |object: &&Map<String, Value>| object.values().any(|value| *value == *entry.title);
    objects(json).into_iter().filter(is_shown).find_map(own_id)
}

/// The identifier of the object that shows the entry, or else the one nearest to the top.
fn id_in(json: &Value, entry: &Entry) -> Option<String> {
    id_in_list(json, entry).or_else(|| objects(json).into_iter().find_map(own_id))
}

fn id_in_location(reply: &Reply) -> Option<String> {
    let place = reply.header("Location")?;
    let last = place.trim_end_matches('/').rsplit('/').next()?;
    (!last.is_empty() && last != "posts").then(|| last.to_owned())
}

fn list_is_json(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..2 {
        let list = ask(cx, "GET", "/posts").send()?;
        list.check().status(200)?.that(is_json(&list), "body", "JSON", told(&list))?;
        offer(cx)?;
    }
    Ok(())
}

fn untouched_list_is_json(cx: &CaseContext<'_>) -> CaseResult {
    let (entry, _) = offer(cx)?;
    reset::verified(cx)?;
    let list = ask(cx, "GET", "/posts").send()?;
    if entry.shows_in(&list) {
        return Err(left("an entry of the blog"));
    }
    list.check().status(200)?.that(is_json(&list), "body", "JSON", told(&list))?;
    Ok(())
}

fn writing_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    for form in 0..FORMS {
        let entry = Entry::of(cx, form);
        let reply = write(cx, &entry)?;
        let readings = [
            ("entry", reply.status() == 201 && entry.shows_in(&reply)),
            ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
            ("bare", is_bare(&reply)),
            ("refused", is_refused(&reply)),
        ];
        cx.observe(&readings, told(&reply))?;
        if !is_refused(&reply) {
            break;
        }
    }
    Ok(())
}

fn reading_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let Some(Written { entry, path }) = written(cx)? else { return Ok(()) };
    let reply = ask(cx, "GET", &path).send()?;
    let readings = [
        ("entry", reply.status() == 200 && entry.shows_in(&reply)),
        ("json", reply.status() == 200 && is_json(&reply)),
        ("not-kept", reply.status() == 404),
    ];
    cx.observe(&readings, told(&reply))
}

fn a_listed_entry_is_read(cx: &CaseContext<'_>) -> CaseResult {
    let Some(Written { entry, path }) = written(cx)? else { return Ok(()) };
    let id = path.rsplit('/').next().unwrap_or_default();
    let list = ask(cx, "GET", "/posts").send()?.prepared("listing the entries", 200)?;
    // A target that keeps nothing lists nothing.
    if !entry.shows_in(&list) || !list.json().to_string().contains(id) {
        return cx.tell("the list does not show what was written");
    }
    let read = ask(cx, "GET", &path).send()?;
    read.check().status(200)?.that(entry.shows_in(&read), "body", "the entry that the list shows", told(&read))?;
    Ok(())
}

/// Whether a read of that path finds nothing: then no change of it can be judged.
fn is_kept(cx: &CaseContext<'_>, path: &str) -> Result<bool, CaseError> {
    Ok(ask(cx, "GET", path).send()?.status() == 200)
}

fn replacing_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let Some(Written { entry, path }) = written(cx)? else { return Ok(()) };
    let is_kept = is_kept(cx, &path)?;
    let other = Entry::of(cx, entry.form);
    let reply = ask(cx, "PUT", &path).json(&other.body()).send()?;
    let readings = [
        ("entry", reply.status() == 200 && other.shows_in(&reply)),
        ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
        ("204", reply.status() == 204),
        ("not-kept", reply.status() == 404 && !is_kept),
    ];
    cx.observe(&readings, told(&reply))
}

fn deleting_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let Some(Written { path, .. }) = written(cx)? else { return Ok(()) };
    let is_kept = is_kept(cx, &path)?;
    let reply = ask(cx, "DELETE", &path).send()?;
    let readings = [
        ("204", reply.status() == 204),
        ("json", reply.status() == 200 && is_json(&reply)),
        ("not-kept", reply.status() == 404 && !is_kept),
    ];
    cx.observe(&readings, told(&reply))
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
        cx.observe(&readings, format!("{method}: {}", told(&reply)))?;
    }
    Ok(())
}

fn entries_without_a_title(cx: &CaseContext<'_>) -> CaseResult {
    for body in [json!({ "content": "Texto", "body": "Texto", "author": "Ada" }), json!({})] {
        let reply = ask(cx, "POST", "/posts").json(&body).send()?;
        let readings = [
            ("400", reply.status() == 400),
            ("4xx", (400..500).contains(&reply.status())),
            ("accepted", is_success(&reply)),
        ];
        cx.observe(&readings, format!("{body}: {}", told(&reply)))?;
    }
    Ok(())
}

fn fields_of_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let (_, reply) = offer(cx)?;
    let body = reply.json();
    let keys = ["id", "title", "content"];
    let is_usual =
        body.as_object().is_some_and(|body| body.len() == keys.len()) && keys.iter().all(|key| body.get(key).is_some());
    cx.observe(&[("plain", is_usual), ("other", is_json(&reply)), ("none", is_bare(&reply))], told(&reply))
}

fn changes_show_or_not(cx: &CaseContext<'_>) -> CaseResult {
    let Some(Written { entry: first, path }) = written(cx)? else { return Ok(()) };
    let second = Entry::of(cx, first.form);
    let read = || ask(cx, "GET", &path).send();
    let after_writing = read()?;
    let replaced = ask(cx, "PUT", &path).json(&second.body()).send()?;
    let after_replacing = read()?;
    let deleted = ask(cx, "DELETE", &path).send()?;
    let after_deleting = read()?;
    let all_show =
        first.shows_in(&after_writing) && second.shows_in(&after_replacing) && !second.shows_in(&after_deleting);
    let reads = [&after_writing, &replaced, &after_replacing, &deleted, &after_deleting];
    let has_broken = reads.iter().any(|reply| reply.status() >= 500);
    let readings = [("shows", all_show), ("not-kept", !has_broken)];
    let statuses: Vec<_> = reads.iter().map(|reply| reply.status().to_string()).collect();
    let broken = reads.into_iter().filter(|reply| reply.status() >= 500);
    cx.observe(&readings, statuses.join(", ")).seen_in(broken.take(1))
}

fn routes_need_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    credentials_change_nothing(|| ask(cx, "GET", "/posts"))?;
    credentials_change_nothing(|| ask(cx, "POST", "/posts").json(&Entry::of(cx, 0).body()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_found_at_any_depth_and_beside_the_title_first() {
        let entry = Entry { form: 0, title: "Entrada 1".into() };
        let rows = [
            (json!({ "id": 3, "title": "Entrada 1" }), Some("3")),
            (json!({ "status": "ok", "data": { "post": { "_id": "a7" } } }), Some("a7")),
            (json!({ "user": { "id": 1 }, "data": { "post": { "id": 3, "titulo": "Entrada 1" } } }), Some("3")),
            (json!({ "posts": [{ "id": 2, "title": "otra" }, { "id": 3, "title": "Entrada 1" }] }), Some("3")),
            (json!({ "message": "created" }), None),
        ];
        for (body, want) in rows {
            assert_eq!(id_in(&body, &entry).as_deref(), want, "{body}");
        }
    }
}
