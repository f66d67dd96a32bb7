//! What the machine gives: the time and randomness. Each is read in one file.

pub mod clock;
pub mod entropy;
