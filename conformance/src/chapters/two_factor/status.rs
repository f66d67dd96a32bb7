//! Status: its two shapes, what it counts, and its times; regenerating backup codes. What that does to the codes is in
//! the chapter backup-codes.

use super::enable::wrong_passwords;
use crate::chapters::prelude::*;

cases! { "two-factor";
    /// The status of a user who never configured two-factor is habilitado false alone.
    the_status_before_enabling_has_one_key judges ["two-factor/status-unconfigured"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        two_factor::status(cx, &tokens)?.check().body(&json!({ "habilitado": false })).map(drop)
    };
    /// Once enabled, the status has its seven keys, 8 codes in all and both methods, enabled or disabled.
    a_status_is_answered_in_full judges [
        "two-factor/status-shape", "two-factor/status-codes-total", "two-factor/status-methods-constant",
    ] => |cx| {
        // Reads the status after enabling, when every backup code is used, after regenerating and after disabling; what every status
        // must hold is judged of each.
        let enrolled = two_factor::enroll(cx)?;
        two_factor::status(cx, &enrolled.tokens)?;
        for code in &enrolled.factor.backup_codes {
            two_factor::log_in_with(cx, &enrolled.user, code)?;
        }
        let status = two_factor::status(cx, &enrolled.tokens)?;
        status.check_rule("two-factor/status-codes-total").at("/totalBackupCodes", &json!(8))?;
        two_factor::regenerate(cx, &enrolled.tokens)?;
        two_factor::status(cx, &enrolled.tokens)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        two_factor::status(cx, &enrolled.tokens).map(drop)
    };
    /// habilitado is true while two-factor is enabled, also when it is enabled again.
    the_status_says_that_it_is_enabled judges ["two-factor/status-enabled"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let is_enabled = || says(cx, &enrolled, "/habilitado", &json!(true));
        is_enabled()?;
        two_factor::enable(cx, &enrolled.tokens)?;
        is_enabled()?;
        two_factor::disable(cx, &enrolled.tokens)?;
        two_factor::enable(cx, &enrolled.tokens)?;
        is_enabled()
    };
    /// backupCodesDisponibles goes down with each use, and not with a refusal, and is 8 again after regenerating.
    the_status_counts_unused_codes judges ["two-factor/status-codes-available"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let are_unused = |count: u32| says(cx, &enrolled, "/backupCodesDisponibles", &json!(count));
        are_unused(8)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(0)?)?;
        are_unused(7)?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(0))?;
        are_unused(7)?;
        two_factor::log_in_with(cx, &enrolled.user, &enrolled.code(cx)?)?;
        are_unused(7)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(7)?)?;
        are_unused(6)?;
        two_factor::regenerate(cx, &enrolled.tokens)?;
        are_unused(8)
    };
    /// dispositivosConfiables is the number of trusted devices, or their list.
    what_the_status_says_of_devices judges ["two-factor/status-devices"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let first = two_factor::status(cx, &enrolled.tokens)?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, &two_factor::laptop(cx))?;
        let second = two_factor::status(cx, &enrolled.tokens)?;
        let [before, after] = [&first, &second].map(|reply| reply.at("/dispositivosConfiables"));
        let count = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
        let length = |value: &Option<Value>| Some(value.as_ref()?.as_array()?.len());
        let readings = [
            ("number", count(&before) == Some(0.0) && count(&after) == Some(1.0)),
            ("list", length(&before) == Some(0) && length(&after) == Some(1)),
        ];
        cx.observe(&readings, format!("{before:?} without a device, {after:?} with one")).seen_in([&first, &second])
    };
    /// After disabling, the status keeps its keys, with habilitado false.
    the_status_after_disabling judges ["two-factor/status-disabled"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let since = two_factor::status(cx, &enrolled.tokens)?.at("/habilitadoDesde");
        two_factor::disable(cx, &enrolled.tokens)?;
        let reply = two_factor::manage(cx, "GET", "status", &enrolled.tokens).send()?;
        let is_disabled = reply.check().keys("", &KEYS).and_then(|check| check.at("/habilitado", &json!(false)));
        let keeps_keys = reply.is(200) && is_disabled.is_ok();
        let after = reply.at("/habilitadoDesde");
        let readings = [("kept", keeps_keys && after == since), ("null", keeps_keys && after == Some(Value::Null))];
        cx.observe(&readings, reply.json())
    };
    /// The times of status and devices are texts in UTC with milliseconds.
    times_have_milliseconds judges ["two-factor/time-form"] => |cx| {
        // What every status and every list of devices must hold is judged of these.
        let enrolled = two_factor::enroll(cx)?;
        two_factor::trust(cx, &enrolled.user, enrolled.backup_code(0)?, &two_factor::laptop(cx))?;
        two_factor::manage(cx, "GET", "trusted-devices", &enrolled.tokens).send()?;
        two_factor::status(cx, &enrolled.tokens).map(drop)
    };
    /// habilitadoDesde is the time of enabling.
    enabled_since_is_the_time_of_enabling judges ["two-factor/status-enabled-since"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let before = cx.target_now()?;
        let factor = two_factor::enable(cx, &tokens)?;
        let enrolled = Enrolled { user, tokens, factor };
        is_now(cx, &enrolled, "habilitadoDesde", before).map(drop)
    };
    /// habilitadoDesde stays when the clock moves on, and moves when two-factor is enabled again.
    enabled_since_follows_the_clock judges ["two-factor/status-enabled-since"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let first = two_factor::status_at(cx, &enrolled.tokens, "/habilitadoDesde")?;
        cx.advance(MINUTE_S)?;
        says(cx, &enrolled, "/habilitadoDesde", &first)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(0)?)?;
        says(cx, &enrolled, "/habilitadoDesde", &first)?;
        let before = cx.target_now()?;
        two_factor::enable(cx, &enrolled.tokens)?;
        is_now(cx, &enrolled, "habilitadoDesde", before).map(drop)
    };
    /// ultimoUso is null before the first success, failures or not.
    last_use_is_null_before_the_first judges ["two-factor/status-last-use"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let is_null = || says(cx, &enrolled, "/ultimoUso", &json!(null));
        is_null()?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        is_null()?;
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(totp_steps::current(cx)?, 0))?;
        is_null()
    };
    /// ultimoUso is the time of the latest success, by a code and by a backup code.
    last_use_is_the_time_of_the_latest_success judges ["two-factor/status-last-use"] needs [Need::Time] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let first = used(cx, &enrolled, &enrolled.code(cx)?, time::let_a_second_pass)?;
        let second = used(cx, &enrolled, enrolled.backup_code(0)?, time::let_a_second_pass)?;
        let reply = two_factor::status(cx, &enrolled.tokens)?;
        let want = format!("later than {}", clock::iso(first));
        reply.check().that(second > first, Place::body("/ultimoUso"), want, clock::iso(second)).map(drop)
    };
    /// ultimoUso moves with each success, and with nothing else.
    last_use_follows_the_clock judges ["two-factor/status-last-use"] needs [Need::Clock] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let used = |token: &str| used(cx, &enrolled, token, |_| Ok(()));
        used(enrolled.backup_code(0)?)?;
        cx.advance(MINUTE_S)?;
        let time = used(&enrolled.code(cx)?)?;
        cx.advance(MINUTE_S)?;
        // Neither a login up to the code nor a failure is a use.
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::fail_check(cx, &session, &enrolled.factor.wrong_code(totp_steps::current(cx)?, 0))?;
        let reply = two_factor::status(cx, &enrolled.tokens)?;
        reply.check().at_where("/ultimoUso", clock::iso(time), |value| {
            clock::parse_any_iso(value.as_str().unwrap_or_default()) == Some(time)
        })?;
        used(enrolled.backup_code(1)?).map(drop)
    };
    /// Regenerating answers 200 with its two keys.
    regenerating_answers_with_two_keys judges ["two-factor/regenerate-shape"]
        => |cx| two_factor::regenerate(cx, &two_factor::enroll(cx)?.tokens).map(drop);
    /// After regenerating, a login still asks for a second factor and takes a code of the same secret, enabled as long as before.
    regenerating_leaves_the_secret judges ["two-factor/regenerate-keeps-secret"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let since = || two_factor::status_at(cx, &enrolled.tokens, "/habilitadoDesde");
        let before = since()?;
        let reply = two_factor::regenerate(cx, &enrolled.tokens)?;
        let after = since()?;
        reply.check().that(before == after, "habilitadoDesde of the status afterwards", before, after)?;
        let login = two_factor::log_in(cx, &enrolled.user)?;
        login.check().at("/requiere2FA", &json!(true))?;
        two_factor::judge_check(cx, &login.text_at("/sessionId"), &enrolled.code(cx)?, 200)
    };
    /// A wrong password, and none, are 400, and the earlier codes still work.
    regenerating_checks_the_password judges ["two-factor/regenerate-wrong-password"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let regenerating = |body| two_factor::manage_with(cx, "regenerate-backup-codes", &enrolled.tokens, body);
        each_answers(400, wrong_passwords().iter().map(regenerating))?;
        two_factor::judge_anew(cx, &enrolled, enrolled.backup_code(0)?, 200)?;
        // The twin: the right one does.
        two_factor::regenerate(cx, &enrolled.tokens).map(drop)
    };
    /// Regenerating what was never configured is 400.
    regenerating_what_was_never_configured_is_refused judges ["two-factor/regenerate-not-enabled"]
        => |cx| regenerating_is_refused(cx, &users::register_and_log_in(cx, "user")?.1);
    /// Regenerating what is disabled is 400.
    regenerating_what_is_disabled_is_refused judges ["two-factor/regenerate-not-enabled"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        regenerating_is_refused(cx, &enrolled.tokens)
    };
}

