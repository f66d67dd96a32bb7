//! The two-factor record of a user, from one state to the next.

use crate::records::{BackupCode, TwoFactor};

/// Enabling: the fresh record, whatever there was before.
pub fn enabled(_earlier: Option<TwoFactor>, fresh: TwoFactor) -> TwoFactor {
    fresh
}

/// Disabling: the record stays, no longer enabled.
pub fn disabled(record: TwoFactor) -> Option<TwoFactor> {
    Some(TwoFactor { enabled: false, ..record })
}

/// Regenerating: new codes instead of the earlier ones.
pub fn regenerated(record: TwoFactor, codes: Vec<BackupCode>, _now: i64) -> TwoFactor {
    TwoFactor { codes, ..record }
}
