//! JSON text as JavaScript reads and writes it: `JSON.parse` and `JSON.stringify`, character for character. But entries keep their order,
//! also those with names such as `7`, which JavaScript would move to the front.
//!
//! The ETag of a response is a hash of this text, so number forms and escapes are part of the contract, not of taste.

mod parse;
mod transcribe;
mod write;

pub use parse::{NotJson, parse, read_record, value};
pub use transcribe::Transcript;
pub(crate) use transcribe::transcribe;
pub(crate) use write::{is_plain, write_separated, write_text_to, write_to};
pub use write::{write, write_number_to};
