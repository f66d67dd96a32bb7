//! REST, full GraphQL and the reduced variant start from the same users, so they must agree on them.

use std::fmt::Write as _;

use http::Method;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::{block_on, request};
use crate::clock::Clock;
use crate::demo::graphql::Graphql;
use crate::demo::graphql_reduced::GraphqlReduced;
use crate::demo::rest::Rest;
use crate::message::{Interface, Reply};

fn graphql(interface: &impl Interface, query: &str) -> (u16, Value) {
    let body = json!({ "query": query }).to_string();
    status_and_body(&block_on(interface.answer(&request(Method::POST, "/graphql", &body))))
}

fn rest(path: &str) -> Value {
    status_and_body(&block_on(Rest::new(Clock::new()).answer(&request(Method::GET, path, "")))).1
}

fn status_and_body(reply: &Reply) -> (u16, Value) {
    (reply.status.as_u16(), serde_json::from_slice(&reply.body).expect("every body is JSON"))
}

/// The fields of a user that a query selects.
#[derive(Debug, Clone)]
struct Fields {
    fields: Vec<&'static str>,
    post_field: Option<&'static str>,
}

impl Fields {
    fn text(&self) -> String {
        let mut text = format!("{{ {} ", self.fields.join(" "));
        if let Some(field) = self.post_field {
            let _ = write!(text, "posts {{ {field} }} ");
        }
        text + "}"
    }

    /// The selected fields of a user, as the REST interface shows them.
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

fn fields() -> impl Strategy<Value = Fields> {
    let fields = prop::sample::subsequence(vec!["id", "name", "age"], 1..=3).prop_shuffle();
    let post_field = prop::option::of(prop::sample::select(vec!["id", "title"]));
    (fields, post_field).prop_map(|(fields, post_field)| Fields { fields, post_field })
}

proptest! {
    #[test]
    fn users_are_the_same_everywhere(fields in fields()) {
        let query = format!("{{ users {} }}", fields.text());
        let by_rest: Value = rest("/users").as_array().expect("a list").iter().map(|user| fields.of(user)).collect();
        prop_assert_eq!(graphql(&Graphql::new(Clock::new()), &query), (200, json!({ "data": { "users": by_rest } })));
        prop_assert_eq!(graphql(&GraphqlReduced::new(), &query), (200, json!({ "data": by_rest })));
    }

    #[test]
    fn one_user_is_the_same_everywhere(fields in fields(), id in 1..=4) {
        let query = format!("query One {{ user(id: \"{id}\") {} }}", fields.text());
        let found = rest(&format!("/users/{id}"));
        let by_rest = if found["error"].is_null() { fields.of(&found) } else { Value::Null };
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
    fn what_the_reduced_variant_takes_the_full_one_takes_too(fields in fields(), edit in edit()) {
        let text = edit.applied_to(&format!("query One {{ user ( id: 2 ) {} }}", fields.text()));
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
enum Edit {
    Forgotten(prop::sample::Index),
    Doubled(prop::sample::Index),
    Replaced(prop::sample::Index, String),
}

fn edit() -> impl Strategy<Value = Edit> {
    let place = any::<prop::sample::Index>;
    prop_oneof![
        place().prop_map(Edit::Forgotten),
        place().prop_map(Edit::Doubled),
        (place(), piece()).prop_map(|(place, piece)| Edit::Replaced(place, piece)),
    ]
}

impl Edit {
    fn applied_to(&self, query: &str) -> String {
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
        "($a:Boolean=",
        "($a:A=1)",
        "@include(if:$a)",
        "=",
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
