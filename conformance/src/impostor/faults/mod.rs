//! The table of all faults, and what those that are on change. A fault is one realistic error of an implementer.
//!
//! A fault is declared once, in the file of the chapter whose rule it breaks: id, rule, sentence, and its effect on the request,
//! the policy or the finished reply. The model knows none.

/// Reads the lines of a table:
/// `"id" breaks "rule" and "other rule": "What goes wrong." => policy |p| p.list.split = |text| vec![text];`
/// or, for a fault of the finished reply, `=> reply |request, reply| reply.remove("ETag");`
macro_rules! faults {
    ($($id:literal breaks $rule:literal $(and $also:literal)*: $text:literal => $kind:ident |$($arg:ident),+| $effect:expr;)*) => {
        &[$(Fault {
            id: $id,
            rule: $rule,
            also: &[$($also),*],
            text: $text,
            effect: $crate::impostor::effect::effect!($kind |$($arg),+| $effect),
        }),*]
    };
}

mod api_keys;
mod backup_codes;
mod blog;
mod books;
mod codes;
mod conditional;
mod consistency;
mod credentials;
mod devices;
mod errors;
mod graphql;
mod graphql_reduced;
mod headers;
mod list;
mod lockout;
mod login;
mod looseness;
mod paging;
mod pending;
mod permissions;
mod posts;
mod registration;
mod routing;
mod sessions;
mod signup;
mod storage;
mod tokens;
mod two_factor;
mod users;
mod verification;
mod versioning;

#[cfg(test)]
mod tests;

use super::effect::Effect;
use super::http::{Reply, Request};
use super::policy::Policy;
use super::readings;

/// One fault.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// Words; unique.
    pub id: &'static str,
    /// The rule it breaks.
    pub rule: &'static str,
    /// Other rules that the same fault breaks.
    pub also: &'static [&'static str],
    /// What goes wrong, in one sentence.
    pub text: &'static str,
    /// What it changes.
    pub(crate) effect: Effect,
}

impl Fault {
    /// Every rule that it breaks.
    pub fn rules(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.rule).chain(self.also.iter().copied())
    }

    /// Whether it breaks that rule.
    pub fn breaks(&self, rule: &str) -> bool {
        self.rules().any(|broken| broken == rule)
    }
}

/// All tables.
const CHAPTERS: [&[Fault]; 31] = [
    api_keys::FAULTS,
    backup_codes::FAULTS,
    blog::FAULTS,
    books::FAULTS,
    codes::FAULTS,
    conditional::FAULTS,
    consistency::FAULTS,
    credentials::FAULTS,
    devices::FAULTS,
    errors::FAULTS,
    graphql::FAULTS,
    graphql_reduced::FAULTS,
    headers::FAULTS,
    list::FAULTS,
    lockout::FAULTS,
    looseness::FAULTS,
    login::FAULTS,
    paging::FAULTS,
    pending::FAULTS,
    permissions::FAULTS,
    posts::FAULTS,
    registration::FAULTS,
    routing::FAULTS,
    sessions::FAULTS,
    signup::FAULTS,
    storage::FAULTS,
    tokens::FAULTS,
    two_factor::FAULTS,
    users::FAULTS,
    verification::FAULTS,
    versioning::FAULTS,
];

/// All faults, chapter by chapter.
pub fn all() -> impl Iterator<Item = &'static Fault> {
    CHAPTERS.into_iter().flatten()
}

/// The fault of an id.
pub fn find(id: &str) -> Option<&'static Fault> {
    all().find(|fault| fault.id == id)
}

/// The set of active faults and of permitted other readings; normally empty.
#[derive(Clone, Debug, Default)]
pub struct Faults {
    requests: Vec<fn(&mut Request)>,
    policy: Policy,
    replies: Vec<fn(&Request, &mut Reply)>,
}

impl Faults {
    /// Nothing wrong.
    pub fn none() -> Self {
        Self::default()
    }

    /// One fault, or `None` when there is none of this id.
    pub fn one(id: &str) -> Option<Self> {
        Self::none().with(id)
    }

    /// This fault too, or `None` when there is none of this id.
    pub fn with(mut self, id: &str) -> Option<Self> {
        self.apply(find(id)?.effect);
        Some(self)
    }

    /// These permitted readings too.
    pub fn reading(mut self, ids: &[&str]) -> Self {
        ids.iter().filter_map(|id| readings::find(id)).for_each(|reading| self.apply(reading.effect));
        self
    }

    /// These effects too.
    pub(crate) fn having(mut self, effects: &[Effect]) -> Self {
        effects.iter().for_each(|effect| self.apply(*effect));
        self
    }

    /// What the model goes by.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The request as the model gets to see it.
    pub(crate) fn misread(&self, request: &Request) -> Request {
        let mut request = request.clone();
        self.requests.iter().for_each(|change| change(&mut request));
        request
    }

    /// Changes the finished reply.
    pub(crate) fn finish(&self, request: &Request, reply: &mut Reply) {
        self.replies.iter().for_each(|change| change(request, reply));
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Request(change) => self.requests.push(change),
            Effect::Policy(set) => set(&mut self.policy),
            Effect::Reply(change) => self.replies.push(change),
        }
    }
}
