//! Cases of the chapter blog: five routes on `/posts`, whose payloads and statuses the documents do not show.

use serde_json::{Value, json};

use super::users::interface::credentials_change_nothing;
use crate::case::{Need, cases};
use crate::context::case_context::CaseContext;
use crate::contract::verdict::{CaseError, CaseResult};
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
    /// Writing an entry is a success with JSON.
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

/// An entry with every field that an outline of a blog may ask for.
fn entry(cx: &CaseContext<'_>) -> Value {
    json!({ "title": cx.unique("Entrada"), "content": "Texto", "body": "Texto", "author": "Ada" })
}

fn ask<'t>(cx: &'t CaseContext<'_>, method: &str, path: &str) -> Request<'t> {
    cx.request_at(Interface::Blog, method, path)
}

fn write(cx: &CaseContext<'_>, body: &Value) -> Result<Reply, CaseError> {
    ask(cx, "POST", "/posts").json(body).send()
}

fn is_json(reply: &Reply) -> bool {
    reply.received().json().is_some()
}

/// The title shows in the body, wherever it stands there.
fn shows(reply: &Reply, entry: &Value) -> bool {
    let title = entry["title"].as_str().unwrap_or_default();
    is_json(reply) && reply.json().to_string().contains(title)
}

/// Writes an entry; its path.
fn written(cx: &CaseContext<'_>) -> Result<(Value, String), CaseError> {
    let entry = entry(cx);
    let reply = write(cx, &entry)?;
    if !is_success(&reply) {
        return Err(CaseError::blocked("writing an entry", told(&reply)));
    }
    let body = reply.json();
    let inner = body.as_object().into_iter().flat_map(|body| body.values());
    let id = std::iter::once(&body).chain(inner).find_map(|holder| {
        ["id", "_id", "postId", "uid"].into_iter().find_map(|key| match holder.get(key)? {
            Value::String(id) if !id.is_empty() => Some(id.clone()),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        })
    });
    let id = id.ok_or_else(|| CaseError::blocked("writing an entry", format!("no identifier in {body}")))?;
    Ok((entry, format!("/posts/{id}")))
}

fn list_is_json(cx: &CaseContext<'_>) -> CaseResult {
    for _ in 0..2 {
        let list = ask(cx, "GET", "/posts").send()?;
        list.check().status(200)?.that(is_json(&list), "body", "JSON", told(&list))?;
        write(cx, &entry(cx))?;
    }
    Ok(())
}

fn untouched_list_is_json(cx: &CaseContext<'_>) -> CaseResult {
    let entry = entry(cx);
    write(cx, &entry)?;
    reset::verified(cx)?;
    let list = ask(cx, "GET", "/posts").send()?;
    if shows(&list, &entry) {
        return Err(left("an entry of the blog"));
    }
    list.check().status(200)?.that(is_json(&list), "body", "JSON", told(&list))?;
    Ok(())
}

fn writing_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let entry = entry(cx);
    let reply = write(cx, &entry)?;
    let readings = [
        ("entry", reply.status() == 201 && shows(&reply, &entry)),
        ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
    ];
    cx.observe(&readings, told(&reply))
}

fn reading_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let (entry, path) = written(cx)?;
    let reply = ask(cx, "GET", &path).send()?;
    let readings = [
        ("entry", reply.status() == 200 && shows(&reply, &entry)),
        ("json", reply.status() == 200 && is_json(&reply)),
        ("not-kept", reply.status() == 404),
    ];
    cx.observe(&readings, told(&reply))
}

fn a_listed_entry_is_read(cx: &CaseContext<'_>) -> CaseResult {
    let (entry, path) = written(cx)?;
    let id = path.rsplit('/').next().unwrap_or_default();
    let list = ask(cx, "GET", "/posts").send()?.prepared("listing the entries", 200)?;
    // A target that keeps nothing lists nothing.
    if !shows(&list, &entry) || !list.json().to_string().contains(id) {
        return cx.tell("the list does not show what was written");
    }
    let read = ask(cx, "GET", &path).send()?;
    read.check().status(200)?.that(shows(&read, &entry), "body", "the entry that the list shows", told(&read))?;
    Ok(())
}

/// Whether a read of that path finds nothing: then no change of it can be judged.
fn is_kept(cx: &CaseContext<'_>, path: &str) -> Result<bool, CaseError> {
    Ok(ask(cx, "GET", path).send()?.status() == 200)
}

fn replacing_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let (_, path) = written(cx)?;
    let is_kept = is_kept(cx, &path)?;
    let other = entry(cx);
    let reply = ask(cx, "PUT", &path).json(&other).send()?;
    let readings = [
        ("entry", reply.status() == 200 && shows(&reply, &other)),
        ("json", matches!(reply.status(), 200 | 201) && is_json(&reply)),
        ("204", reply.status() == 204),
        ("not-kept", reply.status() == 404 && !is_kept),
    ];
    cx.observe(&readings, told(&reply))
}

fn deleting_an_entry(cx: &CaseContext<'_>) -> CaseResult {
    let (_, path) = written(cx)?;
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
        let request = if method == "PUT" { request.json(&entry(cx)) } else { request };
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
        let reply = write(cx, &body)?;
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
    let sent = entry(cx);
    let reply = write(cx, &sent)?;
    let body = reply.json();
    let keys = ["id", "title", "content"];
    let is_usual =
        body.as_object().is_some_and(|body| body.len() == keys.len()) && keys.iter().all(|key| body.get(key).is_some());
    let readings = [("plain", is_usual), ("other", is_json(&reply))];
    cx.observe(&readings, told(&reply))
}

fn changes_show_or_not(cx: &CaseContext<'_>) -> CaseResult {
    let (first, path) = written(cx)?;
    let second = entry(cx);
    let read = || ask(cx, "GET", &path).send();
    let after_writing = read()?;
    let replaced = ask(cx, "PUT", &path).json(&second).send()?;
    let after_replacing = read()?;
    let deleted = ask(cx, "DELETE", &path).send()?;
    let after_deleting = read()?;
    let all_show =
        shows(&after_writing, &first) && shows(&after_replacing, &second) && !shows(&after_deleting, &second);
    let reads = [&after_writing, &replaced, &after_replacing, &deleted, &after_deleting];
    let has_broken = reads.iter().any(|reply| reply.status() >= 500);
    let readings = [("shows", all_show), ("not-kept", !has_broken)];
    let statuses: Vec<_> = reads.iter().map(|reply| reply.status().to_string()).collect();
    let broken = reads.into_iter().filter(|reply| reply.status() >= 500);
    cx.observe(&readings, statuses.join(", ")).seen_in(broken.take(1))
}

fn routes_need_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    credentials_change_nothing(|| ask(cx, "GET", "/posts"))?;
    credentials_change_nothing(|| ask(cx, "POST", "/posts").json(&entry(cx)))
}
