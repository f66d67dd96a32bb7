//! Credentials and permissions: the guard, and the handlers of `/auth` and `/2fa`.

pub(crate) mod api_keys;
pub(crate) mod data_key;
pub(crate) mod guard;
pub(crate) mod identity;
pub(crate) mod jwt;
pub(crate) mod login;
pub(crate) mod passwords;
pub(crate) mod registration;
pub(crate) mod trusted_devices;
pub(crate) mod two_factor;
pub(crate) mod verification;
