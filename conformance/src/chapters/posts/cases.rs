//! The posts of a user. No interface creates posts: the cases look at those of the target's users, and say if there are none.

use crate::chapters::prelude::*;
use crate::chapters::users::reading::USERS;

cases! { "posts";
    /// The posts of every user are 200 and an array of posts with id, title and userId as strings.
    posts_are_id_title_and_user_id judges ["posts/shape"] needs [USERS] by read_posts();
    /// The posts of a user have the user's id as userId.
    posts_are_the_users_own judges ["posts/owner"] needs [USERS] by read_posts();
    /// The posts of a user have different ids.
    each_post_of_a_user_is_listed_once judges ["posts/listed-once"] needs [USERS] by read_posts();
}

/// Reads the posts of some users; the invariants judge each answer. Notes that without any posts passing proves less.
fn read_posts(cx: &CaseContext<'_>) -> CaseResult {
    let users = demo::get(cx, "/users")?.json();
    let posts = |id: &str| demo::get(cx, &format!("/users/{id}/posts"));
    let answers = demo::plain_ids(&users).map(posts).collect::<Result<Vec<_>, CaseError>>()?;
    if answers.iter().all(|posts| posts.json().as_array().is_none_or(Vec::is_empty)) {
        cx.tell("no user of the target has posts: only empty lists were seen")?;
    }
    Ok(())
}
