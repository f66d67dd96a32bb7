//! Variations: faults, permitted readings and habits of platforms, each a deviation from the model. Declares none.
//!
//! A row of a table has id, rules, sentence and effect: `"id" breaks "rule" and "rule": "What goes wrong." => steps |s| ...;` is a fault,
//! `"id" by "rule" "rule": ...` a permitted reading, `"id" by silence: ...` one that no rule speaks of, `"id": ...` a habit. An effect is one
//! of these, or several:
//!
//! - `steps |s|` replaces steps of the model, `start |state|` changes the initial state,
//! - `request |request|` changes the request before the model, `reply |request, reply|` the finished reply after it,
//! - `created |book, write|`, `replaced` and `written` change the record of a book that the model has written,
//! - `before |state, request|`, `after |state, request, reply|` and `around |state, request, answer|` change the state around an
//!   answer, and no other request comes between,
//! - `race |world, request, answer|` lets other requests come between,
//! - `replica |state, second, request, answer|` answers at a second address, whose state is `second`.

pub(crate) mod acting;
pub(crate) mod bodies;
pub(crate) mod catalogue;
pub(crate) mod checks;
pub(crate) mod demo;
pub(crate) mod prelude;
pub(crate) mod record;
pub(crate) mod stale;

use libros_conformance_model::message::{Reply, Request};
use libros_conformance_model::state::State;
use libros_conformance_model::steps::Steps;

use super::world::{Answer, Shared, World};
use record::RecordChange;

#[derive(Clone, Copy, Debug)]
pub struct Variation {
    pub(crate) kind: Kind,
    /// Words; unique.
    pub id: &'static str,
    /// The rules that a fault breaks, or the open rules that permit a reading; a habit has none.
    pub rules: &'static [&'static str],
    /// The deviation, in one sentence.
    pub text: &'static str,
    pub(crate) effects: &'static [Effect],
}

impl Variation {
    pub fn rule(&self) -> &'static str {
        self.rules.first().copied().unwrap_or_default()
    }

    pub fn chapter(&self) -> &'static str {
        self.rule().split('/').next().unwrap_or_default()
    }

    pub fn breaks(&self, rule: &str) -> bool {
        self.rules.contains(&rule)
    }

    pub fn steps(&self) -> Steps {
        self.steps_with(self)
    }

    /// The steps of the model with its replacements and those of another.
    pub fn steps_with(&self, other: &Self) -> Steps {
        let mut steps = Steps::default();
        for effect in self.effects.iter().chain(other.effects) {
            if let Effect::Steps(replace) = effect {
                replace(&mut steps);
            }
        }
        steps
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It breaks rules.
    Fault,
    /// Open rules permit it, or the documents are silent about it.
    Reading,
    /// A platform does it of itself.
    Habit,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Steps(fn(&mut Steps)),
    Start(fn(&mut State)),
    /// Every interface sees it, so that the function looks at interface or path.
    Request(fn(&mut Request)),
    /// The request is the one that the model saw.
    Reply(fn(&Request, &mut Reply)),
    /// The record of a book, where it is written with one of these methods.
    Record(&'static [&'static str], RecordChange),
    Around(fn(&mut Shared, &Request, &Answer<'_>) -> Reply),
    Race(fn(&World, &Request, &Answer<'_>) -> Reply),
    Replica(fn(&mut Shared, &mut State, &Request, &Answer<'_>) -> Reply),
}

macro_rules! effect {
    (steps |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Steps(|$($arg),+| $do) };
    (start |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Start(|$($arg),+| $do) };
    (request |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Request(|$($arg),+| $do) };
    (reply |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Reply(|$($arg),+| $do) };
    (around |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Around(|$($arg),+| $do) };
    (race |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Race(|$($arg),+| $do) };
    (replica |$($arg:ident),+| $do:expr) => { $crate::impostor::effect::Effect::Replica(|$($arg),+| $do) };
    (created |$book:ident, $write:ident| $do:expr) => {
        $crate::impostor::effect::Effect::Record(&["POST"], |$book, $write| $do)
    };
    (replaced |$book:ident, $write:ident| $do:expr) => {
        $crate::impostor::effect::Effect::Record(&["PUT"], |$book, $write| $do)
    };
    (written |$book:ident, $write:ident| $do:expr) => {
        $crate::impostor::effect::Effect::Record(&["POST", "PUT"], |$book, $write| $do)
    };
    (before |$state:ident, $request:ident| $do:expr) => {
        $crate::impostor::effect::Effect::Around(|$state, request, answer| {
            let mut changed = request.clone();
            let $request = &mut changed;
            $do;
            answer($state, &changed)
        })
    };
    (after |$state:ident, $request:ident, $reply:ident| $do:expr) => {
        $crate::impostor::effect::Effect::Around(|$state, $request, answer| {
            let mut reply = answer($state, $request);
            let $reply = &mut reply;
            $do;
            reply
        })
    };
}
pub(crate) use effect;

macro_rules! kind {
    ($rule:literal breaks) => {
        $crate::impostor::effect::Kind::Fault
    };
    ($($open:literal)* by) => {
        $crate::impostor::effect::Kind::Reading
    };
    () => {
        $crate::impostor::effect::Kind::Habit
    };
}
pub(crate) use kind;

macro_rules! variations {
    ($(
        $id:literal $(breaks $rule:literal $(and $also:literal)*)? $(by $($open:literal)* $(silence)?)?: $text:literal
            $(=> $kind:ident |$($arg:ident),+| $do:expr)+;
    )*) => {
        &[$($crate::impostor::effect::Variation {
            kind: $crate::impostor::effect::kind!($($rule breaks)? $($($open)* by)?),
            id: $id,
            rules: &[$($rule, $($also,)*)? $($($open,)*)?],
            text: $text,
            effects: &[$($crate::impostor::effect::effect!($kind |$($arg),+| $do)),+],
        }),*]
    };
}
pub(crate) use variations;
