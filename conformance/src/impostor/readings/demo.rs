//! Permitted readings other than the reference's: the demonstration interfaces.

use libros_conformance_model::demo::users::{age, name};
use libros_conformance_model::records::Demo;
use libros_conformance_model::refusals::NO_QUERY;
use serde_json::{Value, json};

use crate::impostor::effect::prelude::*;

pub(crate) const READINGS: &[Variation] = variations! {
    "blog-create-is-200" by "blog/create": "Creating an entry answers 200."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) { reply.status = 200 };
    "blog-create-shows-no-entry" by "blog/create": "Creating an entry answers with a message, and says in Location where it is."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) { tell_place(reply) };
    "blog-create-is-bare" by "blog/create": "Creating an entry answers 201 with its Location and no body."
        => reply |request, reply| if is_entry_answer(request, reply, "POST", 201) {
            tell_place(reply);
            reply.body.clear();
            reply.remove("Content-Type");
        };
    "blog-delete-is-idempotent" by "blog/unknown-entry": "Deleting an unknown entry counts as done."
        => reply |request, reply| if is_entry_answer(request, reply, "DELETE", 404) { *reply = Reply::bare(204) };
    "blog-delete-says-so" by "blog/delete": "Deleting an entry answers 200 with JSON."
        => reply |request, reply| if is_entry_answer(request, reply, "DELETE", 204) { *reply = deleted() };
    "blog-entries-have-more-fields" by silence: "An entry has further fields."
        => reply |request, reply| if is_blog(request) { reply.edit(with_comments) };
    "blog-entries-within-data" by "blog/create" "blog/replace": "A written entry is wrapped in two objects."
        => reply |request, reply| if is_blog(request) && request.method != "GET" { reply.edit(within_data) };
    "blog-invalid-is-422" by "blog/invalid": "An entry without a title answers 422."
        => reply |_request, reply| if reply.refuses_with("title is required") { reply.status = 422 };
    "blog-other-fields-refused" by "blog/create": "An entry with other fields than title and content is refused."
        => request |request| if is_entry_with_other_fields(request) { request.body = b"{}".to_vec() };
    "blog-put-creates" by "blog/unknown-entry": "Replacing an unknown entry creates one."
        => around |held, request, answer| create_by_put(held, request, answer);
    "blog-replace-is-204" by "blog/replace": "Replacing an entry answers 204."
        => reply |request, reply| if is_entry_answer(request, reply, "PUT", 200) { *reply = Reply::bare(204) };
    "blog-unknown-is-410" by "blog/unknown-entry": "An unknown entry answers 410."
        => reply |request, reply| if is_blog(request) && reply.status == 404 { reply.status = 410 };
    "demo-data-shared" by "graphql/own-data": "The demonstration interfaces share one collection."
        => steps |s| s.demo.age = whole_age
        => around |held, request, answer| share(held, request, answer, |shared, other| *other = shared.clone());
    "demo-users-shared" by "graphql/own-data": "The demonstration interfaces share their users, and each has posts of its own."
        => steps |s| s.demo.age = whole_age
        => start |state| title_by_query(state)
        => around |held, request, answer| share(held, request, answer, |shared, other| other.users.clone_from(&shared.users));
    "demo-keys-in-any-case" by "users/key-case" "signup/key-case" "graphql-reduced/key-case": "Keys of a new user, a registration and a query are read in any letter case."
        => request |request| if matches!(request.path.as_str(), "/users" | "/api/users/register" | "/graphql") { lower_keys(request, &["name", "age", "email", "password", "query"]) };
    "graphql-errors-are-200" by "graphql/query-error": "Errors of a query answer 200."
        => reply |request, reply| if has_errors(request, reply) { reply.status = 200 };
    "graphql-extensions" by "graphql/extra-keys": "Answers have extensions."
        => reply |request, reply| if of_graphql(request) && reply.status == 200 && !reply.json_body()["data"].is_null() { reply.edit(|body| body["extensions"] = json!({})) };
    "graphql-no-posts-is-null" by "graphql/posts-empty": "A user without posts has null."
        => reply |request, reply| if of_graphql(request) { reply.edit(null_empty_posts) };
    "graphql-query-coerced" by "graphql/unreadable-request": "A query that is a list of one text is that text."
        => request |request| if of_graphql(request) { request.edit(coerce_query) };
    "graphql-unreadable-as-200" by "graphql/unreadable-request": "A request without a query answers 200 with a list of errors."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = Reply::json(200, &json!({"errors": [{"message": "no query"}]})) };
    "graphql-unreadable-is-empty" by "graphql/unreadable-request": "A request without a query answers 200 with data null."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = without_data() };
    "graphql-errors-are-422" by "graphql/query-error": "Errors of a query answer 422."
        => reply |request, reply| if has_errors(request, reply) { reply.status = 422 };
    "graphql-beyond-measure-is-422" by "graphql/limits": "A query of thousands of levels answers 422."
        => reply |request, reply| if reply.status == 400 && request.path == "/graphql" && request.body.iter().filter(|byte| **byte == b'{').count() > 4_000 { reply.status = 422 };
    "blog-keeps-nothing" by "blog/read" "blog/replace" "blog/delete": "Nothing that is written to the blog can be read."
        => reply |request, reply| if is_blog(request) && request.method != "POST" { keep_nothing(request, reply) };
    "blog-reads-tell-lengths" by "blog/read": "A read entry shows its length alone."
        => reply |request, reply| if is_entry_answer(request, reply, "GET", 200) { reply.edit(tell_lengths) };
    "blog-replace-says-so" by "blog/replace": "Replacing an entry answers with a message."
        => reply |request, reply| if is_entry_answer(request, reply, "PUT", 200) { reply.edit(|body| *body = json!({"mensaje": "replaced"})) };
    "blog-untitled-accepted" by "blog/invalid": "An entry without a title gets one."
        => request |request| if is_blog(request) && request.method == "POST" { request.edit(give_title) };
    "demo-trailing-slash-refused" by "users/wrong-method": "A slash at the end of a path is refused."
        => reply |request, reply| if request.path.starts_with("/users") && request.path.ends_with('/') && reply.status == 404 { reply.status = 400 };
    "signup-lists-errors" by "signup/error-body": "A refused registration has a list of errors."
        => reply |request, reply| if is_signup(request) && reply.status == 400 { reply.edit(|body| *body = json!({"errors": [{"msg": body["error"]}]})) };
    "graphql-unreadable-as-errors" by "graphql/unreadable-request": "A request without a query answers with a list of errors."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = Reply::json(400, &json!({"errors": [{"message": "no query"}]})) };
    "graphql-errors-are-empty" by "graphql/query-error" "graphql/request-extras": "A query that does not fit answers 200 with data null, and no errors."
        => reply |request, reply| if request.path == "/graphql" && reply.status == 400 && reply.json_body()["errors"].is_array() { *reply = without_data() };
    "graphql-introspection-off" by "graphql/request-extras": "Introspection is refused."
        => request |request| if of_graphql(request) { request.edit(|sent| edit_text(&mut sent["query"], |query| query.replace("__schema", "__off"))) };
    "graphql-variables-ignored" by "graphql/request-extras": "Variables are ignored."
        => request |request| if of_graphql(request) { request.edit(|sent| drop_key(sent, "variables")) };
    "graphql-wrong-method-is-405" by "graphql/other-path-or-method": "Another method answers 405."
        => reply |request, reply| if is_wrong_method(request, reply) { reply.status = 405 };
    "graphql-get-refused" by "graphql/other-path-or-method": "GET is unknown, with a query too."
        => reply |request, reply| if of_graphql(request) && request.method == "GET" { *reply = not_found() };
    "graphql-served-under-every-path" by "graphql/other-path-or-method": "Queries are served under every path."
        => request |request| if of_graphql(request) && request.method == "POST" { request.path = "/graphql".to_owned() };
    "graphql-get-shows-a-page" by "graphql/other-path-or-method": "GET shows a page for people."
        => reply |request, reply| if of_graphql(request) && request.is("GET", "/graphql") { *reply = page() };
    "graphql-options-is-400" by "graphql/other-path-or-method": "OPTIONS answers 400."
        => reply |request, reply| if of_graphql(request) && request.method == "OPTIONS" { reply.status = 400 };
    "reduced-options-elsewhere-is-404" by "graphql-reduced/options-other-path": "OPTIONS on another path answers 404."
        => reply |request, reply| if of_reduced(request) && request.method == "OPTIONS" && request.path != "/graphql" { *reply = not_found() };
    "reduced-slash-passed-over" by "graphql-reduced/trailing-slash": "A slash after the path is passed over."
        => request |request| if request.path == REDUCED_SLASH { request.path = "/graphql".to_owned() };
    "reduced-slash-redirects" by "graphql-reduced/trailing-slash": "The path with a slash after it redirects to the path."
        => reply |request, reply| if request.path == REDUCED_SLASH && reply.status == 404 {
            reply.status = 308;
            reply.set("Location", "/graphql");
        };
    "reduced-slash-is-400" by "graphql-reduced/trailing-slash": "The path with a slash after it is a bad request."
        => reply |request, reply| if request.path == REDUCED_SLASH && reply.status == 404 { reply.status = 400 };
    "reduced-plain-spelling-only" by "graphql-reduced/spelling": "A query starts with a brace and spells the id as a text."
        => request |request| if of_reduced(request) && !is_spelled_plainly(&query(request)) { request.edit(|sent| sent["query"] = json!("")) };
    "reduced-posts-in-user-only" by "graphql-reduced/posts-in-users": "posts is unknown inside users."
        => request |request| if of_reduced(request) && query(request).contains("users") && query(request).contains("posts") { request.edit(|sent| sent["query"] = json!("")) };
    "reduced-repeated-fields-refused" by "graphql-reduced/spelling": "A field named twice is refused."
        => request |request| if of_reduced(request) && ["name", "age"].iter().any(|name| query(request).matches(name).count() > 1) { request.edit(|sent| sent["query"] = json!("")) };
    "signup-says-message" by "signup/error-body": "A refused registration says message."
        => reply |request, reply| if is_signup(request) && reply.status == 400 { reply.edit(|body| rename(body, "error", "message")) };
    "signup-says-user-id" by silence: "The identifier is called userId."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(|body| rename(body, "id", "userId")) };
    "signup-says-identifier" by silence: "The identifier is called identificador, beside a message."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(with_identifier) };
    "signup-says-user-id-outside" by silence: "The identifier is called user_id, beside an object of the user."
        => reply |request, reply| if is_signup(request) && reply.status == 201 { reply.edit(with_identifier_outside) };
    "signup-wants-a-digit" by "signup/validity": "A password has ten characters and a digit."
        => steps |s| s.demo.takes_signup_password = password_with_digit;
    "age-whole-only" by "users/age-range": "An age is a whole number from 0."
        => steps |s| s.demo.age = whole_age;
    "age-cut" by "users/age-range": "A fraction of an age is cut off."
        => steps |s| s.demo.age = |sent| age(sent).map(|age| json!(age.as_f64().unwrap_or_default().trunc() as i64));
    "blank-name-refused" by "users/name-spaces": "A name of nothing but spaces is refused."
        => steps |s| s.demo.name = name_not_blank;
    "clock-ids-may-repeat" by silence: "Two users of one millisecond have the same id."
        => steps |s| s.demo.free_number = |number, _| number;
    "clock-ids-replace" by silence: "Of two users of one millisecond the later one takes the place of the first."
        => steps |s| s.demo.free_number = |number, _| number
        => after |held, request, _reply| replace_same_ids(held, request);
    "clock-ids-of-registrations" by silence: "Identifiers of registrations are the clock in milliseconds; the later one of a millisecond takes the place of the first."
        => steps |s| {
            s.demo.new_signup_number = |now, _| now;
            s.demo.free_number = |number, _| number;
        }
        => after |held, request, _reply| replace_same_ids(held, request);
    "cors-on-every-users-answer" by silence: "Every answer of the users interface names the allowed origin."
        => reply |request, reply| if request.interface == Interface::Users { reply.set("Access-Control-Allow-Origin", "*") };
    "demo-starts-empty" by silence: "There are no users and posts at the start."
        => start |state| (state.users_demo, state.graphql_demo, state.graphql_reduced_demo) = Default::default();
    "demo-trailing-slash-passes" by "users/wrong-method": "A slash at the end of a path is passed over."
        => request |request| if request.path.starts_with("/users/") { request.path = request.path.trim_end_matches('/').to_owned() };
    "demo-wrong-method-is-405" by "users/wrong-method": "A known path answers 405 to another method."
        => reply |request, reply| if request.interface == Interface::Users && reply.status == 404 && !reply.refuses_with("User not found") && is_users_path(&request.path) { reply.status = 405 };
    "extra-user-fields-stored" by "users/extra-fields": "Other fields of a user are stored."
        => after |held, request, reply| if request.is("POST", "/users") && reply.status == 201 { keep_other_fields(held, request, reply) };
};

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

