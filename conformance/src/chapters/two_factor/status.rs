//! Status: its two shapes, and what it counts. Its times are in a file of their own.

use crate::chapters::prelude::*;

cases! { "two-factor";
    /// The status of a user who never configured two-factor is habilitado false alone.
    the_status_before_enabling_has_one_key judges ["two-factor/status-unconfigured"];
    /// Once enabled, the status has its seven keys, 8 codes in all and both methods, enabled or disabled.
    a_status_is_answered_in_full judges [
        "two-factor/status-shape", "two-factor/status-codes-total", "two-factor/status-methods-constant",
    ];
    /// habilitado is true while two-factor is enabled, also when it is enabled again.
    the_status_says_that_it_is_enabled judges ["two-factor/status-enabled"];
    /// backupCodesDisponibles goes down with each use, and not with a refusal, and is 8 again after regenerating.
    the_status_counts_unused_codes judges ["two-factor/status-codes-available"];
    /// dispositivosConfiables is the number of trusted devices, or their list.
    what_the_status_says_of_devices judges ["two-factor/status-devices"];
    /// After disabling, the status keeps its keys, with habilitado false.
    the_status_after_disabling judges ["two-factor/status-disabled"];
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

fn the_status_before_enabling_has_one_key(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::status(cx, &tokens)?.check().body(&json!({ "habilitado": false })).map(drop)
}

/// Reads the status after enabling, when every backup code is used, after regenerating and after disabling; what every status
/// must hold is judged of each.
fn a_status_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::status(cx, &enrolled.tokens)?;
    for code in &enrolled.factor.backup_codes {
        two_factor::log_in_with(cx, &enrolled.user, code)?;
    }
    two_factor::status(cx, &enrolled.tokens)?
        .check_rule("two-factor/status-codes-total")
        .at("/totalBackupCodes", &json!(8))?;
    two_factor::regenerate(cx, &enrolled.tokens)?;
    two_factor::status(cx, &enrolled.tokens)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    two_factor::status(cx, &enrolled.tokens).map(drop)
}

fn the_status_says_that_it_is_enabled(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let is_enabled = || -> CaseResult {
        two_factor::status(cx, &enrolled.tokens)?.check().at("/habilitado", &json!(true))?;
        Ok(())
    };
    is_enabled()?;
    two_factor::enable(cx, &enrolled.tokens)?;
    is_enabled()?;
    two_factor::disable(cx, &enrolled.tokens)?;
    two_factor::enable(cx, &enrolled.tokens)?;
    is_enabled()
}

fn the_status_counts_unused_codes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let are_unused = |count: u32| -> CaseResult {
        two_factor::status(cx, &enrolled.tokens)?.check().at("/backupCodesDisponibles", &json!(count))?;
        Ok(())
    };
    are_unused(8)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    are_unused(7)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::fail_check(cx, &session, &enrolled.factor.wrong_backup_code(0))?;
    are_unused(7)?;
    two_factor::log_in_with(cx, &enrolled.user, &enrolled.factor.code(totp_steps::current(cx)?))?;
    are_unused(7)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(7)?)?;
    are_unused(6)?;
    two_factor::regenerate(cx, &enrolled.tokens)?;
    are_unused(8)
}

fn what_the_status_says_of_devices(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let first = two_factor::status(cx, &enrolled.tokens)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::laptop(cx))?;
    let second = two_factor::status(cx, &enrolled.tokens)?;
    let [before, after] = [&first, &second].map(|reply| reply.at("/dispositivosConfiables"));
    let count = |value: &Option<Value>| value.as_ref().and_then(Value::as_f64);
    let length = |value: &Option<Value>| Some(value.as_ref()?.as_array()?.len());
    let readings = [
        ("number", count(&before) == Some(0.0) && count(&after) == Some(1.0)),
        ("list", length(&before) == Some(0) && length(&after) == Some(1)),
    ];
    cx.observe(&readings, format!("{before:?} without a device, {after:?} with one")).seen_in([&first, &second])
}

fn the_status_after_disabling(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let since = two_factor::status(cx, &enrolled.tokens)?.at("/habilitadoDesde");
    two_factor::disable(cx, &enrolled.tokens)?;
    let reply = two_factor::manage(cx, "GET", "status", &enrolled.tokens).send()?;
    let body = reply.json();
    let keeps_keys = reply.status() == 200
        && body
            .as_object()
            .is_some_and(|body| body.len() == KEYS.len() && KEYS.iter().all(|key| body.contains_key(*key)))
        && body.get("habilitado") == Some(&json!(false));
    let after = reply.at("/habilitadoDesde");
    cx.observe(&[("kept", keeps_keys && after == since), ("null", keeps_keys && after == Some(Value::Null))], body)
}
