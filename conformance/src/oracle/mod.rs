//! Independent computations of ETags, one-time codes and concurrent histories. Send nothing.

pub mod etag;
pub(crate) mod linearizability;
pub mod totp;
