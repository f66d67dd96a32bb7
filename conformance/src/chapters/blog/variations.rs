//! Variations of the chapter blog.

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "blog-list-is-404-when-empty" breaks "blog/list": "The list of an empty blog answers 404."
        => reply |request, reply| if is_list(request) && reply.body == b"[]" { answer_as(reply, 404, &json!({"error": "No posts"})) };
    "blog-list-is-no-json" breaks "blog/list": "The list of entries is HTML."
        => reply |request, reply| if is_list(request) {
            reply.set("Content-Type", "text/html");
            reply.body = b"<h1>Blog</h1>".to_vec();
        };
    "blog-listed-entry-is-404" breaks "blog/listed-is-read": "A single entry cannot be read."
        => reply |request, reply| if request.method == "GET" && request.path.starts_with("/posts/") { *reply = Reply::bare(404) };
    "blog-ids-count-the-entries" breaks "blog/listed-is-read": "The id of an entry is their number, so a deletion has an id given twice."
        => before |state, _request| state.entries_made = state.entries.len() as u64;
    "blog-unknown-entry-is-empty" breaks "blog/unknown-id" and "blog/deleted-is-gone": "An unknown entry answers 200 and an empty object."
        => reply |request, reply| if reads_unknown(request, reply) { *reply = Reply::json(200, &json!({})) };
    "blog-deletes-nothing" breaks "blog/deleted-is-gone": "A deleted entry can still be read."
        => request |request| if request.method == "DELETE" && request.path.starts_with("/posts/") { request.method = "GET".to_owned() };
    "blog-lists-what-was-deleted" breaks "blog/deleted-is-gone": "A deleted entry stays in the list."
        => around |state, request, answer| list_deleted(state, request, answer);
    "blog-create-is-200" by "blog/create": "Creating an entry answers 200."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) { reply.status = 200 };
    "blog-create-shows-no-entry" by "blog/create": "Creating an entry answers with a message, and its Location names the entry."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) { tell_place(reply) };
    "blog-create-is-bare" by "blog/create": "Creating an entry answers 201 with its Location and no body."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) {
            tell_place(reply);
            reply.body.clear();
            reply.remove("Content-Type");
        };
    "blog-delete-is-idempotent" by "blog/unknown-entry": "Deleting an unknown entry answers 204."
        => reply |request, reply| if is_entry_answer(request, reply, "DELETE", 404) { *reply = Reply::bare(204) };
    "blog-delete-says-so" by "blog/delete": "Deleting an entry answers 200 with JSON."
        => reply |request, reply| if is_entry_answer(request, reply, "DELETE", 204) {
            *reply = Reply::json(200, &json!({"mensaje": "deleted"}));
        };
    "blog-entries-have-more-fields" by silence: "An entry has fields besides title and content."
        => reply |request, reply| if is_blog(request) { reply.edit(with_comments) };
    "blog-entries-within-data" by "blog/create" "blog/replace": "The answer to a written entry wraps it in two objects."
        => reply |request, reply| if is_blog(request) && request.method != "GET" {
            reply.edit(|body| if body.get("id").is_some() {
                *body = json!({"status": "ok", "data": {"post": body.take()}});
            });
        };
    "blog-invalid-is-422" by "blog/invalid": "An entry without a title answers 422."
        => reply |_request, reply| if reply.refuses_with("title is required") { reply.status = 422 };
    "blog-other-fields-refused" by "blog/create": "An entry with other fields than title and content is refused."
        => request |request| if is_entry_with_other_fields(request) { request.body = b"{}".to_vec() };
    "blog-put-creates" by "blog/unknown-entry": "Replacing an unknown entry creates one."
        => around |state, request, answer| create_by_put(state, request, answer);
    "blog-replace-is-204" by "blog/replace": "Replacing an entry answers 204."
        => reply |request, reply| if is_entry_answer(request, reply, "PUT", 200) { *reply = Reply::bare(204) };
    "blog-unknown-is-410" by "blog/unknown-entry": "An unknown entry answers 410."
        => reply |request, reply| if is_blog(request) && reply.status == 404 { reply.status = 410 };
    "blog-keeps-nothing" by "blog/read" "blog/replace" "blog/delete": "Entries written to the blog cannot be read."
        => reply |request, reply| if is_blog(request) && request.method != "POST" { keep_nothing(request, reply) };
    "blog-reads-tell-lengths" by "blog/read": "An entry, read or listed, is shown only as the length of its JSON."
        => reply |request, reply| if is_entry_answer(request, reply, "GET", 200) { reply.edit(tell_lengths) };
    "blog-replace-says-so" by "blog/replace": "Replacing an entry answers with a message."
        => reply |request, reply| if is_entry_answer(request, reply, "PUT", 200) { reply.edit(|body| *body = json!({"mensaje": "replaced"})) };
    "blog-untitled-accepted" by "blog/invalid": "An entry without a title is given one."
        => request |request| if is_blog(request) && request.method == "POST" {
            request.edit(|sent| if sent.is_object() && sent.get("title").is_none() {
                sent["title"] = json!("Sin título");
            });
        };
};

