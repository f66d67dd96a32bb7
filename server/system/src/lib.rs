//! Time and randomness of the machine, each read in one file. Knows nothing of the service.

pub mod clock;
pub mod entropy;
