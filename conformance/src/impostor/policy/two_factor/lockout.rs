//! What failed code checks block, and for how long. The default is right. Times are milliseconds.

use crate::impostor::model::clock::MINUTE_MS;
use crate::impostor::model::records::Pending;

/// Its values.
#[derive(Clone, Debug)]
pub(crate) struct LockoutPolicy {
    /// How many failures within the window block.
    pub(crate) failures: usize,
    pub(crate) window_ms: i64,
    pub(crate) block_ms: i64,
    pub(crate) runs_from: RunsFrom,
    /// Whose failure a failed check is: that of the e-mail.
    pub(crate) counts_for: fn(&Pending) -> String,
    pub(crate) missing_token: Counted,
    /// A token of no known form.
    pub(crate) odd_token: Counted,
    pub(crate) backup_code: Counted,
    pub(crate) spares_backup_codes: bool,
    pub(crate) closes_login: bool,
    /// Whether a check that a block refuses is a failure.
    pub(crate) refused_check_counts: bool,
    /// Whether a backup code that a block refuses is used up.
    pub(crate) refused_check_spends_code: bool,
    pub(crate) success_clears_failures: bool,
    pub(crate) end_clears_failures: bool,
    /// Whether a block is over when too few of its failures are left in the window.
    pub(crate) over_when_failures_leave: bool,
}

impl Default for LockoutPolicy {
    fn default() -> Self {
        Self {
            failures: 3,
            window_ms: 60 * MINUTE_MS,
            block_ms: 15 * MINUTE_MS,
            runs_from: RunsFrom::default(),
            counts_for: |pending| pending.email.clone(),
            missing_token: Counted::default(),
            odd_token: Counted::default(),
            backup_code: Counted::default(),
            spares_backup_codes: false,
            closes_login: false,
            refused_check_counts: false,
            refused_check_spends_code: false,
            success_clears_failures: false,
            end_clears_failures: false,
            over_when_failures_leave: false,
        }
    }
}

/// Which failure a block runs from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum RunsFrom {
    #[default]
    LastFailure,
    FirstFailure,
}

/// Where a failed check counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Counted {
    #[default]
    Everywhere,
    /// For its pending login alone.
    InItsLogin,
    Nowhere,
}
