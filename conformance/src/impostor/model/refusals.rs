//! The texts of refusals that the documents list. Says nothing about their status.

pub(crate) const USER_EXISTS: &str = "User already exists";
pub(crate) const USER_NOT_FOUND: &str = "User not found";
pub(crate) const WRONG_PASSWORD: &str = "Wrong password";
pub(crate) const USER_INACTIVE: &str = "User inactive";
pub(crate) const NOT_ENABLED: &str = "Two-factor is not enabled";
pub(crate) const NOT_CONFIGURED: &str = "Two-factor is not configured";
pub(crate) const PENDING_UNKNOWN: &str = "Two-factor session not found or expired";
pub(crate) const PENDING_MISSING: &str = "sessionId is required";
pub(crate) const PENDING_EXPIRED: &str = "Two-factor session expired";
pub(crate) const PENDING_EXHAUSTED: &str = "Too many failed attempts in this session";
pub(crate) const BLOCKED: &str = "Too many failed attempts";
pub(crate) const INVALID_CODE: &str = "Invalid two-factor code";
pub(crate) const NO_USER: &str = "Unable to determine the authenticated user";
pub(crate) const UNKNOWN_KEY: &str = "Unknown API key";
pub(crate) const KEY_LACKS_PERMISSION: &str = "The API key lacks a permission";
pub(crate) const USER_LACKS_PERMISSION: &str = "The user lacks a permission";
pub(crate) const PAYLOAD_UNREADABLE: &str = "The payload cannot be read";
pub(crate) const PAYLOAD_NOT_OBJECT: &str = "The payload is no object";
pub(crate) const DEVICE_ID_UNREADABLE: &str = "This device id cannot be decoded";
