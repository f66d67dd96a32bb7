//! Random histories: draws steps, plays them against an implementation and the impostor's model, and says where the replies first differ.
//!
//! A step is a request with placeholders such as `‹session 0›` for values that only a run knows; `memory` lists them. Model and
//! implementation each fill in the values that they returned themselves. Where the documents leave a step open, every accepted
//! reading is followed until a reply decides it.

mod chapter;
mod draw;
mod memory;
mod model;
mod play;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use chapter::{Chapter, follow};
pub use draw::{sessions, two_factor};
pub use memory::{Memory, Names};
pub use model::Stocked;
pub(crate) use model::{BLOCKED, INVALID_CODE, NOT_CONFIGURED, NOT_ENABLED, USER_LACKS_PERMISSION, WRONG_PASSWORD};
pub use play::{Difference, Done, Judge, Played, Service, Side, play};
pub use step::{End, History, Step, StepRequest, Wait};
