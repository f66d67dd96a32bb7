//! Generated inputs: drawing them, shrinking what fails, and list queries. Sends nothing by itself.

pub mod inputs;
pub mod queries;
