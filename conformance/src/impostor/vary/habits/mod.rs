//! Habits: defaults of common platforms where the documents do not decide, one effect each; comments cite the platforms' documentation.
//!
//! Never decides a rule: what an open rule permits by name is a reading, see [`crate::impostor::readings`].

mod bodies;
mod headers;
mod paths;
mod requests;

use crate::impostor::effect::{Effect, Variation};

/// All habits; those of paths first: they answer without the model, and the others shape their answers.
pub(crate) fn all() -> impl Iterator<Item = &'static Variation> {
    [paths::HABITS, requests::HABITS, bodies::HABITS, headers::HABITS].into_iter().flatten()
}

pub(crate) fn effects(ids: &[String]) -> Vec<Effect> {
    let chosen =
        all().filter(|habit| ids.iter().any(|id| id == habit.id)).flat_map(|habit| habit.effects.iter().copied());
    [Effect::Reply(paths::answer_aside)].into_iter().chain(chosen).collect()
}
