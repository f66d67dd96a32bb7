//! Switching the second factor on, its status, and regenerating backup codes. What that does to the codes is in the chapter backup-codes.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Factor;

cases! { "two-factor";
    /// Each route acts on the user of its credential, not on one named in the body, and leaves others as they were.
    each_route_acts_on_its_own_user judges ["two-factor/own-user"] => |cx| {
        let (other, others) = users::register_and_log_in(cx, "user")?;
        let (_, own) = users::register_and_log_in(cx, "user")?;
        // The key email may be refused: then nothing is done for any user.
        let named = json!({ "password": other.password, "email": other.email });
        let rounds = [("enable", false), ("enable", true), ("disable", true), ("regenerate-backup-codes", true)];
        let mut factor = None;
        for (nth, (route, was)) in rounds.into_iter().enumerate() {
            if was && factor.is_none() {
                factor = Some(two_factor::enable(cx, &others)?);
            }
            two_factor::enable(cx, &own)?;
            two_factor::manage_with(cx, route, &own, &named).send()?;
            let is = two_factor::status_at(cx, &others, "/habilitado")?;
            cx.check(is == json!(was), format!("the other user after {route}"), was, is)?;
            // Neither its secret nor its codes are others: one of them still lets it in.
            if let Some(factor) = &factor {
                let session = two_factor::pending_session(cx, &other)?;
                let status = two_factor::verify(cx, &session, factor.backup_code(nth)?)?.status();
                cx.check(status == 200, format!("a backup code of the other user after {route}"), 200, status)?;
            }
        }
        Ok(())
    };
    /// The letters of the secret and of a pending session are lower case, or upper.
    the_letter_case_of_hexadecimal_digits judges ["two-factor/hex-case"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let secret = two_factor::enable(cx, &tokens)?.secret;
        let session = two_factor::pending_session(cx, &user)?;
        for (what, text) in [("the secret", secret), ("a pending session", session)] {
            let has = |is_case: fn(&char) -> bool| text.chars().any(|c| is_case(&c));
            let readings = [("lower", !has(char::is_ascii_uppercase)), ("upper", !has(char::is_ascii_lowercase))];
            cx.observe_of(what, &readings, text.clone())?;
        }
        Ok(())
    };
    /// Enabling again issues another secret and other backup codes.
    enabling_again_issues_another_secret judges ["two-factor/enable-again"]
        => |cx| is_other_than_before(cx, &two_factor::enroll(cx)?).map(drop);
    /// After enabling again the codes of the earlier secret are refused, those of the new one accepted.
    enabling_again_ends_the_earlier_secret judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        let step = totp_steps::current(cx)?;
        let earlier = enrolled.factor.code(step);
        let mut factor = two_factor::enable(cx, &enrolled.tokens)?;
        // Two random secrets may have a code in common; hardly the next one too.
        if (step - 2..=step + 3).any(|near| factor.code(near) == earlier) {
            factor = two_factor::enable(cx, &enrolled.tokens)?;
        }
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, &earlier, 400)?;
        two_factor::judge_check(cx, &session, &factor.code(totp_steps::current(cx)?), 200)
    };
    /// Enabling after disabling issues another secret and other backup codes, and the earlier are refused.
    enabling_after_disabling_issues_another_secret judges ["two-factor/enable-again"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        two_factor::disable(cx, &enrolled.tokens)?;
        let factor = Factor::parse(&is_other_than_before(cx, &enrolled)?)?;
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        two_factor::judge_check(cx, &session, enrolled.backup_code(0)?, 400)?;
        two_factor::judge_check(cx, &session, factor.backup_code(0)?, 200)
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
}

/// Two-factor enabled once more, with nothing of before.
fn is_other_than_before(cx: &CaseContext<'_>, enrolled: &Enrolled) -> CaseResult<Reply> {
    let reply = two_factor::manage(cx, "POST", "enable", &enrolled.tokens).send()?;
    let check = reply.check().status(200)?;
    check.at_where("/secret", "another than before", |secret| {
        secret.as_str().is_some_and(|secret| secret != enrolled.factor.secret)
    })?;
    check.at_where("/backupCodes", "none of those before", |codes| {
        let codes = codes.as_array().map_or(&[][..], Vec::as_slice);
        let earlier = json!(enrolled.factor.backup_codes);
        !codes.is_empty() && !codes.iter().any(|code| earlier.as_array().is_some_and(|them| them.contains(code)))
    })?;
    Ok(reply)
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
