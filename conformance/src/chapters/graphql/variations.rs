//! Variations of the chapter graphql.

use libros_conformance_model::demo_fields::{is_int, posts_of};
use libros_conformance_model::records::Demo;
use libros_conformance_model::refusals::NO_QUERY;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "graphql-answers-data-bare" breaks "graphql/data": "The result of a query is not under data."
        => reply |request, reply| edit_data(request, reply, |body| *body = body["data"].take());
    "graphql-aliases-ignored" breaks "graphql/data": "Aliases of a query are ignored."
        => request |request| if of_graphql(request) { request.edit(|sent| edit_text(&mut sent["query"], without_aliases)) };
    "graphql-answers-201-to-mutations" breaks "graphql/create-user": "A mutation answers 201."
        => reply |request, reply| if of_graphql(request) && reply.status == 200 && query(request).contains("mutation") { reply.status = 201 };
    "graphql-users-lack-the-third" breaks "graphql/users": "The query users lacks one of the initial users."
        => around |state, request, answer| with_users(state, request, answer, |users| drop(users.remove(2)));
    "graphql-name-may-be-null" breaks "graphql/schema": "The schema declares name of a user as String, which may be null."
        => reply |request, reply| introspected(request, reply, |field| if field["name"] == "name" { nullable(field) });
    "graphql-age-is-a-float" breaks "graphql/schema": "The schema declares age of a user as Float!."
        => reply |request, reply| introspected(request, reply, |field| if field["name"] == "age" { field["type"]["ofType"]["name"] = json!("Float") });
    "graphql-id-need-not-be-given" breaks "graphql/schema": "The schema declares the id of user(id: ID) as optional."
        => reply |request, reply| introspected(request, reply, |field| if field["name"] == "user" { each_item(&mut field["args"], nullable) });
    "graphql-posts-have-user-id" breaks "graphql/post-without-user-id": "A query for userId of a post is answered."
        => request |request| if request.path == "/graphql" {
            request.edit(|sent| edit_text(&mut sent["query"], |query| query.replace("userId", "userId: title")));
        };
    "graphql-schema-tells-user-id" breaks "graphql/post-without-user-id": "The schema declares userId of a post."
        => reply |request, reply| introspected(request, reply, tell_user_id);
    "graphql-users-lack-created" breaks "graphql/users": "The query users lacks users created by mutation."
        => around |state, request, answer| with_users(state, request, answer, |users| users.truncate(3));
    "graphql-user-is-the-first" breaks "graphql/user": "The query user always returns the first user."
        => steps |s| s.demo.user = |demo, _| demo.users.first().cloned();
    "graphql-unknown-user-is-empty" breaks "graphql/user-unknown": "The query user returns an object of nulls for an unknown id."
        => steps |s| s.demo.user = |demo, id| Some(demo.user(id).cloned().unwrap_or_else(|| json!({})));
    "graphql-unknown-user-is-error" breaks "graphql/user-unknown": "The query user returns null and an error for an unknown id."
        => reply |request, reply| edit_data(request, reply, |body| {
            if body["data"].get("user").is_some_and(Value::is_null) {
                body["errors"] = json!([{"message": "User not found"}]);
            }
        });
    "graphql-posts-of-everybody" breaks "graphql/posts": "The posts of a user are those of all users."
        => steps |s| s.demo.posts_of = |interface, demo, user| if interface == Interface::Graphql { demo.posts.clone() } else { posts_of(demo, user) };
    "graphql-nesting-stops" breaks "graphql/nesting": "Selections below a few levels are null."
        => reply |request, reply| edit_data(request, reply, |body| if body["data"].get("__schema").is_none() { stop_nesting(&mut body["data"], 4) });
    "graphql-refuses-20-levels" breaks "graphql/nesting-32-levels": "A query of more than twenty levels is refused."
        => request |request| if request.path == "/graphql" && levels(request) > 20 { request.body = b"{}".to_vec() };
    "graphql-beyond-measure-is-500" breaks "graphql/limits": "A query of thousands of levels answers 500."
        => reply |request, reply| if reply.status == 400 && is_beyond_measure(request) {
            *reply = Reply::json(500, &json!({"errors": [{"message": "Unexpected error."}]}));
        };
    "graphql-answers-id-unasked" breaks "graphql/only-requested": "A user has its id although the query does not select it."
        => request |request| if of_graphql(request) { request.edit(|sent| edit_text(&mut sent["query"], |query| ask_for(query, "id"))) };
    "graphql-name-of-zero-refused" breaks "graphql/create-user": "createUser takes the text 0 for no name."
        => steps |s| s.demo.takes_name = |name| name.is_string() && name != "0";
    "graphql-user-id-counts" breaks "graphql/create-user": "The id of a user created by mutation is a counter."
        => steps |s| s.demo.new_number = |interface, now, count| if interface == Interface::Graphql { count as i64 + 1 } else { now };
    "graphql-user-id-in-seconds" breaks "graphql/create-user": "The id of a user created by mutation is the clock in seconds."
        => steps |s| s.demo.new_number = |interface, now, _| if interface == Interface::Graphql { now / 1000 } else { now };
    "graphql-created-user-is-lost" breaks "graphql/create-user-stays": "A user created by mutation is not stored."
        => around |state, request, answer| undone(state, request, answer, |state| &mut state.graphql_demo.users, |_, _| true);
    "graphql-create-without-name" breaks "graphql/create-user-arguments": "createUser works without a name."
        => steps |s| s.demo.takes_name = |name| name.is_string() || name.is_null();
    "graphql-create-without-age" breaks "graphql/create-user-arguments": "createUser works without an age."
        => steps |s| s.demo.takes_age = |age| is_int(age) || age.is_null();
    "graphql-create-with-number-as-name" breaks "graphql/create-user-arguments": "createUser accepts a number as the name."
        => steps |s| s.demo.takes_name = |name| name.is_string() || name.is_number();
    "graphql-create-with-fraction-as-age" breaks "graphql/create-user-arguments": "createUser accepts a fraction as the age."
        => steps |s| s.demo.takes_age = |age| is_int(age) || age.is_f64();
    "graphql-create-with-text-as-age" breaks "graphql/create-user-arguments": "createUser accepts a string as the age."
        => steps |s| s.demo.takes_age = |age| is_int(age) || age.is_string();
    "graphql-refused-create-stays" breaks "graphql/create-user-arguments": "A refused createUser creates a user."
        => after |state, request, reply| if of_graphql(request) && reply.status == 400 && query(request).contains("createUser") { keep_refused(state, request) };
    "graphql-ages-as-texts" breaks "graphql/users": "The query users returns ages as strings."
        => around |state, request, answer| with_users(state, request, answer, |users| users.iter_mut().for_each(|user| user["age"] = json!(user["age"].to_string())));
    "first-mutation-answers-for-all" breaks "graphql/create-user": "Several createUser in one request all answer with the user of the first."
        => reply |request, reply| if request.path == "/graphql" && String::from_utf8_lossy(&request.body).contains("createUser") { reply.edit(|body| repeat_first(&mut body["data"])) };
    "demo-data-shared" by "graphql/own-data": "The demonstration interfaces share one collection of users and posts."
        => steps |s| s.demo.age = whole_age
        => around |state, request, answer| share(state, request, answer, |shared, other| if shared != other { other.clone_from(shared) });
    "demo-users-shared" by "graphql/own-data": "The demonstration interfaces share their users, but not their posts."
        => steps |s| s.demo.age = whole_age
        => start |state| {
            for interface in [Interface::Graphql, Interface::GraphqlReduced] {
                let posts = state.demo(interface).posts.iter_mut();
                posts.for_each(|post| post["title"] = format!("{}, by query", post["title"]).into());
            }
        }
        => around |state, request, answer| share(state, request, answer, |shared, other| if shared.users != other.users { other.users.clone_from(&shared.users) });
    "graphql-errors-are-200" by "graphql/query-error": "A query with errors answers 200."
        => reply |request, reply| if has_errors(request, reply) { reply.status = 200 };
    "graphql-extensions" by "graphql/extra-keys": "Answers to queries have extensions."
        => reply |request, reply| if of_graphql(request) && reply.status == 200 && !reply.json_body()["data"].is_null() { reply.edit(|body| body["extensions"] = json!({})) };
    "graphql-no-posts-is-null" by "graphql/posts-empty": "posts of a user without any is null."
        => reply |request, reply| if of_graphql(request) { reply.edit(|body| each_member(body, &mut |name, value| if name != "users" && *value == json!([]) { *value = Value::Null })) };
    "graphql-query-coerced" by "graphql/unreadable-request": "A query sent as a list of one string is run as that string."
        => request |request| if of_graphql(request) {
            request.edit(|sent| if let Some([only]) = sent["query"].as_array().map(Vec::as_slice) {
                sent["query"] = only.clone();
            });
        };
    "graphql-unreadable-as-200" by "graphql/unreadable-request": "A request without a query answers 200 with a list of errors."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = Reply::json(200, &json!({"errors": [{"message": "no query"}]})) };
    "graphql-unreadable-is-empty" by "graphql/unreadable-request": "A request without a query answers 200 with data null."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = without_data() };
    "graphql-errors-are-422" by "graphql/query-error": "A query with errors answers 422."
        => reply |request, reply| if has_errors(request, reply) { reply.status = 422 };
    "graphql-beyond-measure-is-422" by "graphql/limits": "A query of thousands of levels answers 422."
        => reply |request, reply| if reply.status == 400 && is_beyond_measure(request) { reply.status = 422 };
    "graphql-unreadable-as-errors" by "graphql/unreadable-request": "A request without a query answers with a list of errors."
        => reply |_request, reply| if reply.refuses_with(NO_QUERY) { *reply = Reply::json(400, &json!({"errors": [{"message": "no query"}]})) };
    "graphql-errors-are-empty" by "graphql/query-error" "graphql/request-extras": "A query with errors answers 200 with data null and no errors."
        => reply |request, reply| if has_errors(request, reply) { *reply = without_data() };
    "graphql-introspection-off" by "graphql/request-extras": "Introspection is refused."
        => request |request| if of_graphql(request) { request.edit(|sent| edit_text(&mut sent["query"], |query| query.replace("__schema", "__off"))) };
    "graphql-variables-ignored" by "graphql/request-extras": "Variables of a query are ignored."
        => request |request| if of_graphql(request) { request.edit(|sent| drop_key(sent, "variables")) };
    "graphql-wrong-method-is-405" by "graphql/other-path-or-method": "Methods other than GET and POST on /graphql answer 405."
        => reply |request, reply| if of_graphql(request) && request.path == "/graphql" && reply.status == 404 {
            reply.status = 405;
        };
    "graphql-get-refused" by "graphql/other-path-or-method": "GET on /graphql answers 404, with a query too."
        => reply |request, reply| if of_graphql(request) && request.method == "GET" { *reply = not_found() };
    "graphql-served-under-every-path" by "graphql/other-path-or-method": "Queries are served under every path."
        => request |request| if of_graphql(request) && request.method == "POST" { request.path = "/graphql".to_owned() };
    "graphql-get-shows-a-page" by "graphql/other-path-or-method": "GET on /graphql shows an HTML page."
        => reply |request, reply| if of_graphql(request) && request.is("GET", "/graphql") { *reply = page() };
    "graphql-options-is-400" by "graphql/other-path-or-method": "OPTIONS on /graphql answers 400."
        => reply |request, reply| if of_graphql(request) && request.method == "OPTIONS" { reply.status = 400 };
};

