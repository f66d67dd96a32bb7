//! Snapshots: whole requests and answers as reviewed text, a file per transcript in `conformance/snapshots`.
//!
//! A reviewed text is a transcript to play: its requests are sent, with values in the place of their names, and each answer must match
//! the one shown. A transcript shows every value that differs between runs as a relation, verified first (`<md5 of datos>`, `<= id
//! A>`), never as a blank. `tests/snapshots.rs` records the transcripts of the reference; the program has the same
//! files built in and compares other implementations with them. Letter case and order of header names, the order of
//! JSON keys and free texts do not matter, nor do the readings that a transcript allows.

pub(crate) mod headers;
mod mask;
mod render;
pub mod reviewed;
pub(crate) mod step;
mod step_spec;
mod transcript;

pub(crate) use transcript::Transcript;
