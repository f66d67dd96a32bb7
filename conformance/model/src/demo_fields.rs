//! The fields of users, posts and registrations: which values are accepted, which fields are shown. Knows no step.

use serde_json::{Value, json};

use crate::records::Demo;

pub fn posts_of(demo: &Demo, user: &Value) -> Vec<Value> {
    demo.posts.iter().filter(|post| post["userId"] == user["id"]).cloned().collect()
}

pub fn free_number(mut number: i64, taken: &[&str]) -> i64 {
    while taken.contains(&number.to_string().as_str()) {
        number += 1;
    }
    number
}

/// The name sent, if it is a string that is not empty.
pub fn name(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|name| name.as_str().is_some_and(|name| !name.is_empty())).cloned()
}

pub fn age(sent: Option<&Value>) -> Option<Value> {
    sent.filter(|age| age.is_number()).cloned()
}

pub fn email(sent: Option<&Value>) -> Option<String> {
    sent?.as_str().filter(|email| email.contains('@')).map(str::to_owned)
}

pub fn takes_password(sent: Option<&Value>) -> bool {
    sent.and_then(Value::as_str).is_some_and(|password| password.chars().count() >= 8)
}

/// Whether a value is an Int of GraphQL: 32 bits.
pub fn is_int(value: &Value) -> bool {
    value.as_i64().is_some_and(|value| i32::try_from(value).is_ok())
}

pub fn field(user: &Value, name: &str) -> Option<Value> {
    ["id", "name", "age"].contains(&name).then(|| user[name].clone())
}

/// A post with the one field asked for.
pub fn post(post: &Value, names: &[&str]) -> Option<Value> {
    match names {
        [name @ ("id" | "title")] => Some(json!({ *name: post[*name] })),
        _ => None,
    }
}
