//! Faults that break rules of the chapter posts.

use super::Fault;

pub(crate) const FAULTS: &[Fault] = faults! {
    "posts-lack-user-id" breaks "posts/shape": "Posts lack userId.";
    "posts-ids-are-numbers" breaks "posts/shape": "Ids of posts are numbers.";
    "posts-of-everybody" breaks "posts/owner": "The posts of all users are listed.";
    "posts-of-unknown-user-are-empty" breaks "posts/unknown-user": "An unknown user has an empty list of posts.";
    "no-posts-is-404" breaks "posts/created-user-empty": "A user without posts answers 404.";
};
