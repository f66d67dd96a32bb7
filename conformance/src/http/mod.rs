//! Requests and replies: sent, recorded, checked. Knows no case.

pub mod challenge;
pub mod client;
pub mod connection;
pub mod control;
pub mod exchange;
pub mod listed_values;
pub mod media_type;
pub mod reply;
pub mod request;
mod stream;
pub mod throttle;
#[cfg(feature = "tls")]
mod tls;
