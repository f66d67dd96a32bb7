//! Secrets, hashes and codes. Knows neither users nor requests.

pub(crate) mod fingerprint;
pub mod password;
pub(crate) mod sealing;
pub mod secret;
pub mod totp;
