//! Answers of the demonstration interfaces: users and posts, GraphQL in both forms, the registration, the blog.

use serde_json::Value;

use crate::contract::violation::{Place, Want};
use crate::http::media_type;
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{Form, closed, is_text};
use crate::invariants::route::Route;

/// Judges an answer of a demonstration interface.
pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings) {
    let body = answer.json();
    match (answer.route, answer.status()) {
        (Route::ListUsers, 200) => each(answer, "users/list-array", user, found),
        (Route::ReadUser, 200) => user(body, "", "users/read-status", found),
        (Route::ListPosts, 200) => each(answer, "posts/shape", post, found),
        (Route::CreateUser, 201) => created(answer, found),
        (Route::UsersPreflight, 204) => preflight(answer, found),
        (Route::Graphql, 200) => {
            let is_result = body.is_some_and(|body| body.get("data").is_some() || body.get("errors").is_some());
            found.whole("graphql/data", is_result, "an object with data", answer.received);
        }
        (Route::Reduced, 200) => reduced(answer, found),
        (Route::ReducedPreflight, 204) => {
            let origin = "Access-Control-Allow-Origin";
            let is_there = answer.received.header(origin).is_some();
            found.header("graphql-reduced/options-cors", is_there, origin, Want::Present, answer.received);
            let methods = answer.received.header("Access-Control-Allow-Methods").unwrap_or_default();
            let names = |method: &str| methods.split(',').any(|given| given.trim().eq_ignore_ascii_case(method));
            let holds = names("POST") && names("OPTIONS");
            found.header(
                "graphql-reduced/options-cors",
                holds,
                "Access-Control-Allow-Methods",
                "POST, OPTIONS",
                answer.received,
            );
        }
        (Route::SignUp, 201) => signed_up(answer, found),
        (Route::SignUp, 400) => {
            let has_message = body.is_some_and(holds_a_text);
            found.whole("signup/error-body", has_message, "a message", answer.received);
        }
        (Route::ListEntries, 200) => {
            found.whole("blog/list", body.is_some(), "JSON", answer.received);
        }
        _ => {}
    }
    let is_of_users = matches!(
        answer.route,
        Route::ListUsers | Route::ReadUser | Route::ListPosts | Route::CreateUser | Route::UsersElsewhere
    );
    if is_of_users && answer.status() != 500 {
        let is_json = answer.received.header("Content-Type").is_some_and(|got| media_type::is_json(&got));
        found.header("users/content-type", is_json, "Content-Type", "application/json", answer.received);
    }
}

/// Whether it contains a text that is not empty.
fn holds_a_text(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(holds_a_text),
        Value::Object(members) => members.values().any(holds_a_text),
        other => is_text(other),
    }
}

