//! Answers of the demonstration interfaces: users and posts, GraphQL in both forms, the registration, the blog.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::contract::violation::{Place, Want};
use crate::invariants::answer::{Answer, Findings};
use crate::invariants::form::{Form, closed, holds_a_text, is_text};
use crate::invariants::route::Route;

pub(super) fn judge(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let body = answer.json();
    match (answer.route, answer.status()) {
        (Route::ListUsers, 200) => each(answer, "users/list-array", user, found),
        (Route::ReadUser, 200) => user(body, "", "users/read-status", found),
        (Route::ListPosts, 200) => posts(answer, found),
        (Route::CreateUser, 201) => created(answer, found),
        (Route::UsersPreflight, 204) => preflight(answer, found),
        (Route::Graphql, 200) => {
            let is_result = body.is_some_and(|body| body.get("data").is_some() || body.get("errors").is_some());
            found.whole("graphql/data", is_result, "an object with data or errors");
        }
        (Route::Reduced, 200) => reduced(answer, found),
        (Route::ReducedPreflight, 204) => {
            let rule = "graphql-reduced/options-cors";
            let [origin, methods] = ["Access-Control-Allow-Origin", "Access-Control-Allow-Methods"];
            found.header(rule, answer.received.header(origin).is_some(), origin, Want::Present);
            let given = answer.received.header(methods).unwrap_or_default();
            let names = |method: &str| given.split(',').any(|given| given.trim().eq_ignore_ascii_case(method));
            found.header(rule, names("POST") && names("OPTIONS"), methods, "POST, OPTIONS");
        }
        (Route::SignUp, 201) => signed_up(answer, found),
        (Route::SignUp, 400) => found.whole("signup/error-body", body.is_some_and(holds_a_text), "a message"),
        (Route::ListEntries, 200) => found.whole("blog/list", body.is_some(), "JSON"),
        _ => {}
    }
    let is_of_users = (Route::ListUsers..=Route::UsersElsewhere).contains(&answer.route);
    if is_of_users && answer.status() != 500 {
        found.json_type("users/content-type");
    }
}

type Judge = fn(Option<&Value>, &str, &'static str, &mut Findings<'_>);

fn each(answer: &Answer<'_>, rule: &'static str, judge: Judge, found: &mut Findings<'_>) {
    let items = answer.json().and_then(Value::as_array);
    found.whole(rule, items.is_some(), "an array");
    for (index, item) in items.into_iter().flatten().enumerate() {
        judge(Some(item), &format!("/{index}"), rule, found);
    }
}

/// Judges a user. Further members are open: requests stored them.
fn user(value: Option<&Value>, place: &str, rule: &'static str, found: &mut Findings<'_>) {
    let at = |name: &str| value.and_then(|user| user.get(name));
    for name in ["id", "name"] {
        found.body(rule, at(name).is_some_and(is_text), &format!("{place}/{name}"), "a text that is not empty");
    }
    found.body(rule, at("age").is_some_and(Value::is_number), &format!("{place}/age"), "a number");
    found.body(rule, at("posts").is_none(), &format!("{place}/posts"), "absent");
}

fn posts(answer: &Answer<'_>, found: &mut Findings<'_>) {
    each(answer, "posts/shape", post, found);
    let posts = answer.json().and_then(Value::as_array).into_iter().flatten();
    // An id of other characters may be spelled in several ways in the path.
    let owner = answer.sent.path_below_prefix().split('/').nth(2).unwrap_or_default();
    if owner.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        let is_own = |post: &Value| post["userId"].as_str().is_none_or(|id| id == owner);
        let other = posts.clone().find(|post| !is_own(post));
        found.need("posts/owner", other.is_none(), || {
            (Place::body("").of("userId"), owner.into(), other.cloned().unwrap_or_default().into())
        });
    }
    let ids: Vec<&str> = posts.filter_map(|post| post["id"].as_str()).collect();
    let is_once = ids.iter().collect::<BTreeSet<_>>().len() == ids.len();
    found.need("posts/listed-once", is_once, || {
        (Place::body(""), "posts of different ids".into(), ids.join(", ").into())
    });
}

fn post(value: Option<&Value>, place: &str, rule: &'static str, found: &mut Findings<'_>) {
    let text = Form::Where("a text", Value::is_string);
    let members = [("id", rule, Form::Text), ("title", rule, text), ("userId", "posts/owner", Form::Text)];
    closed(found, rule, place, value, &members);
}

