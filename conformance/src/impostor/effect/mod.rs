//! What a fault or a permitted reading changes: a request before the model sees it, a value of the policy, or the finished reply. Declares none.

pub(crate) mod bodies;
pub(crate) mod catalogue;

use super::http::{Reply, Request};
use super::policy::Policy;

/// What is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// The request, before the model: it is misread. Every interface sees it, so that the function looks at the path.
    Request(fn(&mut Request)),
    /// A value of the policy: the model does otherwise.
    Policy(fn(&mut Policy)),
    /// The finished reply, after the model. The request is the one that the model saw.
    Reply(fn(&Request, &mut Reply)),
}

/// `request |request| ...`, `policy |p| p.area.field = value` or `reply |request, reply| ...`.
macro_rules! effect {
    (request |$request:ident| $effect:expr) => {
        $crate::impostor::effect::Effect::Request(|$request| $effect)
    };
    (policy |$policy:ident| $effect:expr) => {
        $crate::impostor::effect::Effect::Policy(|$policy| $effect)
    };
    (reply |$request:ident, $reply:ident| $effect:expr) => {
        $crate::impostor::effect::Effect::Reply(|$request, $reply| $effect)
    };
}
pub(crate) use effect;
