//! Faults that break rules of the chapter graphql.

use serde_json::{Value, json};

use super::Fault;
use crate::impostor::http::{Reply, Request};
use crate::impostor::model::demo::execute::is_int;

pub(crate) const FAULTS: &[Fault] = faults! {
    "graphql-answers-data-bare" breaks "graphql/data": "The result is not under data."
        => policy |p| p.demo.graphql.answer = Some(data_bare);
    "graphql-aliases-ignored" breaks "graphql/data": "Aliases are passed over."
        => policy |p| p.demo.graphql.ignores_aliases = true;
    "graphql-answers-201-to-mutations" breaks "graphql/create-user": "A mutation answers 201."
        => policy |p| p.demo.graphql.answer = Some(mutation_created);
    "graphql-users-lack-the-third" breaks "graphql/users": "users lacks one of the initial users."
        => policy |p| p.demo.graphql.users = Some(without_third);
    "graphql-name-may-be-null" breaks "graphql/schema": "The schema says name: String."
        => policy |p| p.demo.graphql.type_of_name = "String";
    "graphql-age-is-a-float" breaks "graphql/schema": "The schema says age: Float!."
        => policy |p| p.demo.graphql.type_of_age = "Float!";
    "graphql-id-need-not-be-given" breaks "graphql/schema": "The schema says user(id: ID)."
        => policy |p| p.demo.graphql.type_of_id_argument = "ID";
    "graphql-posts-have-user-id" breaks "graphql/post-without-user-id": "A query for userId of a post is answered."
        => request |request| if request.path == "/graphql" { request.edit(ask_title_as_user_id) };
    "graphql-schema-tells-user-id" breaks "graphql/post-without-user-id": "The schema says that a post has userId."
        => policy |p| p.demo.graphql.tells_user_id = true;
    "graphql-users-lack-created" breaks "graphql/users": "users lacks those created by mutation."
        => policy |p| p.demo.graphql.users = Some(first_three);
    "graphql-user-is-the-first" breaks "graphql/user": "user always is the first one."
        => policy |p| p.demo.graphql.user_is_first = true;
    "graphql-unknown-user-is-empty" breaks "graphql/user-unknown": "An unknown user is an object of nulls."
        => policy |p| p.demo.graphql.unknown_user_is_empty = true;
    "graphql-unknown-user-is-error" breaks "graphql/user-unknown": "An unknown user is an error beside its null."
        => policy |p| p.demo.graphql.answer = Some(unknown_user_with_error);
    "graphql-posts-of-everybody" breaks "graphql/posts": "posts of a user has those of all users."
        => policy |p| p.demo.graphql.posts_of_everybody = true;
    "graphql-nesting-stops" breaks "graphql/nesting": "Nesting ends after a few levels with null."
        => policy |p| p.demo.graphql.levels_max = 3;
    "graphql-refuses-20-levels" breaks "graphql/nesting-32-levels": "A query of more than twenty levels is refused."
        => request |request| if request.path == "/graphql" && levels(request) > 20 { request.body = b"{}".to_vec() };
    "graphql-beyond-measure-is-500" breaks "graphql/limits": "A query of thousands of levels is answered with 500, and no further harm."
        => reply |request, reply| if reply.status == 400 && is_beyond_measure(request) { *reply = unexpected() };
    "graphql-answers-id-unasked" breaks "graphql/only-requested": "A user has its id although it was not asked for."
        => policy |p| p.demo.graphql.adds_id = true;
    "graphql-user-id-counts" breaks "graphql/create-user": "The id of a created user counts up."
        => policy |p| p.demo.graphql.new_id = |_, count| count as i64 + 1;
    "graphql-user-id-in-seconds" breaks "graphql/create-user": "The id of a created user is the clock in seconds."
        => policy |p| p.demo.graphql.new_id = |now, _| now / 1000;
    "graphql-created-user-is-lost" breaks "graphql/create-user-stays": "A created user is not kept."
        => policy |p| p.demo.graphql.forgets_created = true;
    "graphql-create-without-name" breaks "graphql/create-user-arguments": "createUser works without a name."
        => policy |p| p.demo.graphql.takes_name = Some(|name| name.is_string() || name.is_null());
    "graphql-create-without-age" breaks "graphql/create-user-arguments": "createUser works without an age."
        => policy |p| p.demo.graphql.takes_age = Some(|age| is_int(age) || age.is_null());
    "graphql-create-with-number-as-name" breaks "graphql/create-user-arguments": "createUser takes a number as a name."
        => policy |p| p.demo.graphql.takes_name = Some(|name| name.is_string() || name.is_number());
    "graphql-create-with-fraction-as-age" breaks "graphql/create-user-arguments": "createUser takes a fraction as an age."
        => policy |p| p.demo.graphql.takes_age = Some(|age| is_int(age) || age.is_f64());
    "graphql-create-with-text-as-age" breaks "graphql/create-user-arguments": "createUser takes a text as an age."
        => policy |p| p.demo.graphql.takes_age = Some(|age| is_int(age) || age.is_string());
    "graphql-refused-create-stays" breaks "graphql/create-user-arguments": "A createUser that is refused creates a user all the same."
        => policy |p| p.demo.graphql.keeps_refused = true;
    "graphql-ages-as-texts" breaks "graphql/users": "Ages in the list of all users are strings."
        => policy |p| p.demo.graphql.users = Some(|users| users.iter_mut().for_each(|user| user["age"] = json!(user["age"].to_string())));
    "first-mutation-answers-for-all" breaks "graphql/create-user": "Of several createUser in one request each answers with the user of the first."
        => reply |request, reply| if request.path == "/graphql" && String::from_utf8_lossy(&request.body).contains("createUser") { reply.edit(|body| repeat_first(&mut body["data"])) };
};

fn ask_title_as_user_id(sent: &mut Value) {
    if let Some(query) = sent["query"].as_str() {
        sent["query"] = json!(query.replace("userId", "userId: title"));
    }
}

fn is_beyond_measure(request: &Request) -> bool {
    const LEVELS: usize = 4_000;
    request.path == "/graphql" && levels(request) > LEVELS
}

fn unexpected() -> Reply {
    Reply::json(500, "application/json", &json!({"errors": [{"message": "Unexpected error."}]}))
}

/// How many braces open in the body: no fewer than the selections within each other.
fn levels(request: &Request) -> usize {
    request.body.iter().filter(|byte| **byte == b'{').count()
}

fn data_bare(_: &str, data: &Value) -> (u16, Value) {
    (200, data.clone())
}

fn mutation_created(query: &str, data: &Value) -> (u16, Value) {
    (if query.contains("mutation") { 201 } else { 200 }, json!({"data": data}))
}

fn unknown_user_with_error(_: &str, data: &Value) -> (u16, Value) {
    if data.get("user").is_some_and(Value::is_null) {
        return (200, json!({"data": data, "errors": [{"message": "User not found"}]}));
    }
    (200, json!({"data": data}))
}

fn without_third(users: &mut Vec<Value>) {
    users.remove(2);
}

fn first_three(users: &mut Vec<Value>) {
    users.truncate(3);
}

fn repeat_first(data: &mut Value) {
    let first = data.as_object().and_then(|data| data.values().next().cloned());
    for (value, first) in
        data.as_object_mut().into_iter().flat_map(|data| data.values_mut()).zip(std::iter::repeat(first))
    {
        *value = first.unwrap_or_default();
    }
}
