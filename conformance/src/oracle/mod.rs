//! Independent computations of ETags, JWTs, one-time codes and concurrent histories. Send nothing.

pub mod etag;
pub mod jwt;
pub(crate) mod linearizability;
pub mod totp;