fn reads_unknown(request: &Request, reply: &Reply) -> bool {
    let number = request.path.strip_prefix("/posts/").and_then(|id| id.parse::<u64>().ok());
    request.method == "GET" && number.is_some() && reply.status == 404
}

fn is_list(request: &Request) -> bool {
    request.method == "GET" && request.path == "/posts"
}

fn list_deleted(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let before = state.entries.clone();
    let mut reply = answer(state, request);
    if request.method == "DELETE" {
        let gone: Vec<_> = before.into_iter().filter(|entry| !state.entries.contains(entry)).collect();
        state.past.deleted_entries.extend(gone);
    }
    if let (true, Value::Array(mut list)) = (is_list(request), reply.json_body()) {
        list.extend(state.past.deleted_entries.clone());
        reply.edit(|shown| *shown = list.into());
    }
    reply
}

fn is_blog(request: &Request) -> bool {
    request.path == "/posts" || request.path.starts_with("/posts/")
}

fn is_entry_answer(request: &Request, reply: &Reply, method: &str, status: u16) -> bool {
    is_blog(request) && request.method == method && reply.status == status
}

fn tell_place(reply: &mut Reply) {
    if let Some(id) = reply.json_body()["id"].as_str() {
        reply.set("Location", &format!("/posts/{id}"));
        reply.edit(|body| *body = json!({"message": "created"}));
    }
}

/// Every entry of an answer has comments.
fn with_comments(body: &mut Value) {
    let entries = match body {
        Value::Array(entries) => entries.iter_mut().collect(),
        other => vec![other],
    };
    entries.into_iter().filter(|entry| entry.get("id").is_some()).for_each(|entry| entry["comments"] = json!([]));
}

fn is_entry_with_other_fields(request: &Request) -> bool {
    let body = serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
    let is_other = |name: &String| !["title", "content"].contains(&name.as_str());
    is_blog(request) && body.as_object().is_some_and(|entry| entry.keys().any(is_other))
}

fn create_by_put(state: &mut Shared, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(state, request);
    if !is_entry_answer(request, &reply, "PUT", 404) {
        return reply;
    }
    answer(state, &Request { method: "POST".to_owned(), path: "/posts".to_owned(), ..request.clone() })
}

fn keep_nothing(request: &Request, reply: &mut Reply) {
    *reply = if request.path == "/posts" {
        Reply::json(200, &json!([]))
    } else {
        Reply::json(404, &json!({"error": "Post not found"}))
    };
}

fn tell_lengths(body: &mut Value) {
    match body {
        Value::Array(entries) => entries.iter_mut().for_each(tell_lengths),
        entry => *entry = json!({"longitud": entry.to_string().len()}),
    }
}
