//! Variations of the chapter posts.

use libros_conformance_model::demo_fields::posts_of;

use crate::impostor::effect::prelude::*;

pub(crate) const VARIATIONS: &[Variation] = variations! {
    "posts-lack-user-id" breaks "posts/shape": "Posts of the users interface lack userId."
        => reply |request, reply| edit_each_post(request, reply, |post| _ = post.shift_remove("userId"));
    "posts-ids-are-numbers" breaks "posts/shape": "The ids of posts are numbers."
        => reply |request, reply| edit_each_post(request, reply, |post| {
            post["id"] = json!(post["id"].as_str().and_then(|id| id.parse::<u64>().ok()));
        });
    "posts-of-everybody" breaks "posts/owner": "The posts of one user are those of all users."
        => steps |s| s.demo.posts_of = |interface, demo, user| if interface == Interface::Users { demo.posts.clone() } else { posts_of(demo, user) };
    "posts-listed-twice" breaks "posts/listed-once": "Each post of a user is listed twice."
        => reply |request, reply| if is_posts(request) && reply.status == 200 {
            reply.edit(|posts| if let Some(posts) = posts.as_array_mut() { posts.extend_from_within(..) });
        };
    "posts-of-unknown-user-are-empty" breaks "posts/unknown-user": "The posts of an unknown user are an empty list."
        => reply |request, reply| if is_posts(request) && reply.status == 404 { answer_as(reply, 200, &json!([])) };
    "no-posts-is-404" breaks "posts/created-user-empty": "The posts of a user without any answer 404."
        => reply |request, reply| if is_posts(request) && reply.body == b"[]" { answer_as(reply, 404, &json!({"error": "No posts"})) };
};

fn is_posts(request: &Request) -> bool {
    request.method == "GET" && request.path.starts_with("/users/") && request.path.ends_with("/posts")
}

fn edit_each_post(request: &Request, reply: &mut Reply, change: fn(&mut Map<String, Value>)) {
    if is_posts(request) && reply.status == 200 {
        reply.edit(|posts| {
            posts.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut).for_each(change);
        });
    }
}
