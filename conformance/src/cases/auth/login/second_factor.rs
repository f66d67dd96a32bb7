//! The answer to a login that asks for the second factor.

use serde_json::{Value, json};

use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::two_factor::{self, pending_session_in};
use crate::fixture::users::MadeUser;
use crate::http::reply::{Reply, SeenIn as _};

cases! { "login";
    /// With two-factor enabled and no trusted device the answer has six keys, and no tokens among them.
    answer_asking_for_the_second_factor_has_six_keys judges ["login/second-shape"] by asked_for();
    /// requiere2FA is the boolean true.
    requiere_2fa_is_true judges ["login/second-requires"];
    /// sessionId is 64 hex digits, another at each login.
    session_id_is_64_hex_digits judges ["login/second-session-id"];
    /// Two logins of one user can both be finished, the first one after the second.
    both_of_two_logins_can_be_finished judges ["login/second-sessions-both"];
    /// email is that of the user.
    email_is_that_of_the_user judges ["login/second-email"] by asked_for();
    /// metodosDisponibles has authenticator, also when all backup codes are used, and nothing the documents do not name.
    methods_have_the_authenticator judges ["login/second-authenticator"];
    /// metodosDisponibles has backup_codes as long as one of the eight is unused, and again after regenerating.
    methods_have_backup_codes_while_one_is_unused judges ["login/second-backup-codes"];
    /// metodosDisponibles lacks backup_codes once all eight are used.
    methods_lack_backup_codes_when_all_are_used judges ["login/second-no-backup-codes"];
    /// mensaje is a text that is not empty.
    mensaje_is_a_text judges ["login/second-mensaje"] by asked_for();
    /// trustedDeviceEnabled tells whether the user has a registered device, or is any boolean.
    trusted_device_enabled_is_a_boolean judges ["login/second-trusted"];
    /// The answer carries Content-Type and no other header that the document names.
    answer_carries_content_type_alone judges ["login/second-headers"] by asked_for();
    /// Its Content-Type is JSON, with a charset or without.
    content_type_is_json judges ["login/second-content-type"] by asked_for();
}

/// The answer that asks a newly enrolled user for the second factor.
fn asked(cx: &CaseContext<'_>) -> Result<(MadeUser, Reply), CaseError> {
    let user = two_factor::enroll(cx)?.user;
    let reply = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    Ok((user, reply))
}

/// What every such answer must hold is judged of it.
fn asked_for(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?;
    Ok(())
}

fn requiere_2fa_is_true(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?.1.check().at("/requiere2FA", &json!(true))?;
    Ok(())
}

fn session_id_is_64_hex_digits(cx: &CaseContext<'_>) -> CaseResult {
    let (user, first) = asked(cx)?;
    let second = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    let earlier = first.text_at("/sessionId");
    second.check().at_where("/sessionId", "another than at the first login", |id| *id != earlier)?;
    Ok(())
}

fn both_of_two_logins_can_be_finished(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let code = |index| enrolled.factor.backup_code(index);
    two_factor::log_in_with(cx, &enrolled.user, code(0)?)?;
    let (first, second) =
        (two_factor::pending_session(cx, &enrolled.user)?, two_factor::pending_session(cx, &enrolled.user)?);
    for (session, code) in [(second, code(1)?), (first, code(2)?)] {
        two_factor::verify(cx, &session, code)?.check().status(200)?;
    }
    Ok(())
}

fn has(methods: &Value, wanted: &str) -> bool {
    methods.as_array().is_some_and(|methods| methods.iter().any(|method| method == wanted))
}

/// Before the first backup code is used and after the last one.
fn methods_have_the_authenticator(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for code in &enrolled.factor.backup_codes {
        two_factor::log_in_with(cx, &enrolled.user, code)?;
    }
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx)).map(drop)
}

fn methods_have_backup_codes_while_one_is_unused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let judge = || -> CaseResult {
        let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
        reply
            .check()
            .at_where("/metodosDisponibles", "a list with backup_codes", |methods| has(methods, "backup_codes"))?;
        Ok(())
    };
    judge()?;
    for index in 0..7 {
        two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(index)?)?;
    }
    judge()?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(7)?)?;
    two_factor::regenerate(cx, &enrolled.tokens)?;
    judge()
}

fn methods_lack_backup_codes_when_all_are_used(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for index in 0..8 {
        two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(index)?)?;
    }
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let want = "a list without backup_codes";
    reply
        .check()
        .at_where("/metodosDisponibles", want, |methods| methods.is_array() && !has(methods, "backup_codes"))?;
    Ok(())
}

fn trusted_device_enabled_is_a_boolean(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let told = || -> Result<(Reply, Option<Value>), CaseError> {
        let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
        pending_session_in(&reply)?;
        let told = reply.at("/trustedDeviceEnabled");
        Ok((reply, told))
    };
    let (first, without) = told()?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    let (second, with) = told()?;
    let is_boolean = |told: &Option<Value>| told.as_ref().is_some_and(Value::is_boolean);
    cx.observe(
        &[
            ("registered", without == Some(json!(false)) && with == Some(json!(true))),
            ("any", is_boolean(&without) && is_boolean(&with)),
        ],
        format!("{without:?} without a device, {with:?} with one"),
    )
    .seen_in([&first, &second])
}