fn give_title(sent: &mut Value) {
    if sent.is_object() && sent.get("title").is_none() {
        sent["title"] = json!("Sin título");
    }
}

fn is_blog(request: &Request) -> bool {
    request.path == "/posts" || request.path.starts_with("/posts/")
}

fn is_entry_answer(request: &Request, reply: &Reply, method: &str, status: u16) -> bool {
    is_blog(request) && request.method == method && reply.status == status
}

fn is_entry_with_other_fields(request: &Request) -> bool {
    let body = serde_json::from_slice::<Value>(&request.body).unwrap_or_default();
    let is_other = |name: &String| !["title", "content"].contains(&name.as_str());
    is_blog(request) && body.as_object().is_some_and(|entry| entry.keys().any(is_other))
}

/// The GraphQL path with a slash after it; only the reduced endpoint is asked under it.
const REDUCED_SLASH: &str = "/graphql/";

fn tell_place(reply: &mut Reply) {
    if let Some(id) = reply.json_body()["id"].as_str() {
        reply.set("Location", &format!("/posts/{id}"));
        reply.edit(|body| *body = json!({"message": "created"}));
    }
}

fn within_data(body: &mut Value) {
    if body.get("id").is_some() {
        *body = json!({"status": "ok", "data": {"post": body.take()}});
    }
}

