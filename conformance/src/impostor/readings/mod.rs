//! The permitted readings other than the reference's, with the open rules that permit each, and its effect.
//!
//! A reading is declared once: id, rules, sentence, and what it changes in the [`Policy`] or in the finished reply.

use super::effect::Effect;
use super::policy::Policy;

/// Reads the lines of a table:
/// `"id" by "open/rule" "another/rule": "What is done instead." => policy |p| p.list.date = |_| None;`
/// `"id" by silence: ...` where no rule speaks of it, since any answer would fit.
macro_rules! readings {
    ($($id:literal by $($rule:literal)* $(silence)?: $text:literal => $kind:ident |$($arg:ident),+| $effect:expr;)*) => {
        &[$(Reading {
            id: $id,
            rules: &[$($rule),*],
            text: $text,
            effect: $crate::impostor::effect::effect!($kind |$($arg),+| $effect),
        }),*]
    };
}

mod auth;
mod books;
mod demo;
mod http;
mod list;
mod paging;
mod two_factor;

/// One permitted reading.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// Words; unique.
    pub id: &'static str,
    /// The open rules that permit it; none where no sentence of the documents speaks of it.
    pub rules: &'static [&'static str],
    /// What is done instead, in one sentence.
    pub text: &'static str,
    /// What it changes.
    pub(crate) effect: Effect,
}

impl Reading {
    /// The policy that takes it and is the default in all else.
    pub fn policy(&self) -> Policy {
        let mut policy = Policy::default();
        if let Effect::Policy(set) = self.effect {
            set(&mut policy);
        }
        policy
    }
}

/// All tables.
const AREAS: [&[Reading]; 7] = [
    auth::READINGS,
    books::READINGS,
    demo::READINGS,
    http::READINGS,
    list::READINGS,
    paging::READINGS,
    two_factor::READINGS,
];

/// All permitted readings.
pub fn all() -> impl Iterator<Item = &'static Reading> {
    AREAS.into_iter().flatten()
}

/// The reading of an id.
pub fn find(id: &str) -> Option<&'static Reading> {
    all().find(|reading| reading.id == id)
}
