//! The two times of the status: since when two-factor is enabled, and when it was last used.

use crate::chapters::prelude::*;
use crate::clock;
use crate::fixture::time::time_in;
use crate::fixture::two_factor::Enrolled;

cases! { "two-factor";
    /// The times of status and devices are texts in UTC with milliseconds.
    times_have_milliseconds judges ["two-factor/time-form"];
    /// habilitadoDesde is the time of enabling.
    enabled_since_is_the_time_of_enabling judges ["two-factor/status-enabled-since"];
    /// habilitadoDesde stays when the clock moves on, and moves when two-factor is enabled again.
    enabled_since_follows_the_clock judges ["two-factor/status-enabled-since"] needs [Need::Clock];
    /// ultimoUso is null before the first success, failures or not.
    last_use_is_null_before_the_first judges ["two-factor/status-last-use"];
    /// ultimoUso is the time of the latest success, by a code and by a backup code.
    last_use_is_the_time_of_the_latest_success judges ["two-factor/status-last-use"] needs [Need::Time];
    /// ultimoUso moves with each success, and with nothing else.
    last_use_follows_the_clock judges ["two-factor/status-last-use"] needs [Need::Clock];
}

const MINUTE_S: f64 = 60.0;

/// The time under that key, which must be about now; its form has a case of its own.
fn is_now(cx: &CaseContext<'_>, enrolled: &Enrolled, key: &str, before: i64) -> Result<i64, CaseError> {
    let reply = two_factor::status(cx, &enrolled.tokens)?;
    let pointer = format!("/{key}");
    let is_a_time = |value: &Value| clock::parse_any_iso(value.as_str().unwrap_or_default()).is_some();
    let check = reply.check();
    let check = check.at_where(&pointer, clock::ANY_ISO_FORM, is_a_time)?;
    let time = time_in(key, reply.at(&pointer).as_ref())?;
    let want = format!("about {}", clock::iso(before));
    check.that(time::is_now(cx, time, before)?, Place::body(pointer), want, clock::iso(time))?;
    Ok(time)
}

/// What every status and every list of devices must hold is judged of these.
fn times_have_milliseconds(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?;
    two_factor::manage(cx, "GET", "trusted-devices", &enrolled.tokens).send()?;
    two_factor::status(cx, &enrolled.tokens).map(drop)
}

fn enabled_since_is_the_time_of_enabling(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    let before = cx.target_now()?;
    let factor = two_factor::enable(cx, &tokens)?;
    let enrolled = Enrolled { user, tokens, factor };
    is_now(cx, &enrolled, "habilitadoDesde", before).map(|_| ())
}

fn enabled_since_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let first = two_factor::status(cx, &enrolled.tokens)?.at("/habilitadoDesde");
    cx.advance(MINUTE_S)?;
    let reply = two_factor::status(cx, &enrolled.tokens)?;
    let same = first.unwrap_or_default();
    reply.check().at("/habilitadoDesde", &same)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    two_factor::status(cx, &enrolled.tokens)?.check().at("/habilitadoDesde", &same)?;
    let before = cx.target_now()?;
    two_factor::enable(cx, &enrolled.tokens)?;
    is_now(cx, &enrolled, "habilitadoDesde", before).map(|_| ())
}

fn last_use_is_null_before_the_first(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let is_null = || -> CaseResult {
        two_factor::status(cx, &enrolled.tokens)?.check().at("/ultimoUso", &json!(null))?;
        Ok(())
    };
    is_null()?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    is_null()?;
    two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(totp_steps::current(cx)?, 0))?;
    is_null()
}

fn last_use_is_the_time_of_the_latest_success(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let used = |token: &str| -> Result<i64, CaseError> {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        time::let_a_second_pass(cx)?;
        let before = cx.target_now()?;
        two_factor::verify(cx, &session, token)?.prepared("verifying a code", 200)?;
        is_now(cx, &enrolled, "ultimoUso", before)
    };
    let first = used(&enrolled.factor.code(totp_steps::current(cx)?))?;
    let second = used(enrolled.factor.backup_code(0)?)?;
    let reply = two_factor::status(cx, &enrolled.tokens)?;
    let want = format!("later than {}", clock::iso(first));
    reply.check().that(second > first, Place::body("/ultimoUso"), want, clock::iso(second)).map(drop)
}

fn last_use_follows_the_clock(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let used = |token: &str| -> Result<i64, CaseError> {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        let before = cx.target_now()?;
        two_factor::verify(cx, &session, token)?.prepared("verifying a code", 200)?;
        is_now(cx, &enrolled, "ultimoUso", before)
    };
    used(enrolled.factor.backup_code(0)?)?;
    cx.advance(MINUTE_S)?;
    let time = used(&enrolled.factor.code(totp_steps::current(cx)?))?;
    cx.advance(MINUTE_S)?;
    // Neither a login up to the code nor a failure is a use.
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(totp_steps::current(cx)?, 0))?;
    let reply = two_factor::status(cx, &enrolled.tokens)?;
    reply.check().at_where("/ultimoUso", clock::iso(time), |value| {
        clock::parse_any_iso(value.as_str().unwrap_or_default()) == Some(time)
    })?;
    used(enrolled.factor.backup_code(1)?).map(|_| ())
}