fn is_beyond_measure(request: &Request) -> bool {
    request.path == "/graphql" && levels(request) > 4_000
}

/// How many braces open in the body: no fewer than the selections within each other.
fn levels(request: &Request) -> usize {
    request.body.iter().filter(|byte| **byte == b'{').count()
}

fn repeat_first(data: &mut Value) {
    let Some(data) = data.as_object_mut() else { return };
    let first = data.values().next().cloned().unwrap_or_default();
    data.values_mut().for_each(|value| value.clone_from(&first));
}

fn edit_data(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if of_graphql(request) && reply.status == 200 {
        reply.edit(change);
    }
}

/// Answers a query for all users from changed users.
fn with_users(state: &mut Shared, request: &Request, answer: &Answer<'_>, change: fn(&mut Vec<Value>)) -> Reply {
    if !of_graphql(request) || !query(request).contains("users") || query(request).contains("mutation") {
        return answer(state, request);
    }
    let users = state.graphql_demo.users.clone();
    change(&mut state.graphql_demo.users);
    let reply = answer(state, request);
    state.graphql_demo.users = users;
    reply
}

/// Keeps a user of the name that a refused query spells first.
fn keep_refused(state: &mut Shared, request: &Request) {
    let name = query(request).split('"').nth(1).unwrap_or_default().to_owned();
    state.graphql_demo.users.push(json!({"id": request.now.to_string(), "name": name, "age": 0}));
}

