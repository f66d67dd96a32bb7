//! What a case acts through, and what all cases of a run share. Judges nothing.

pub mod case_context;
pub mod observation;
pub mod recorder;
pub mod restart;
pub mod session;
pub mod shared_clock;
