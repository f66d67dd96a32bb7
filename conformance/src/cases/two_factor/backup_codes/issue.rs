//! What is issued: how many codes, of what form, and what regenerating does to those of before.

use std::collections::BTreeSet;

use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::two_factor::{self, backup_codes_in};
use crate::fixture::users;
use crate::http::reply::Reply;

cases! { "backup-codes";
    /// Enabling issues eight codes, no two alike.
    enabling_issues_eight_codes judges ["backup-codes/count"];
    /// Regenerating issues eight codes, no two alike, some of the earlier used or not.
    regenerating_issues_eight_codes judges ["backup-codes/count"];
    /// Codes issued by enabling are ten characters of 0-9 and A-F.
    enabling_issues_upper_case_hex judges ["backup-codes/form"];
    /// Codes issued by regenerating are ten characters of 0-9 and A-F.
    regenerating_issues_upper_case_hex judges ["backup-codes/form"];
    /// After regenerating a code of before is refused, used or not, and a new one accepted.
    regenerating_ends_the_earlier_codes judges ["backup-codes/regenerate-invalidates"];
    /// After two codes were used and eight new ones issued, the first, the second and the last of the new are accepted.
    regenerated_codes_are_all_unused judges ["backup-codes/regenerate-unused"];
}

fn enabled(cx: &CaseContext<'_>) -> Result<Reply, CaseError> {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::manage(cx, "POST", "enable", &tokens).send()?.prepared("enabling two-factor", 200)
}

/// A code of an answer, counted from 0.
fn code(reply: &Reply, index: usize) -> Result<String, CaseError> {
    backup_codes_in(reply).get(index).cloned().ok_or_else(|| {
        CaseError::blocked("reading backup codes", format!("want a text at /backupCodes/{index}, got none"))
    })
}

fn are_eight(reply: &Reply) -> CaseResult {
    reply.check().at_where("/backupCodes", "eight texts, no two alike", |value| {
        let codes = value.as_array().map(Vec::as_slice).unwrap_or_default();
        let texts: BTreeSet<&str> = codes.iter().filter_map(|code| code.as_str()).collect();
        codes.len() == 8 && texts.len() == 8
    })?;
    Ok(())
}

fn enabling_issues_eight_codes(cx: &CaseContext<'_>) -> CaseResult {
    are_eight(&enabled(cx)?)
}

fn regenerating_issues_eight_codes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    are_eight(&two_factor::regenerate(cx, &enrolled.tokens)?)?;
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    are_eight(&two_factor::regenerate(cx, &enrolled.tokens)?)
}

fn are_hex(reply: &Reply) -> CaseResult {
    let is_hex = |code: &str| code.len() == 10 && code.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    let want = "texts of ten characters of 0-9 and A-F";
    reply.check().at_where("/backupCodes", want, |value| {
        let codes = value.as_array().map(Vec::as_slice).unwrap_or_default();
        !codes.is_empty() && codes.iter().all(|code| code.as_str().is_some_and(is_hex))
    })?;
    Ok(())
}

fn enabling_issues_upper_case_hex(cx: &CaseContext<'_>) -> CaseResult {
    are_hex(&enabled(cx)?)
}

fn regenerating_issues_upper_case_hex(cx: &CaseContext<'_>) -> CaseResult {
    are_hex(&two_factor::regenerate(cx, &two_factor::enroll(cx)?.tokens)?)
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
