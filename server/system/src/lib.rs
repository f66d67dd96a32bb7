//! Time, randomness and processors of the machine, each read in one file. Knows nothing of the service.

pub mod clock;
pub mod entropy;
mod processors;

pub use processors::processors;
