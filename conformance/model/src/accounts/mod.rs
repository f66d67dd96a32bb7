//! The parts of an account as plain functions: codes, devices, fields, tokens, permissions, sessions. Knows no request and no state.

pub mod code;
pub mod device;
pub mod fields;
pub mod jwt;
pub mod permissions;
pub mod session;
