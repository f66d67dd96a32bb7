//! The steps that accounts are made of, each a plain function of what it is given. Knows no request, no state and no policy.

pub(crate) mod api_key;
pub(crate) mod code;
pub(crate) mod device;
pub(crate) mod jwt;
pub(crate) mod session;
pub(crate) mod two_factor;
pub(crate) mod user;
