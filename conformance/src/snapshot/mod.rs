//! Snapshots: whole requests and answers as reviewed text, one file a transcript under `conformance/snapshots`.
//!
//! A transcript renders what went over the wire, with every value that may differ from run to run shown as a relation that was
//! verified first (`<md5 of datos>`, `<= id A>`), never as a blank. The test `tests/snapshots.rs` records the transcripts of the
//! reference with insta; the same files, built into the program, are what any other implementation is compared with: header
//! names in any case and order, JSON keys in any order, free texts, and the readings a transcript allows.

mod common_headers;
pub(crate) mod headers;
mod mask;
mod render;
pub mod reviewed;
pub(crate) mod step;
mod step_spec;
mod transcript;

pub(crate) use headers::Kind;
pub(crate) use mask::{LetterCase, Mask};
pub(crate) use step_spec::StepSpec;
pub(crate) use transcript::Transcript;
