//! What accounts are made of, each a plain function of what it is given. Knows no request and no state.

pub mod code;
pub mod device;
pub mod fields;
pub mod jwt;
pub mod permissions;
pub mod session;
