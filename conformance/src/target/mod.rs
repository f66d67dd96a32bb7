//! The implementation under judgement: its profile, its control hook, its process. Sends no request of a case.

pub mod control;
pub mod process;
pub mod profile;
pub mod restart;
