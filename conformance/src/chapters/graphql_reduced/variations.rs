//! Variations of the chapter graphql-reduced.

use libros_conformance_model::demo_fields::{field, post, posts_of};

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "reduced-users-under-root-key" breaks "graphql-reduced/users-list": "The reduced query users has its list under data.users instead of data."
        => reply |request, reply| edit_data(request, reply, |body| if body["data"].is_array() { *body = json!({"data": {"users": body["data"]}}) });
    "reduced-users-are-two" breaks "graphql-reduced/users-all": "The reduced query users returns at most two users."
        => reply |request, reply| edit_data(request, reply, |body| body["data"].as_array_mut().into_iter().for_each(|users| users.truncate(2)));
    "reduced-user-under-root-key" breaks "graphql-reduced/user-object": "The reduced query user has its user under data.user instead of data."
        => reply |request, reply| edit_data(request, reply, |body| if !body["data"].is_array() { *body = json!({"data": {"user": body["data"]}}) });
    "reduced-unknown-user-is-404" breaks "graphql-reduced/user-unknown": "The reduced query user answers 404 for an unknown id."
        => reply |request, reply| if of_reduced(request) && reply.status == 200 && reply.json_body()["data"].is_null() { *reply = Reply::json(404, &json!({"error": "User not found"})) };
    "reduced-answers-every-field" breaks "graphql-reduced/fields": "Reduced queries return all fields of a user, whatever they select."
        => request |request| if of_reduced(request) { request.edit(|sent| edit_text(&mut sent["query"], |query| ask_for(query, "id name age"))) };
    "reduced-knows-no-age" breaks "graphql-reduced/fields": "Reduced queries do not know the field age."
        => steps |s| s.demo.reduced_field = |user, name| field(user, name).filter(|_| name != "age");
    "reduced-posts-whole" breaks "graphql-reduced/posts-field": "Reduced queries return whole posts, whatever field they select."
        => steps |s| s.demo.reduced_post = |whole, names| post(whole, names).map(|_| whole.clone());
    "reduced-posts-as-texts" breaks "graphql-reduced/posts-field": "Reduced queries return posts as texts instead of objects."
        => steps |s| s.demo.reduced_post = |whole, names| post(whole, names).map(|shown| shown[names[0]].clone());
    "reduced-posts-know-title-only" breaks "graphql-reduced/posts-field": "Reduced queries do not support posts { id }."
        => steps |s| s.demo.reduced_post = |whole, names| post(whole, names).filter(|_| names[0] == "title");
    "reduced-posts-take-both-fields" breaks "graphql-reduced/posts-both-fields": "Reduced queries accept id and title of posts together."
        => steps |s| s.demo.reduced_post = |whole, names| if names.len() == 2 { Some(json!({"id": whole["id"], "title": whole["title"]})) } else { post(whole, names) };
    "reduced-posts-bring-the-id" breaks "graphql-reduced/fields-beside-posts": "Reduced queries that select posts also return the id of the user."
        => reply |request, reply| if request.path == "/graphql" {
            reply.edit(|body| if body["data"].get("posts").is_some() && body["data"].get("id").is_none() {
                body["data"]["id"] = json!("1");
            });
        };
    "reduced-slash-is-an-empty-200" breaks "graphql-reduced/trailing-slash": "The reduced endpoint with a trailing slash answers every query with 200 and an empty object."
        => reply |request, reply| if request.is("POST", "/graphql/") { *reply = Reply::json(200, &json!({})) };
    "reduced-missing-query-is-null" breaks "graphql-reduced/query-missing": "A reduced request without query answers 200 with null."
        => reply |request, reply| if lacks_query(request) { *reply = without_data() };
    "reduced-number-as-query-is-null" breaks "graphql-reduced/query-type": "A reduced query that is not a string answers 200 with null."
        => reply |request, reply| if is_refused(request, reply) && !matches!(request.json_body()["query"], Value::String(_) | Value::Null) { *reply = without_data() };
    "reduced-malformed-is-500" breaks "graphql-reduced/malformed-json": "Malformed JSON on the reduced endpoint answers 500."
        => reply |request, reply| if is_refused(request, reply) && is_malformed(request) { reply.status = 500 };
    "reduced-unknown-field-is-null" breaks "graphql-reduced/unsupported-form": "Reduced queries return null for an unknown field."
        => steps |s| s.demo.reduced_field = |user, name| Some(field(user, name).unwrap_or_default());
    "reduced-empty-selection-passes" breaks "graphql-reduced/unsupported-form": "Reduced queries without fields are accepted."
        => reply |request, reply| if is_refused(request, reply) && query(request).matches('{').count() == 1 { *reply = Reply::json(200, &json!({"data": []})) };
    "reduced-errors-as-graphql" breaks "graphql-reduced/unsupported-form": "Errors of the reduced endpoint are a list errors."
        => reply |request, reply| if of_reduced(request) && reply.refuses_with("unsupported query") { reply.edit(|body| *body = json!({"errors": [{"message": body["error"]}]})) };
    "reduced-ignores-aliases" breaks "graphql-reduced/other-syntax": "Aliases of reduced queries are ignored."
        => request |request| if of_reduced(request) { request.edit(|sent| edit_text(&mut sent["query"], without_aliases)) };
    "reduced-takes-first-of-several-roots" breaks "graphql-reduced/other-syntax": "Reduced queries of several roots answer the first."
        => request |request| if of_reduced(request) { request.edit(|sent| edit_text(&mut sent["query"], first_root)) };
    "reduced-mutation-is-null" breaks "graphql-reduced/no-mutation": "A mutation on the reduced endpoint answers 200 with null."
        => reply |request, reply| if is_refused(request, reply) && query(request).trim_start().starts_with("mutation") { *reply = without_data() };
    "reduced-wrong-method-is-405" breaks "graphql-reduced/other-method": "GET on the reduced endpoint answers 405."
        => reply |request, reply| if of_reduced(request) && reply.status == 404 && request.path == "/graphql" { reply.status = 405 };
    "reduced-takes-any-path" breaks "graphql-reduced/other-path": "The reduced endpoint answers on any path."
        => request |request| if of_reduced(request) { request.path = "/graphql".to_owned() };
    "reduced-options-is-200" breaks "graphql-reduced/options-status": "OPTIONS on the reduced endpoint answers 200."
        => reply |request, reply| if is_options(request) { reply.status = 200 };
    "reduced-posts-of-everybody" breaks "graphql-reduced/posts-field": "Reduced queries return the posts of all users for every user."
        => steps |s| s.demo.posts_of = |interface, demo, user| if interface == Interface::GraphqlReduced { demo.posts.clone() } else { posts_of(demo, user) };
    "reduced-options-lacks-origin" breaks "graphql-reduced/options-cors": "OPTIONS on the reduced endpoint lacks Access-Control-Allow-Origin."
        => reply |request, reply| if is_options(request) { reply.remove("Access-Control-Allow-Origin") };
    "reduced-options-allows-post-alone" breaks "graphql-reduced/options-cors": "OPTIONS on the reduced endpoint allows only POST."
        => reply |request, reply| if is_options(request) { reply.set("Access-Control-Allow-Methods", "POST") };
    "reduced-options-elsewhere-is-404" by "graphql-reduced/options-other-path": "OPTIONS on a path beside the reduced endpoint answers 404."
        => reply |request, reply| if of_reduced(request) && request.method == "OPTIONS" && request.path != "/graphql" { *reply = not_found() };
    "reduced-slash-passed-over" by "graphql-reduced/trailing-slash": "The reduced endpoint answers with a trailing slash as without."
        => request |request| if request.path == REDUCED_SLASH { request.path = "/graphql".to_owned() };
    "reduced-slash-redirects" by "graphql-reduced/trailing-slash": "The reduced endpoint with a trailing slash redirects to the path without."
        => reply |request, reply| if request.path == REDUCED_SLASH && reply.status == 404 {
            reply.status = 308;
            reply.set("Location", "/graphql");
        };
    "reduced-slash-is-400" by "graphql-reduced/trailing-slash": "The reduced endpoint with a trailing slash answers 400."
        => reply |request, reply| if request.path == REDUCED_SLASH && reply.status == 404 { reply.status = 400 };
    "reduced-plain-spelling-only" by "graphql-reduced/spelling": "Reduced queries must begin with a brace and spell the id as a string."
        => request |request| if of_reduced(request) && !is_spelled_plainly(&query(request)) { request.edit(|sent| sent["query"] = json!("")) };
    "reduced-posts-in-user-only" by "graphql-reduced/posts-in-users": "Reduced queries do not support posts inside users."
        => request |request| if of_reduced(request) && query(request).contains("users") && query(request).contains("posts") { request.edit(|sent| sent["query"] = json!("")) };
    "reduced-repeated-fields-refused" by "graphql-reduced/spelling": "Reduced queries that name a field twice are refused."
        => request |request| if of_reduced(request) && ["name", "age"].iter().any(|name| query(request).matches(name).count() > 1) { request.edit(|sent| sent["query"] = json!("")) };
};

fn is_options(request: &Request) -> bool {
    of_reduced(request) && request.method == "OPTIONS"
}

fn is_refused(request: &Request, reply: &Reply) -> bool {
    of_reduced(request) && reply.status == 400
}

fn edit_data(request: &Request, reply: &mut Reply, change: impl FnOnce(&mut Value)) {
    if of_reduced(request) && reply.status == 200 && !reply.json_body()["data"].is_null() {
        reply.edit(change);
    }
}

fn lacks_query(request: &Request) -> bool {
    of_reduced(request)
        && request.is("POST", "/graphql")
        && request.json_body().get("query").is_none()
        && !is_malformed(request)
}

/// The GraphQL path with a slash after it; only the reduced endpoint is asked under it.
const REDUCED_SLASH: &str = "/graphql/";

/// Whether a query starts with a brace and has no number as an id.
fn is_spelled_plainly(query: &str) -> bool {
    let id = query.split_once("id:").map_or("", |(_, rest)| rest.trim_start());
    query.trim_start().starts_with('{') && !id.starts_with(|c: char| c.is_ascii_digit())
}