/// Changes the fields of the types that an introspection shows.
fn introspected(request: &Request, reply: &mut Reply, change: fn(&mut Value)) {
    edit_data(request, reply, |body| {
        body["data"].get_mut("__schema").into_iter().for_each(|schema| each_field(schema, change));
    });
}

fn each_field(shown: &mut Value, change: fn(&mut Value)) {
    match shown {
        Value::Array(items) => items.iter_mut().for_each(|item| each_field(item, change)),
        Value::Object(_) if shown.get("fields").is_some() => {
            // A new field, if it is one, is shown with the fields.
            change(shown);
            each_item(&mut shown["fields"], change);
        }
        Value::Object(object) => object.values_mut().for_each(|inner| each_field(inner, change)),
        _ => {}
    }
}

/// Makes a non-null type nullable.
fn nullable(field: &mut Value) {
    let inner = field["type"]["ofType"].take();
    field["type"] = inner;
}

fn tell_user_id(shown: &mut Value) {
    let Some(fields) = shown.get_mut("fields").and_then(Value::as_array_mut) else { return };
    if let Some(title) = fields.iter().find(|field| field["name"] == "title").cloned() {
        let mut user_id = title;
        user_id["name"] = json!("userId");
        fields.push(user_id);
    }
}

/// Replaces deeper nested values by null.
fn stop_nesting(value: &mut Value, levels: usize) {
    match value {
        Value::Object(_) | Value::Array(_) if levels == 0 => *value = Value::Null,
        Value::Object(fields) => fields.values_mut().for_each(|inner| stop_nesting(inner, levels - 1)),
        Value::Array(items) => items.iter_mut().for_each(|inner| stop_nesting(inner, levels)),
        _ => {}
    }
}

/// Copies the data of this interface to the others after each answer.
fn share(state: &mut Shared, request: &Request, answer: &Answer<'_>, give: fn(&Demo, &mut Demo)) -> Reply {
    let reply = answer(state, request);
    if request.interface != Interface::Catalogue {
        let shared = mem::take(state.demo(request.interface));
        let interfaces = [Interface::Users, Interface::Graphql, Interface::GraphqlReduced].into_iter();
        interfaces.filter(|other| *other != request.interface).for_each(|other| give(&shared, state.demo(other)));
        *state.demo(request.interface) = shared;
    }
    reply
}

/// Whether a GraphQL query did not fit.
fn has_errors(request: &Request, reply: &Reply) -> bool {
    of_graphql(request) && reply.status == 400 && reply.json_body()["errors"].is_array()
}

fn page() -> Reply {
    let mut page = Reply::plain(200, "<!doctype html><title>GraphiQL</title>");
    page.set("Content-Type", "text/html; charset=utf-8");
    page
}
