//! Session tokens: their form and their life. Times are milliseconds.

use crate::clock::MINUTE_MS;
use crate::secrets;

/// A new token, or the id of a new pending login: 64 digits, whatever the user had before.
pub fn new_token(_earlier: Option<&str>) -> String {
    secrets::random_hex(32)
}

/// When a session ends that is used now: in 30 minutes, be that later or earlier than before.
pub fn end_after_use(_end: i64, now: i64, _path: &str) -> i64 {
    now + 30 * MINUTE_MS
}
