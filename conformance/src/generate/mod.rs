//! Generated inputs and their shrinking, and list queries. Sends nothing by itself.

pub mod inputs;
pub mod queries;
