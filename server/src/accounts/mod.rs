//! Users, API clients and what belongs to them: pure records with their transitions, and the tables that hold them. Knows no handler.

pub(crate) mod account_keys;
pub(crate) mod api_client;
pub(crate) mod backup_code;
pub(crate) mod code_attempts;
pub(crate) mod initial;
pub(crate) mod moving_time;
pub(crate) mod pending_login;
pub(crate) mod permission;
pub(crate) mod principal;
pub(crate) mod session;
pub(crate) mod table;
pub(crate) mod tables;
pub(crate) mod trusted_device;
pub(crate) mod two_factor;
pub(crate) mod user;
