//! Faults that break rules of the chapter graphql-reduced.

use serde_json::{Value, json};

use super::Fault;
use crate::impostor::http::Reply;

pub(crate) const FAULTS: &[Fault] = faults! {
    "reduced-users-under-root-key" breaks "graphql-reduced/users-list": "data of users has a key users."
        => policy |p| p.demo.graphql_reduced.answer = Some(users_under_root);
    "reduced-users-are-two" breaks "graphql-reduced/users-all": "users lists two users at most."
        => policy |p| p.demo.graphql_reduced.users_max = 2;
    "reduced-user-under-root-key" breaks "graphql-reduced/user-object": "data of user has a key user."
        => policy |p| p.demo.graphql_reduced.answer = Some(user_under_root);
    "reduced-unknown-user-is-404" breaks "graphql-reduced/user-unknown": "An unknown user answers 404."
        => policy |p| p.demo.graphql_reduced.answer = Some(unknown_user_not_found);
    "reduced-answers-every-field" breaks "graphql-reduced/fields": "All fields of a user come back, asked for or not."
        => policy |p| p.demo.graphql_reduced.answers_every_field = true;
    "reduced-knows-no-age" breaks "graphql-reduced/fields": "age is an unknown field."
        => policy |p| p.demo.graphql_reduced.user_fields = &["id", "name"];
    "reduced-posts-whole" breaks "graphql-reduced/posts-field": "Posts come back whole, whatever field was asked for."
        => policy |p| p.demo.graphql_reduced.post = Some(|post, _| post.clone());
    "reduced-posts-as-texts" breaks "graphql-reduced/posts-field": "Posts come back as texts instead of objects."
        => policy |p| p.demo.graphql_reduced.post = Some(|post, field| post[field].clone());
    "reduced-posts-know-title-only" breaks "graphql-reduced/posts-field": "posts { id } is unsupported."
        => policy |p| p.demo.graphql_reduced.post_fields = &["title"];
    "reduced-posts-take-both-fields" breaks "graphql-reduced/posts-both-fields": "posts takes id and title together."
        => policy |p| p.demo.graphql_reduced.post_fields_max = 2;
    "reduced-posts-bring-the-id" breaks "graphql-reduced/fields-beside-posts": "A user asked for posts has its id, asked for or not."
        => reply |request, reply| if request.path == "/graphql" { reply.edit(add_id_beside_posts) };
    "reduced-slash-is-an-empty-200" breaks "graphql-reduced/trailing-slash": "The path with a slash after it answers every query with 200 and an empty object."
        => reply |request, reply| if request.is("POST", "/graphql/") { *reply = Reply::json(200, "application/json", &json!({})) };
    "reduced-missing-query-is-null" breaks "graphql-reduced/query-missing": "A body without query answers 200 with null."
        => policy |p| p.demo.graphql_reduced.null_without_query = true;
    "reduced-number-as-query-is-null" breaks "graphql-reduced/query-type": "A query that is not a string answers 200 with null."
        => policy |p| p.demo.graphql_reduced.null_for_other_types = true;
    "reduced-malformed-is-500" breaks "graphql-reduced/malformed-json": "Malformed JSON answers 500."
        => policy |p| p.demo.graphql_reduced.malformed = 500;
    "reduced-unknown-field-is-null" breaks "graphql-reduced/unsupported-form": "An unknown field is null."
        => policy |p| p.demo.graphql_reduced.unknown_field_is_null = true;
    "reduced-empty-selection-passes" breaks "graphql-reduced/unsupported-form": "A query without fields is supported."
        => policy |p| p.demo.graphql_reduced.takes_empty_selections = true;
    "reduced-errors-as-graphql" breaks "graphql-reduced/unsupported-form": "Errors come as a list errors."
        => policy |p| p.demo.graphql_reduced.lists_errors = true;
    "reduced-ignores-aliases" breaks "graphql-reduced/other-syntax": "Aliases are passed over."
        => policy |p| p.demo.graphql_reduced.ignores_aliases = true;
    "reduced-takes-first-of-several-roots" breaks "graphql-reduced/other-syntax": "Of several roots the first is answered."
        => policy |p| p.demo.graphql_reduced.takes_first_of_several_roots = true;
    "reduced-mutation-is-null" breaks "graphql-reduced/no-mutation": "A mutation answers 200 with null."
        => policy |p| p.demo.graphql_reduced.mutation_is_null = true;
    "reduced-wrong-method-is-405" breaks "graphql-reduced/other-method": "GET answers 405."
        => policy |p| p.demo.graphql_reduced.wrong_method = 405;
    "reduced-takes-any-path" breaks "graphql-reduced/other-path": "Any path is the endpoint."
        => policy |p| p.demo.graphql_reduced.serves_any_path = true;
    "reduced-options-is-200" breaks "graphql-reduced/options-status": "OPTIONS answers 200."
        => policy |p| p.demo.graphql_reduced.preflight.status = 200;
    "reduced-posts-of-everybody" breaks "graphql-reduced/posts-field": "Every user has the posts of all."
        => policy |p| p.demo.graphql_reduced.posts_of_everybody = true;
    "reduced-options-lacks-origin" breaks "graphql-reduced/options-cors": "OPTIONS lacks Access-Control-Allow-Origin."
        => policy |p| p.demo.graphql_reduced.preflight.headers = &[("Access-Control-Allow-Methods", "POST, OPTIONS")];
    "reduced-options-allows-post-alone" breaks "graphql-reduced/options-cors": "OPTIONS allows POST alone."
        => policy |p| p.demo.graphql_reduced.preflight.headers = &[("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Methods", "POST")];
};

fn add_id_beside_posts(body: &mut Value) {
    if let Some(user) = body["data"].as_object_mut().filter(|user| user.contains_key("posts")) {
        user.entry("id").or_insert(json!("1"));
    }
}

fn users_under_root(root: &str, data: &Value) -> (u16, Value) {
    (200, if root == "users" { json!({"data": {root: data}}) } else { json!({"data": data}) })
}

fn user_under_root(root: &str, data: &Value) -> (u16, Value) {
    (200, if root == "user" { json!({"data": {root: data}}) } else { json!({"data": data}) })
}

fn unknown_user_not_found(_: &str, data: &Value) -> (u16, Value) {
    if data.is_null() { (404, json!({"error": "User not found"})) } else { (200, json!({"data": data})) }
}
