//! Independent readings of small things: what an ETag and a one-time code must be. Sends nothing.

pub mod etag;
pub(crate) mod linearizability;
pub mod totp;
