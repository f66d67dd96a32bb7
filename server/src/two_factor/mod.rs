//! The second factor: codes, backup codes, trusted devices, waiting logins and the lockout. Each record and its
//! transitions stand in a file of their own, pure, with now passed in.

pub mod backup;
pub mod device;
pub mod lockout;
pub mod pending;
pub mod record;
pub mod totp;
