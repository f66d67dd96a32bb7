//! The reference server.

pub mod json;
pub mod query;
