//! Time-based codes and backup codes. The default is right.

use crate::impostor::model::accounts::code;

/// Time-based codes.
#[derive(Clone, Debug)]
pub(crate) struct CodePolicy {
    /// Whether a code that was accepted is accepted again.
    pub(crate) accepted_again: bool,
    pub(crate) step_seconds: i64,
    /// How many steps ago a code may be of.
    pub(crate) steps_back: i64,
    /// How many steps ahead a code may be of.
    pub(crate) steps_ahead: i64,
    pub(crate) key: fn(&str) -> Vec<u8>,
    pub(crate) mac: fn(&[u8], &[u8]) -> Vec<u8>,
    pub(crate) digits: fn(u32) -> String,
}

impl Default for CodePolicy {
    fn default() -> Self {
        Self {
            accepted_again: true,
            step_seconds: 30,
            steps_back: 1,
            steps_ahead: 1,
            key: code::key,
            mac: code::mac,
            digits: code::digits,
        }
    }
}

/// Backup codes.
#[derive(Clone, Debug)]
pub(crate) struct BackupCodePolicy {
    pub(crate) used_again: bool,
    pub(crate) spending: Spending,
    pub(crate) count: usize,
    /// Random bytes of a code: two digits a byte.
    pub(crate) bytes: usize,
}

impl Default for BackupCodePolicy {
    fn default() -> Self {
        Self { used_again: false, spending: Spending::default(), count: 8, bytes: 5 }
    }
}

/// What the use of a backup code uses up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Spending {
    #[default]
    Itself,
    All,
}
