//! Cases about HTTP itself: paths, headers, validators, versions, errors.

pub mod conditional;
pub mod errors;
pub mod headers;
pub mod routing;
pub mod versioning;