fn created(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let (rule, body) = ("users/create-body", answer.json());
    user(body, "", rule, found);
    let at = |name: &str| body.and_then(|body| body.get(name));
    let is_clock =
        at("id").and_then(Value::as_str).is_some_and(|id| id.len() >= 13 && id.bytes().all(|b| b.is_ascii_digit()));
    found.body("users/id-clock", is_clock, "/id", "milliseconds since 1970");
    let Some(asked) = &answer.asked else { return };
    // Other values may be trimmed or refused.
    if let Some(name) = asked["name"].as_str().filter(|name| name.trim() == *name) {
        found.body(rule, at("name").and_then(Value::as_str) == Some(name), "/name", name);
    }
    if let Some(age) = asked["age"].as_u64().filter(|age| *age < 200) {
        found.body(rule, at("age").and_then(Value::as_f64) == Some(age as f64), "/age", age.to_string());
    }
    let is_known = |key: &&String| ["id", "name", "age"].contains(&key.as_str());
    if asked.as_object().is_some_and(|asked| asked.keys().all(|key| is_known(&key))) {
        let other = body.and_then(Value::as_object).and_then(|body| body.keys().find(|key| !is_known(key)));
        found.need(rule, other.is_none(), || {
            (Place::body(""), "id, name and age alone".into(), other.cloned().unwrap_or_default().into())
        });
    }
}

fn preflight(answer: &Answer<'_>, found: &mut Findings<'_>) {
    for (name, want, rule) in [
        ("Access-Control-Allow-Origin", "*", "users/options-origin"),
        ("Access-Control-Allow-Methods", "GET,POST,OPTIONS", "users/options-methods"),
        ("Access-Control-Allow-Headers", "Content-Type", "users/options-headers"),
    ] {
        let got = answer.received.values(name);
        let holds = answer.received.header_is(name, want);
        found.header(rule, holds, name, want);
        found.header("users/options-spelling", !holds || got.iter().all(|got| got == want), name, want);
    }
    found.whole("users/options-status", answer.received.body.is_empty(), "none");
}

/// The body has only `data`: a list of users, a user, or null; each field has the form of its type.
fn reduced(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let rule = "graphql-reduced/users-list";
    let Some(body) = answer.json() else { return found.whole(rule, false, "JSON") };
    let data = Form::Where("a list, an object or null", |data| data.is_array() || data.is_object() || data.is_null());
    closed(found, rule, "", Some(body), &[("data", rule, data)]);
    let users = match body.get("data") {
        Some(Value::Array(users)) => users.iter().enumerate().map(|(at, user)| (format!("/data/{at}"), user)).collect(),
        Some(user @ Value::Object(_)) => vec![("/data".to_owned(), user)],
        _ => Vec::new(),
    };
    for (place, user) in users {
        let rule = "graphql-reduced/fields";
        let members = [
            ("id?", rule, Form::Text),
            ("name?", rule, Form::Text),
            ("age?", rule, Form::Number),
            ("posts?", rule, Form::Where("a list", Value::is_array)),
        ];
        closed(found, rule, &place, Some(user), &members);
    }
}

/// The body has the e-mail, an identifier under any key, and no password.
fn signed_up(answer: &Answer<'_>, found: &mut Findings<'_>) {
    let body = answer.json();
    let email = answer.asked_text("email").map(str::trim);
    let is_email = |text: &str| email.map_or(text.contains('@'), |email| text.trim().eq_ignore_ascii_case(email));
    let is_email = |value: &Value| value.as_str().is_some_and(is_email);
    // All members of the body, and of the objects in it.
    let members = |of: &'_ Value| of.as_object().map(|of| of.values().cloned().collect::<Vec<_>>()).unwrap_or_default();
    let outer = body.map(members).unwrap_or_default();
    let all: Vec<Value> = outer.iter().flat_map(members).chain(outer.iter().cloned()).collect();
    found.body("signup/success", all.iter().any(is_email), "", "the e-mail of the request");
    let is_short = |text: &str| !text.is_empty() && text.len() <= 64;
    let is_identifier = |value: &&Value| value.is_u64() || value.as_str().is_some_and(is_short);
    let has_one = all.iter().filter(is_identifier).any(|value| !is_email(value));
    found.body("signup/success", has_one, "", "an identifier beside the e-mail");
    // A shorter one may be part of another text by chance.
    if let Some(password) = answer.asked_text("password").filter(|password| password.len() >= 8) {
        let is_unseen = !answer.received.text().contains(password);
        found.whole("signup/password-unseen", is_unseen, "no password");
    }
}
