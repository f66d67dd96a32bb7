//! The conformance suite.
pub mod impostor;
