//! The texts of refusals that the documents list. Says nothing about their status.

pub const USER_EXISTS: &str = "User already exists";
pub const USER_NOT_FOUND: &str = "User not found";
pub const WRONG_PASSWORD: &str = "Wrong password";
pub const USER_INACTIVE: &str = "User inactive";
pub const NOT_ENABLED: &str = "Two-factor is not enabled";
pub const NOT_CONFIGURED: &str = "Two-factor is not configured";
pub const PENDING_UNKNOWN: &str = "Two-factor session not found or expired";
pub const PENDING_MISSING: &str = "sessionId is required";
pub const PENDING_EXPIRED: &str = "Two-factor session expired";
pub const PENDING_EXHAUSTED: &str = "Too many failed attempts in this session";
pub const BLOCKED: &str = "Too many failed attempts";
pub const INVALID_CODE: &str = "Invalid two-factor code";
pub const NO_USER: &str = "Unable to determine the authenticated user";
pub const UNKNOWN_KEY: &str = "Unknown API key";
pub const KEY_LACKS_PERMISSION: &str = "The API key lacks a permission";
pub const USER_LACKS_PERMISSION: &str = "The user lacks a permission";
pub const PAYLOAD_UNREADABLE: &str = "The payload cannot be read";
pub const PAYLOAD_NOT_OBJECT: &str = "The payload is not an object";
pub const DEVICE_ID_UNREADABLE: &str = "This device id cannot be decoded";
pub const NOT_JSON: &str = "the body is not JSON";
pub const EMAIL_TAKEN: &str = "the e-mail is taken";
/// Refuses a GraphQL request without a readable query.
pub const NO_QUERY: &str = "send a query as a string";