fn deleted() -> Reply {
    Reply::json(200, &json!({"mensaje": "deleted"}))
}

/// Every entry of an answer has comments.
fn with_comments(body: &mut Value) {
    let entries = match body {
        Value::Array(entries) => entries.iter_mut().collect(),
        other => vec![other],
    };
    entries.into_iter().filter(|entry| entry.get("id").is_some()).for_each(|entry| entry["comments"] = json!([]));
}

fn is_signup(request: &Request) -> bool {
    request.method == "POST" && request.path == "/api/users/register"
}

fn rename(body: &mut Value, from: &str, to: &str) {
    let fields = body.as_object_mut().map(std::mem::take).unwrap_or_default();
    *body = fields.into_iter().map(|(name, value)| (if name == from { to.to_owned() } else { name }, value)).collect();
}

fn with_identifier(body: &mut Value) {
    rename(body, "id", "identificador");
    body["mensaje"] = json!("Registered");
}

fn with_identifier_outside(body: &mut Value) {
    // Another reading may have called it otherwise.
    if let Some(id) = body.get("id") {
        *body = json!({"user_id": id, "user": {"email": body["email"]}});
    }
}

fn password_with_digit(sent: Option<&Value>) -> bool {
    let has_digit = |password: &str| password.len() >= 10 && password.bytes().any(|b| b.is_ascii_digit());
    sent.and_then(Value::as_str).is_some_and(has_digit)
}

