//! Cases about who asks: credentials, registration, login, permissions, sessions, tokens, API keys.

pub mod api_keys;
pub mod credentials;
pub mod login;
pub mod permissions;
pub mod registration;
pub mod sessions;
pub mod tokens;
