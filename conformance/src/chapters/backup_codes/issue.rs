//! What is issued: how many codes, of what form, and what regenerating does to those of before.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::backup_codes_in;

cases! { "backup-codes";
    /// Enabling and regenerating issue eight codes of ten characters of 0-9 and A-F, no two alike.
    codes_are_issued_in_full judges ["backup-codes/count", "backup-codes/form"];
    /// After regenerating a code of before is refused, used or not, and a new one accepted.
    regenerating_ends_the_earlier_codes judges ["backup-codes/regenerate-invalidates"];
    /// After two codes were used and eight new ones issued, the first, the second and the last of the new are accepted.
    regenerated_codes_are_all_unused judges ["backup-codes/regenerate-unused"];
}

/// A code of an answer, counted from 0.
fn code(reply: &Reply, index: usize) -> Result<String, CaseError> {
    backup_codes_in(reply).get(index).cloned().ok_or_else(|| {
        CaseError::blocked("reading backup codes", format!("want a text at /backupCodes/{index}, got none"))
    })
}

/// What every issue must hold is judged of each.
fn codes_are_issued_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    two_factor::regenerate(cx, &enrolled.tokens).map(drop)
}

fn regenerating_ends_the_earlier_codes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let used = enrolled.factor.backup_code(0)?;
    two_factor::log_in_with(cx, &enrolled.user, used)?;
    let issue = two_factor::regenerate(cx, &enrolled.tokens)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    for earlier in [enrolled.factor.backup_code(1)?, used] {
        two_factor::verify(cx, &session, earlier)?.check().status(400)?;
    }
    two_factor::verify(cx, &session, &code(&issue, 0)?)?.prepared("verifying a new backup code", 200).map(|_| ())
}

fn regenerated_codes_are_all_unused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for index in [0, 1] {
        two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(index)?)?;
    }
    let issue = two_factor::regenerate(cx, &enrolled.tokens)?;
    for index in [0, 1, 7] {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::verify(cx, &session, &code(&issue, index)?)?.check().status(200)?;
    }
    Ok(())
}
