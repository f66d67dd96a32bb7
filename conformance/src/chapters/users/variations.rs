//! Variations of the chapter users.

use libros_conformance_model::demo_fields::{age, name};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "users-list-lacks-the-first" breaks "users/list-all": "The list of users lacks the first user."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| {
            users.as_array_mut().filter(|users| !users.is_empty()).map(|users| users.remove(0));
        });
    "created-user-not-listed" breaks "users/list-created": "The list of users lacks a created user."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| {
            users.as_array_mut().into_iter().for_each(|users| users.truncate(3));
        });
    "created-user-listed-twice" breaks "users/list-created": "The list of users has a created user twice."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| {
            if let Some(users) = users.as_array_mut().filter(|users| users.len() > 3) {
                users.extend(users.last().cloned());
            }
        });
    "user-read-wrapped" breaks "users/read-status": "A single user is wrapped in an object."
        => reply |request, reply| edit(reply, is_read(request), |user| *user = json!({"user": user.take()}));
    "unknown-user-is-null" breaks "users/unknown-id": "An unknown user answers 200 with null."
        => reply |request, reply| if is_read(request) && reply.status == 404 { answer_as(reply, 200, &Value::Null) };
    "created-user-has-posts" breaks "users/create-body": "The answer to a created user has posts."
        => reply |request, reply| edit(reply, request.is("POST", "/users"), |user| user["posts"] = json!([]));
    "created-user-is-200" breaks "users/create-body": "Creating a user answers 200."
        => reply |request, reply| if request.is("POST", "/users") && reply.status == 201 { reply.status = 200 };
    "users-list-has-posts" breaks "users/list-array": "The list of users has their posts."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| {
            each_item(users, |user| user["posts"] = json!([]));
        });
    "created-user-name-respaced" breaks "users/create-body": "Several spaces within the name of a created user become one."
        => reply |request, reply| edit(reply, request.is("POST", "/users"), |user| edit_text(&mut user["name"], |name| name.replace("  ", " ")));
    "user-id-counts" breaks "users/id-clock": "The id of a created user is a counter."
        => steps |s| s.demo.new_number = |interface, now, count| if interface == Interface::Users { count as i64 + 1 } else { now };
    "user-id-in-seconds" breaks "users/id-clock": "The id of a created user is the clock in seconds."
        => steps |s| s.demo.new_number = |interface, now, _| if interface == Interface::Users { now / 1000 } else { now };
    "user-without-name-accepted" breaks "users/name-missing": "A user without a name is created."
        => steps |s| s.demo.name = |sent| if sent.is_none() { Some(json!("anonymous")) } else { name(sent) };
    "user-with-empty-name-accepted" breaks "users/name-empty": "A user with an empty name is created."
        => steps |s| s.demo.name = |sent| sent.filter(|name| name.is_string()).cloned();
    "user-with-number-as-name-accepted" breaks "users/name-type": "A user whose name is not a string is created."
        => steps |s| s.demo.name =
            |sent| if sent.is_some_and(Value::is_string) { name(sent) } else { sent.filter(|name| !name.is_null()).cloned() };
    "user-without-age-accepted" breaks "users/age-missing": "A user without an age is created."
        => steps |s| s.demo.age = |sent| if sent.is_none() { Some(json!(0)) } else { age(sent) };
    "user-with-age-as-text-accepted" breaks "users/age-type": "A user whose age is a numeric text is created."
        => steps |s| s.demo.age = |sent| {
            match sent.and_then(Value::as_str) {
                Some(text) => Some(json!(text.parse::<f64>().unwrap_or(0.0))),
                None => age(sent),
            }
        };
    "user-with-odd-age-accepted" breaks "users/age-type": "A user whose age is a boolean or null is created."
        => steps |s| s.demo.age = |sent| {
            match sent {
                Some(Value::Bool(_) | Value::Null) => Some(json!(1)),
                other => age(other),
            }
        };
    "user-with-age-0-refused" breaks "users/age-zero": "A user with the age 0 is refused as if the age were missing."
        => steps |s| s.demo.age = |sent| age(sent).filter(|age| age.as_f64() != Some(0.0));
    "users-malformed-is-500" breaks "users/malformed-json": "Malformed JSON on the users interface answers 500."
        => reply |request, reply| if request.is("POST", "/users") && reply.status == 400 && is_malformed(request) { reply.status = 500 };
    "demo-nan-read-as-null" breaks "users/nan": "NaN in a body of the demonstration interfaces is read as null."
        => request |request| if !of_catalogue(request) { read_nan_as_null(request) };
    "users-errors-say-message" breaks "users/error-body": "Errors of the users interface say message instead of error."
        => reply |request, reply| if is_below_users(request) && reply.status >= 400 { reply.edit(message_for_error) };
    "users-error-empty" breaks "users/error-body": "The error of a 400 of the users interface is an empty text."
        => reply |request, reply| if request.is("POST", "/users") && reply.status == 400 { reply.edit(|body| body["error"] = json!("")) };
    "users-unknown-path-is-400" breaks "users/unknown-path": "An unknown path of the users interface answers 400."
        => reply |request, reply| if of_users(request) && reply.status == 404 && !is_known_path(request) { reply.status = 400 };
    "users-options-is-200" breaks "users/options-status": "OPTIONS on the users interface answers 200."
        => reply |request, reply| if is_options(request) { reply.status = 200 };
    "users-options-unknown-path-is-404" breaks "users/options-status": "OPTIONS on an unknown path of the users interface answers 404."
        => reply |request, reply| if is_options(request) && !is_below_users(request) { *reply = Reply::json(404, &json!({"error": "Not found"})) };
    "users-options-lacks-origin" breaks "users/options-origin": "OPTIONS on the users interface lacks Access-Control-Allow-Origin."
        => reply |request, reply| if is_options(request) { reply.remove("Access-Control-Allow-Origin") };
    "users-options-allows-put" breaks "users/options-methods": "OPTIONS on the users interface allows PUT and DELETE too."
        => reply |request, reply| if is_options(request) { reply.set("Access-Control-Allow-Methods", "GET,POST,PUT,DELETE,OPTIONS") };
    "users-options-allows-any-header" breaks "users/options-headers": "OPTIONS on the users interface allows any header."
        => reply |request, reply| if is_options(request) { reply.set("Access-Control-Allow-Headers", "*") };
    "users-check-credentials" breaks "users/no-credential": "The users interface answers 401 to a request with an Authorization header."
        => reply |request, reply| if of_users(request) && !is_options(request) && request.header("authorization").is_some() { *reply = Reply::json(401, &json!({"error": "Invalid credential"})) };
    "users-list-wrapped" breaks "users/list-array": "The list of users is wrapped in an object."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| *users = json!({"users": users.take()}));
    "users-list-ages-as-texts" breaks "users/list-array": "Ages in the list of users are strings."
        => reply |request, reply| edit(reply, request.is("GET", "/users"), |users| {
            each_item(users, |user| user["age"] = json!(user["age"].to_string()));
        });
    "unknown-path-told-with-its-path" breaks "users/error-body": "The 404 of an unknown path of the users interface has the path in its body."
        => reply |request, reply| if of_users(request) && !is_known_path(request) && reply.status == 404 { reply.edit(|body| body["path"] = json!(request.path)) };
    "users-options-has-a-body" breaks "users/options-status": "OPTIONS on the users interface answers 204 with a body."
        => reply |request, reply| if of_users(request) && request.method == "OPTIONS" && reply.status == 204 { (reply.body, reply.framing) = (b"{}".to_vec(), Framing::Forced) };
    "graphql-checks-credentials" breaks "users/no-credential": "The GraphQL endpoint answers 401 to a query with an Authorization header."
        => reply |request, reply| if request.path == "/graphql" && request.header("authorization").is_some() { reply.status = 401 };
    "users-options-lists-spaced" breaks "users/options-spelling": "OPTIONS on the users interface lists methods with a space after each comma."
        => reply |request, reply| if is_options(request) { reply.set("Access-Control-Allow-Methods", "GET, POST, OPTIONS") };
    "users-say-latin-1" breaks "users/content-type": "Content-Type of the demonstration interfaces names the charset ISO-8859-1."
        => reply |request, reply| if is_demo_json(request, reply) { reply.set("Content-Type", "application/json; charset=iso-8859-1") };
    "users-refusals-are-plain-text" breaks "users/content-type": "Content-Type of a 404 of the users interface is plain text."
        => reply |request, reply| if is_below_users(request) && reply.status == 404 { reply.set("Content-Type", "text/plain") };
    "users-unknown-path-says-message" breaks "users/error-body": "The 404 of an unknown path of the users interface says message instead of error."
        => reply |request, reply| if of_users(request) && reply.status == 404 && !is_known_path(request) { reply.edit(message_for_error) };
    "demo-keys-in-any-case" by "users/key-case" "signup/key-case" "graphql-reduced/key-case": "Keys of a new user, a signup and a query are read in any letter case."
        => request |request| if takes_json(request) { lower_keys(request, &["name", "age", "email", "password", "query"]) };
    "demo-trailing-slash-refused" by "users/trailing-slash": "A path of the users interface with a trailing slash answers 400."
        => reply |request, reply| if request.path.starts_with("/users") && request.path.ends_with('/') && reply.status == 404 { reply.status = 400 };
    "age-whole-only" by "users/age-range": "Ages of users must be whole numbers from 0."
        => steps |s| s.demo.age = whole_age;
    "age-cut" by "users/age-range": "The fraction of a user's age is cut off."
        => steps |s| s.demo.age = |sent| age(sent).map(|age| json!(age.as_f64().unwrap_or_default().trunc() as i64));
    "blank-name-refused" by "users/name-spaces": "A user's name of only spaces is refused."
        => steps |s| s.demo.name =
            |sent| name(sent).filter(|name| name.as_str().is_some_and(|name| !name.trim().is_empty()));
    "clock-ids-may-repeat" by silence: "Two users created in one millisecond have the same id."
        => steps |s| s.demo.free_number = |number, _| number;
    "clock-ids-replace" by silence: "The later of two users created in one millisecond replaces the first."
        => steps |s| s.demo.free_number = |number, _| number
        => after |state, request, _reply| replace_same_ids(state, request);
    "cors-on-every-users-answer" by silence: "Every answer of the users interface has Access-Control-Allow-Origin."
        => reply |request, reply| if of_users(request) { reply.set("Access-Control-Allow-Origin", "*") };
    "demo-starts-empty" by silence: "The demonstration interfaces start without users and posts."
        => start |state| (state.users_demo, state.graphql_demo, state.graphql_reduced_demo) = Default::default();
    "demo-trailing-slash-passes" by "users/trailing-slash": "A path of the users interface with a trailing slash is served as without."
        => request |request| if request.path.starts_with("/users/") { request.path = request.path.trim_end_matches('/').to_owned() };
    "demo-wrong-method-is-405" by "users/wrong-method": "A known path of the users interface with another method answers 405."
        => reply |request, reply| if is_wrong_method(request, reply) { reply.status = 405 };
    "extra-user-fields-stored" by "users/extra-fields": "Further fields of a user's body are stored."
        => after |state, request, reply| if request.is("POST", "/users") && reply.status == 201 { keep_other_fields(state, request, reply) };
};