fn whole_age(sent: Option<&Value>) -> Option<Value> {
    let is_whole = |age: &Value| age.as_f64().is_some_and(|age| age >= 0.0 && age.fract() == 0.0);
    age(sent).filter(is_whole)
}

fn name_not_blank(sent: Option<&Value>) -> Option<Value> {
    name(sent).filter(|name| name.as_str().is_some_and(|name| !name.trim().is_empty()))
}

fn create_by_put(held: &mut Held, request: &Request, answer: &Answer<'_>) -> Reply {
    let reply = answer(held, request);
    if !is_entry_answer(request, &reply, "PUT", 404) {
        return reply;
    }
    answer(held, &Request { method: "POST".to_owned(), path: "/posts".to_owned(), ..request.clone() })
}

/// Gives the other interfaces what this one has after each answer.
fn share(held: &mut Held, request: &Request, answer: &Answer<'_>, give: fn(&Demo, &mut Demo)) -> Reply {
    let reply = answer(held, request);
    if request.interface != Interface::Catalogue {
        let shared = held.demo(request.interface).clone();
        let interfaces = [Interface::Users, Interface::Graphql, Interface::GraphqlReduced];
        interfaces.into_iter().for_each(|interface| give(&shared, held.demo(interface)));
    }
    reply
}

