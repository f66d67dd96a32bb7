//! What a fault or a permitted reading changes: a value of the policy, or the finished reply. Declares none.

use super::http::{Reply, Request};
use super::policy::Policy;

/// What is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// A value of the policy: the model does otherwise.
    Policy(fn(&mut Policy)),
    /// The finished reply, after the model.
    Reply(fn(&Request, &mut Reply)),
    /// Not moved into the policy yet: the model asks for the id.
    Switch,
}

/// `policy |p| p.area.field = value`, `reply |request, reply| ...`, or nothing.
macro_rules! effect {
    () => {
        $crate::impostor::effect::Effect::Switch
    };
    (policy |$policy:ident| $effect:expr) => {
        $crate::impostor::effect::Effect::Policy(|$policy| $effect)
    };
    (reply |$request:ident, $reply:ident| $effect:expr) => {
        $crate::impostor::effect::Effect::Reply(|$request, $reply| $effect)
    };
}
pub(crate) use effect;
