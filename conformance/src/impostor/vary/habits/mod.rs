//! Habits: what servers of a common platform do unasked, where the documents do not decide. Each is one effect, with its
//! documentation in a comment.
//!
//! Never decides a rule: what an open rule permits by name is a reading, see [`crate::impostor::readings`].

/// Reads the lines of a table: `"id": "What is done." => reply |request, reply| ...;`
macro_rules! habits {
    ($($id:literal: $text:literal => $kind:ident |$($arg:ident),+| $effect:expr;)*) => {
        &[$(Habit {
            id: $id,
            text: $text,
            effect: $crate::impostor::effect::effect!($kind |$($arg),+| $effect),
        }),*]
    };
}

mod bodies;
mod headers;
mod paths;
mod requests;

use crate::impostor::effect::Effect;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Habit {
    /// Words; unique.
    pub(crate) id: &'static str,
    /// What is done, in one sentence.
    pub(crate) text: &'static str,
    pub(crate) effect: Effect,
}

/// All habits; those of paths first, since what they keep from the model gets its form from the others.
pub(crate) fn all() -> impl Iterator<Item = &'static Habit> {
    [paths::HABITS, requests::HABITS, bodies::HABITS, headers::HABITS].into_iter().flatten()
}

/// The effects of these habits.
pub(crate) fn effects(ids: &[&str]) -> Vec<Effect> {
    let chosen = all().filter(|habit| ids.contains(&habit.id)).map(|habit| habit.effect);
    [Effect::Reply(paths::answer_aside)].into_iter().chain(chosen).collect()
}
