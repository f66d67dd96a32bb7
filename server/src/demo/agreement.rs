//! The interfaces asked for the same things, beside each other: REST, full GraphQL and the reduced variant start from the
//! same users, so they must agree. Tests alone.

use std::fmt::Write as _;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::graphql::Graphql;
use super::graphql_reduced::GraphqlReduced;
use super::rest::Rest;
use crate::clock::Clock;
use crate::message::{Interface, Reply, Request};

/// Runs a future that never waits.
pub(super) fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("an interface without a store waited for something"),
    }
}

/// A request with a JSON body.
pub(super) fn request(method: Method, path: &str, body: &str) -> Request {
    Request {
        method,
        path: path.to_owned(),
        query: None,
        headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]),
        body: Bytes::copy_from_slice(body.as_bytes()),
        peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
    }
}

fn graphql(interface: &impl Interface, query: &str) -> (u16, Value) {
    let body = json!({ "query": query }).to_string();
    told(&at_once(interface.answer(&request(Method::POST, "/graphql", &body))))
}

fn rest(path: &str) -> Value {
    told(&at_once(Rest::new(Clock::new()).answer(&request(Method::GET, path, "")))).1
}

fn told(reply: &Reply) -> (u16, Value) {
    (reply.status.as_u16(), serde_json::from_slice(&reply.body).expect("every body is JSON"))
}

/// A choice of fields of a user.
#[derive(Debug, Clone)]
struct Wanted {
    fields: Vec<&'static str>,
    post_field: Option<&'static str>,
}

impl Wanted {
    fn text(&self) -> String {
        let mut text = format!("{{ {} ", self.fields.join(" "));
        if let Some(field) = self.post_field {
            let _ = write!(text, "posts {{ {field} }} ");
        }
        text + "}"
    }

    /// What the REST interface says of a user, cut down to the choice.
    fn of(&self, user: &Value) -> Value {
        let mut own: Map<String, Value> =
            self.fields.iter().map(|field| ((*field).to_owned(), user[*field].clone())).collect();
        if let Some(field) = self.post_field {
            let posts = rest(&format!("/users/{}/posts", user["id"].as_str().expect("a text")));
            let cut = |post: &Value| json!({ field: post[field] });
            own.insert("posts".to_owned(), posts.as_array().expect("a list").iter().map(cut).collect());
        }
        Value::Object(own)
    }
}

fn wanted() -> impl Strategy<Value = Wanted> {
    let fields = prop::sample::subsequence(vec!["id", "name", "age"], 1..=3).prop_shuffle();
    let post_field = prop::option::of(prop::sample::select(vec!["id", "title"]));
    (fields, post_field).prop_map(|(fields, post_field)| Wanted { fields, post_field })
}

proptest! {
    #[test]
    fn users_are_the_same_everywhere(wanted in wanted()) {
        let query = format!("{{ users {} }}", wanted.text());
        let by_rest: Value = rest("/users").as_array().expect("a list").iter().map(|user| wanted.of(user)).collect();
        prop_assert_eq!(graphql(&Graphql::new(Clock::new()), &query), (200, json!({ "data": { "users": by_rest } })));
        prop_assert_eq!(graphql(&GraphqlReduced::new(), &query), (200, json!({ "data": by_rest })));
    }

    #[test]
    fn one_user_is_the_same_everywhere(wanted in wanted(), id in 1..=4) {
        let query = format!("query One {{ user(id: \"{id}\") {} }}", wanted.text());
        let found = rest(&format!("/users/{id}"));
        let by_rest = if found["error"].is_null() { wanted.of(&found) } else { Value::Null };
        prop_assert_eq!(graphql(&Graphql::new(Clock::new()), &query), (200, json!({ "data": { "user": by_rest } })));
        prop_assert_eq!(graphql(&GraphqlReduced::new(), &query), (200, json!({ "data": by_rest })));
    }

    #[test]
    fn any_text_gets_an_answer(pieces in prop::collection::vec(piece(), 0..60)) {
        let text = pieces.concat();
        for (status, body) in [graphql(&Graphql::new(Clock::new()), &text), graphql(&GraphqlReduced::new(), &text)] {
            prop_assert!(status == 200 || status == 400, "{}: {}", status, text);
            prop_assert!(body["data"].is_null() || body["error"].is_null());
        }
    }

    #[test]
    fn what_the_reduced_variant_takes_the_full_one_takes_too(wanted in wanted(), slip in slip()) {
        let text = slip.made_in(&format!("query One {{ user ( id: 2 ) {} }}", wanted.text()));
        let (status, reduced) = graphql(&GraphqlReduced::new(), &text);
        let (full_status, full) = graphql(&Graphql::new(Clock::new()), &text);
        if status == 200 {
            let data = &full["data"];
            prop_assert_eq!(full_status, 200, "{}", text);
            prop_assert!(data["user"] == reduced["data"] || data["users"] == reduced["data"], "{}", text);
        }
    }
}

/// A small change of a query, at some word of it.
#[derive(Debug, Clone)]
enum Slip {
    Forgotten(prop::sample::Index),
    Doubled(prop::sample::Index),
    Replaced(prop::sample::Index, String),
}

fn slip() -> impl Strategy<Value = Slip> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        place().prop_map(Slip::Forgotten),
        place().prop_map(Slip::Doubled),
        (place(), piece()).prop_map(|(place, piece)| Slip::Replaced(place, piece)),
    ]
}

impl Slip {
    fn made_in(&self, query: &str) -> String {
        let mut words: Vec<&str> = query.split(' ').collect();
        match self {
            Self::Forgotten(place) => drop(words.remove(place.index(words.len()))),
            Self::Doubled(place) => {
                let at = place.index(words.len());
                words.insert(at, words[at]);
            }
            Self::Replaced(place, piece) => {
                let at = place.index(words.len());
                words[at] = piece;
            }
        }
        words.join(" ")
    }
}

/// Something a query may be made of.
fn piece() -> impl Strategy<Value = String> {
    let words = vec![
        "users",
        "user",
        "(id:1)",
        "(id:\"2\")",
        "{id}",
        "{name age}",
        "{posts{id}}",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        "\"",
        "\"\"\"",
        "\\",
        "#",
        "\n",
        " ",
        "...",
        "...F",
        "@skip(if:true)",
        "$a",
        "!",
        "query",
        "mutation",
        "fragment F on User",
        "__typename",
        "__schema{types{name}}",
        "1",
        "-",
        "null",
        "ñ",
        "\u{feff}",
    ];
    prop_oneof![9 => prop::sample::select(words).prop_map(str::to_owned), 1 => "\\PC{0,4}"]
}