const KEYS: [&str; 7] = [
    "habilitado",
    "habilitadoDesde",
    "ultimoUso",
    "backupCodesDisponibles",
    "totalBackupCodes",
    "dispositivosConfiables",
    "metodosDisponibles",
];

/// The status has this value there.
fn says(cx: &CaseContext<'_>, enrolled: &Enrolled, pointer: &str, want: &Value) -> CaseResult {
    two_factor::status(cx, &enrolled.tokens)?.check().at(pointer, want).map(drop)
}

const MINUTE_S: f64 = 60.0;

/// The time under that key, which must be about now; its form has a case of its own.
fn is_now(cx: &CaseContext<'_>, enrolled: &Enrolled, key: &str, before: i64) -> CaseResult<i64> {
    time::judge_now(cx, &two_factor::status(cx, &enrolled.tokens)?, None, &format!("/{key}"), before)
}

/// Logs in with that code, which must be the latest use: when.
fn used(
    cx: &CaseContext<'_>,
    enrolled: &Enrolled,
    token: &str,
    wait: fn(&CaseContext<'_>) -> CaseResult,
) -> CaseResult<i64> {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    wait(cx)?;
    let before = cx.target_now()?;
    two_factor::pass_check(cx, &session, token, "verifying a code")?;
    is_now(cx, enrolled, "ultimoUso", before)
}

fn regenerating_is_refused(cx: &CaseContext<'_>, tokens: &Tokens) -> CaseResult {
    each_answers(400, [two_factor::manage(cx, "POST", "regenerate-backup-codes", tokens)])
}
