//! The answer to a login that asks for the second factor.

use crate::chapters::prelude::*;
use crate::fixture::users::MadeUser;

cases! { "login";
    /// With two-factor enabled and no trusted device the answer has its six keys, no tokens, and Content-Type as its
    /// only documented header.
    a_login_asks_for_the_second_factor_in_full judges [
        "login/second-shape", "login/second-email", "login/second-mensaje", "login/second-headers",
        "login/second-content-type",
    ];
    /// requiere2FA is the boolean true.
    requiere_2fa_is_true judges ["login/second-requires"];
    /// sessionId is 64 hex digits, another at each login.
    session_id_is_64_hex_digits judges ["login/second-session-id"];
    /// Two logins of one user can both be finished, the first one after the second.
    both_of_two_logins_can_be_finished judges ["login/second-sessions-both"];
    /// metodosDisponibles has authenticator, also when all backup codes are used, and nothing the documents do not name.
    methods_have_the_authenticator judges ["login/second-authenticator"];
    /// metodosDisponibles has backup_codes as long as one of the eight is unused, and again after regenerating.
    methods_have_backup_codes_while_one_is_unused judges ["login/second-backup-codes"];
    /// metodosDisponibles lacks backup_codes once all eight are used.
    methods_lack_backup_codes_when_all_are_used judges ["login/second-no-backup-codes"];
}

/// The answer that asks a newly enrolled user for the second factor.
fn asked(cx: &CaseContext<'_>) -> Result<(MadeUser, Reply), CaseError> {
    let user = two_factor::enroll(cx)?.user;
    let reply = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    Ok((user, reply))
}

/// What every such answer must hold is judged of it.
fn a_login_asks_for_the_second_factor_in_full(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?;
    Ok(())
}

fn requiere_2fa_is_true(cx: &CaseContext<'_>) -> CaseResult {
    asked(cx)?.1.check().at("/requiere2FA", &json!(true)).map(drop)
}

fn session_id_is_64_hex_digits(cx: &CaseContext<'_>) -> CaseResult {
    let (user, first) = asked(cx)?;
    let second = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    let earlier = first.text_at("/sessionId");
    second.check().at_where("/sessionId", "another than at the first login", |id| *id != earlier).map(drop)
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
        .at_where("/metodosDisponibles", want, |methods| methods.is_array() && !has(methods, "backup_codes"))
        .map(drop)
}