fn title_by_query(state: &mut State) {
    for interface in [Interface::Graphql, Interface::GraphqlReduced] {
        let posts = state.demo(interface).posts.iter_mut();
        posts.for_each(|post| post["title"] = format!("{}, by query", post["title"]).into());
    }
}

/// Whether a GraphQL query did not fit.
fn has_errors(request: &Request, reply: &Reply) -> bool {
    of_graphql(request) && reply.status == 400 && reply.json_body()["errors"].is_array()
}

fn null_empty_posts(body: &mut Value) {
    match body {
        Value::Array(items) => items.iter_mut().for_each(null_empty_posts),
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::Array(posts) if name == "posts" && posts.is_empty() => *value = Value::Null,
                    other => null_empty_posts(other),
                }
            }
        }
        _ => {}
    }
}

fn coerce_query(sent: &mut Value) {
    if let Some([only]) = sent["query"].as_array().map(Vec::as_slice) {
        sent["query"] = only.clone();
    }
}

fn not_found() -> Reply {
    Reply::json(404, &json!({"error": "Not found"}))
}

fn is_wrong_method(request: &Request, reply: &Reply) -> bool {
    of_graphql(request) && request.path == "/graphql" && reply.status == 404
}

fn page() -> Reply {
    let mut page = Reply::plain(200, "<!doctype html><title>GraphiQL</title>");
    page.set("Content-Type", "text/html; charset=utf-8");
    page
}

/// Whether a query starts with a brace and has no number as an id.
fn is_spelled_plainly(query: &str) -> bool {
    let id = query.split_once("id:").map_or("", |(_, rest)| rest.trim_start());
    query.trim_start().starts_with('{') && !id.starts_with(|c: char| c.is_ascii_digit())
}

/// Of users and registrations of one id the later takes the place of the earlier.
fn replace_same_ids(held: &mut Held, request: &Request) {
    let users = &mut held.demo(request.interface).users;
    if let Some(last) = users.pop() {
        users.retain(|user| user["id"] != last["id"]);
        users.push(last);
    }
    if let Some(last) = held.signups.pop() {
        held.signups.retain(|(id, _)| *id != last.0);
        held.signups.push(last);
    }
}

/// Whether users are at the path, or their posts.
fn is_users_path(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    matches!(segments.as_slice(), ["users"] | ["users", _] | ["users", _, "posts"])
}

fn keep_other_fields(held: &mut Held, request: &Request, reply: &mut Reply) {
    let sent = request.json_body();
    let Some(user) = held.users_demo.users.last_mut() else { return };
    for (name, value) in sent.as_object().into_iter().flatten() {
        if user.get(name).is_none() {
            user[name] = value.clone();
        }
    }
    reply.edit(|shown| *shown = user.clone());
}
