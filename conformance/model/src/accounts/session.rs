//! Session tokens: their form and their life. Times are milliseconds.

use crate::clock::MINUTE_MS;
use crate::secrets;

/// A new token, or the id of a new pending login: 64 random hex digits.
pub fn new_token(_earlier: Option<&str>) -> String {
    secrets::random_hex(32)
}

/// The new end of a session that is used now: 30 minutes from now, even if it ended later before.
pub fn end_after_use(_end: i64, now: i64, _path: &str) -> i64 {
    now + 30 * MINUTE_MS
}
