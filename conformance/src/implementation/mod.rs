//! The implementation under judgement: its profile and its process. Sends no request of a case.

mod address;
mod environment;
mod interface;
pub(crate) mod listening;
pub mod process;
mod process_group;
mod process_output;
pub mod profile;
mod profile_file;