type Judge = fn(Option<&Value>, &str, &'static str, &mut Findings);

fn each(answer: &Answer<'_>, rule: &'static str, judge: Judge, found: &mut Findings) {
    let items = answer.json().and_then(Value::as_array);
    found.whole(rule, items.is_some(), "an array", answer.received);
    for (index, item) in items.into_iter().flatten().enumerate() {
        judge(Some(item), &format!("/{index}"), rule, found);
    }
}

/// Further members are what a request stored, which is open.
fn user(value: Option<&Value>, place: &str, rule: &'static str, found: &mut Findings) {
    let at = |name: &str| value.and_then(|user| user.get(name));
    for name in ["id", "name"] {
        found.body(
            rule,
            at(name).is_some_and(is_text),
            &format!("{place}/{name}"),
            "a text that is not empty",
            at(name),
        );
    }
    found.body(rule, at("age").is_some_and(Value::is_number), &format!("{place}/age"), "a number", at("age"));
    found.body(rule, at("posts").is_none(), &format!("{place}/posts"), "absent", at("posts"));
}

fn post(value: Option<&Value>, place: &str, rule: &'static str, found: &mut Findings) {
    let text = Form::Where("a text", Value::is_string);
    closed(
        found,
        rule,
        place,
        value,
        &[("id", rule, Form::Text), ("title", rule, text), ("userId", "posts/owner", Form::Text)],
    );
}

fn created(answer: &Answer<'_>, found: &mut Findings) {
    let (rule, body) = ("users/create-body", answer.json());
    user(body, "", rule, found);
    let at = |name: &str| body.and_then(|body| body.get(name));
    let is_clock =
        at("id").and_then(Value::as_str).is_some_and(|id| id.len() >= 13 && id.bytes().all(|b| b.is_ascii_digit()));
    found.body("users/id-clock", is_clock, "/id", "milliseconds since 1970", at("id"));
    let Some(asked) = &answer.asked else { return };
    if let Some(name) = asked["name"].as_str().filter(|name| name.trim() == *name) {
        found.body(rule, at("name").and_then(Value::as_str) == Some(name), "/name", name, at("name"));
    }
    if let Some(age) = asked["age"].as_u64().filter(|age| *age < 200) {
        found.body(rule, at("age").and_then(Value::as_f64) == Some(age as f64), "/age", age.to_string(), at("age"));
    }
    let known = ["id", "name", "age"];
    if asked.as_object().is_some_and(|asked| asked.keys().all(|key| known.contains(&key.as_str()))) {
        let other =
            body.and_then(Value::as_object).and_then(|body| body.keys().find(|key| !known.contains(&key.as_str())));
        found.need(rule, other.is_none(), || {
            (Place::body(""), "id, name and age alone".into(), other.cloned().unwrap_or_default().into())
        });
    }
}

fn preflight(answer: &Answer<'_>, found: &mut Findings) {
    for row in [
        ("Access-Control-Allow-Origin", "*", "users/options-origin"),
        ("Access-Control-Allow-Methods", "GET,POST,OPTIONS", "users/options-methods"),
        ("Access-Control-Allow-Headers", "Content-Type", "users/options-headers"),
    ] {
        let got = answer.received.values(row.0);
        let holds = !got.is_empty() && got.iter().all(|got| crate::http::listed_values::same(got, row.1));
        found.header(row.2, holds, row.0, row.1, answer.received);
        found.header(
            "users/options-spelling",
            !holds || got.iter().all(|got| got == row.1),
            row.0,
            row.1,
            answer.received,
        );
    }
    let body = &answer.received.body;
    found.whole("users/options-status", body.is_empty(), "none", answer.received);
}

/// `data` alone: a list of users, a user or null, each with fields of the form that their types have.
fn reduced(answer: &Answer<'_>, found: &mut Findings) {
    let rule = "graphql-reduced/users-list";
    let Some(body) = answer.json() else {
        return found.whole(rule, false, "JSON", answer.received);
    };
    let data = Form::Where("a list, an object or null", |data| data.is_array() || data.is_object() || data.is_null());
    closed(found, rule, "", Some(body), &[("data", rule, data)]);
    let users = match body.get("data") {
        Some(Value::Array(users)) => users.iter().collect(),
        Some(user @ Value::Object(_)) => vec![user],
        _ => Vec::new(),
    };
    for user in users {
        let forms = [
            ("id", Form::Text),
            ("name", Form::Text),
            ("age", Form::Number),
            ("posts", Form::Where("a list", Value::is_array)),
        ];
        let members: Vec<_> = forms.iter().map(|(name, form)| (format!("{name}?"), *form)).collect();
        let members: Vec<_> =
            members.iter().map(|(name, form)| (name.as_str(), "graphql-reduced/fields", *form)).collect();
        closed(found, "graphql-reduced/fields", "/data", Some(user), &members);
    }
}

/// The e-mail, an identifier under some key, and nothing of the password.
fn signed_up(answer: &Answer<'_>, found: &mut Findings) {
    let body = answer.json();
    let members = body.and_then(Value::as_object);
    let email = answer.asked_text("email");
    let is_email = |value: &Value| {
        value
            .as_str()
            .is_some_and(|got| email.map_or(got.contains('@'), |email| got.trim().eq_ignore_ascii_case(email.trim())))
    };
    let has_email = members.is_some_and(|members| {
        members.values().any(is_email)
            || members.values().filter_map(Value::as_object).any(|inner| inner.values().any(is_email))
    });
    found.body("signup/success", has_email, "", "the e-mail of the request", body);
    let is_identifier =
        |value: &Value| value.is_u64() || value.as_str().is_some_and(|text| !text.is_empty() && text.len() <= 64);
    let others =
        |members: &serde_json::Map<String, Value>| members.values().filter(|value| !is_email(value)).any(is_identifier);
    let has_one =
        members.is_some_and(|members| others(members) || members.values().filter_map(Value::as_object).any(others));
    found.body("signup/success", has_one, "", "an identifier beside the e-mail", body);
    if let Some(password) = answer.asked_text("password").filter(|password| password.len() >= 8) {
        let is_unseen = !answer.received.text().contains(password);
        found.whole("signup/password-unseen", is_unseen, "no password", answer.received);
    }
}
