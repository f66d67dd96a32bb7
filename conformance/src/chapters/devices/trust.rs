//! For how long a device is trusted: 30 days since lastUsed.
//!
//! No case logs in from the device while it waits: whether that refreshes lastUsed is open.

use super::refresh::registered;
use super::trusted::judge_login;
use crate::chapters::prelude::*;
use crate::fixture::time::{HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::fixture::two_factor::tokens_in;

cases! { "devices";
    /// Shortly before 30 days have passed a login from the device skips the second factor.
    a_device_is_trusted_for_30_days judges ["devices/trusted-30-days"] needs [Need::Clock];
    /// The 30 days run from the second registration, not from the first.
    the_30_days_run_from_last_used judges ["devices/trusted-30-days"] needs [Need::Clock];
    /// Shortly after 30 days a login from the device asks for a second factor.
    a_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock];
    /// Shortly after 30 days since the second registration it asks, too.
    a_refreshed_device_is_not_trusted_after_30_days judges ["devices/expires"] needs [Need::Clock];
    /// A device trusted again after it expired skips the second factor, as a new one does.
    an_expired_device_is_trusted_again judges ["devices/again-refreshes"] needs [Need::Clock];
}

const TRUST_MS: i64 = 30 * 24 * HOUR_MS;
const BEFORE_MS: i64 = 3 * SECOND_MS;
const AFTER_MS: i64 = 2 * SECOND_MS;

fn a_device_is_trusted_for_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let enrolled = two_factor::enroll(cx)?;
        let code = enrolled.factor.backup_code(0)?;
        let (_, at) = time::timed(cx, |cx| two_factor::trust(cx, &enrolled.user, code, &two_factor::laptop(cx)))?;
        time::advance_to(cx, at.from + TRUST_MS - BEFORE_MS)?;
        Ok((two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?, at.from + TRUST_MS))
    })?;
    reply.check().at("/requiere2FA", &json!(false)).map(drop)
}

fn the_30_days_run_from_last_used(cx: &CaseContext<'_>) -> CaseResult {
    let (enrolled, second, at) = registered(cx)?;
    time::advance_past(cx, at.to + 5 * MINUTE_MS)?;
    let code = enrolled.factor.backup_code(1)?;
    tokens_in(&two_factor::verify_trusting(cx, &second, code, &two_factor::laptop(cx))?)?;
    time::advance_past(cx, at.to + TRUST_MS + MINUTE_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
}

fn a_device_is_not_trusted_after_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = enrolled.factor.backup_code(0)?;
    let (_, at) = time::timed(cx, |cx| two_factor::trust(cx, &enrolled.user, code, &two_factor::laptop(cx)))?;
    time::advance_to(cx, at.to + TRUST_MS + AFTER_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), true)
}

fn a_refreshed_device_is_not_trusted_after_30_days(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let (first, second) =
        (two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?);
    let code = enrolled.factor.backup_code(0)?;
    tokens_in(&two_factor::verify_trusting(cx, &first, code, &two_factor::laptop(cx))?)?;
    time::advance_ms(cx, 5 * MINUTE_MS)?;
    let code = enrolled.factor.backup_code(1)?;
    let (reply, at) = time::timed(cx, |cx| two_factor::verify_trusting(cx, &second, code, &two_factor::laptop(cx)))?;
    tokens_in(&reply)?;
    time::advance_to(cx, at.to + TRUST_MS + AFTER_MS)?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), true)
}

fn an_expired_device_is_trusted_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?;
    time::advance_ms(cx, TRUST_MS + HOUR_MS)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(1)?, &two_factor::laptop(cx))?;
    judge_login(cx, &enrolled.user, &two_factor::laptop(cx), false)
}