fn is_below_users(request: &Request) -> bool {
    request.path == "/users" || request.path.starts_with("/users/")
}

/// Whether one of the interfaces has a route at the path.
fn is_known_path(request: &Request) -> bool {
    is_below_users(request)
        || of_catalogue(request)
        || ["/posts", "/api/", "/graphql"].iter().any(|known| request.path.starts_with(known))
}

fn is_read(request: &Request) -> bool {
    request.method == "GET" && request.path.starts_with("/users/") && !request.path.ends_with("/posts")
}

/// Changes the body of a success, if it answers such a request.
fn edit(reply: &mut Reply, is_asked: bool, change: fn(&mut Value)) {
    if is_asked && reply.status < 300 {
        reply.edit(change);
    }
}

fn message_for_error(body: &mut Value) {
    *body = json!({"message": body["error"]});
}

fn is_options(request: &Request) -> bool {
    of_users(request) && request.method == "OPTIONS"
}

/// Whether the reply refuses the method at a path of users, or of their posts.
fn is_wrong_method(request: &Request, reply: &Reply) -> bool {
    let segments: Vec<&str> = request.path.split('/').skip(1).collect();
    let is_known = matches!(segments.as_slice(), ["users"] | ["users", _] | ["users", _, "posts"]);
    of_users(request) && is_known && reply.status == 404 && !reply.refuses_with("User not found")
}

fn is_demo_json(request: &Request, reply: &Reply) -> bool {
    request.interface != Interface::Catalogue && reply.header("Content-Type") == Some("application/json")
}

/// Whether one of the interfaces reads the body of a POST to the path.
fn takes_json(request: &Request) -> bool {
    matches!(request.path.as_str(), "/users" | "/api/users/register" | "/graphql")
}

fn keep_other_fields(state: &mut Shared, request: &Request, reply: &mut Reply) {
    let sent = request.json_body();
    let Some(user) = state.users_demo.users.last_mut() else { return };
    for (name, value) in sent.as_object().into_iter().flatten() {
        if user.get(name).is_none() {
            user[name] = value.clone();
        }
    }
    reply.edit(|shown| *shown = user.clone());
}
