//! The posts of a user. No interface creates posts: the cases look at those of the target's users, and say if there are none.

use crate::chapters::prelude::*;
use crate::chapters::users::reading::USERS;

cases! { "posts";
    /// The posts of every user are 200 and an array of posts with id, title and userId as strings.
    posts_are_id_title_and_user_id judges ["posts/shape"] needs [USERS] => |cx| {
        // Judged of each answer.
        let user = demo::create_user(cx)?;
        demo::get(cx, &format!("/users/{}/posts", user.id))?;
        posts_of_users(cx).map(drop)
    };
    /// The posts of a user have the user's id as userId.
    posts_are_the_users_own judges ["posts/owner"] needs [USERS] => |cx| {
        for (id, reply) in posts_of_users(cx)? {
            for post in reply.json().as_array().into_iter().flatten() {
                let is_own = post["userId"].as_str().is_none_or(|owner| owner == id);
                reply.check().that(is_own, "body, userId", &id, post)?;
            }
        }
        Ok(())
    };
    /// The posts of a user have different ids.
    each_post_of_a_user_is_listed_once judges ["posts/listed-once"] needs [USERS] => |cx| {
        // Judged of each answer.
        posts_of_users(cx).map(drop)
    };
}

/// The most users whose posts are read.
const USERS_MAX: usize = 12;

/// Users of the target, each with the answer about its posts. Notes that without any posts passing proves less.
fn posts_of_users(cx: &CaseContext<'_>) -> Result<Vec<(String, Reply)>, CaseError> {
    let users = demo::get(cx, "/users")?.json();
    let is_plain = |id: &&str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let ids = users.as_array().into_iter().flatten().filter_map(|user| user["id"].as_str());
    let posts = |id: &str| Ok((id.to_owned(), demo::get(cx, &format!("/users/{id}/posts"))?));
    let answers = ids.filter(is_plain).take(USERS_MAX).map(posts).collect::<Result<Vec<_>, CaseError>>()?;
    if answers.iter().all(|(_, posts)| posts.json().as_array().is_none_or(Vec::is_empty)) {
        cx.tell("no user of the target has posts: only empty lists were seen")?;
    }
    Ok(answers)
}
