//! Time and randomness of the machine, each read in one file, and the number of its processors. Knows nothing of the service.

pub mod clock;
pub mod entropy;
mod processors;

pub use processors::processors;
