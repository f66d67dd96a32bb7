//! Enabling, once and again.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::{Enrolled, Factor};

cases! { "two-factor";
    /// The letters of the secret and of a pending session are lower case, or upper.
    the_letter_case_of_hexadecimal_digits judges ["two-factor/hex-case"];
    /// Enabling, and enabling again, answers 200 with its four keys and a secret of 40 hexadecimal digits.
    enabling_is_answered_in_full judges ["two-factor/enable-shape", "two-factor/secret-form"];
    /// Enabling with a wrong password, or without one, succeeds.
    enabling_does_not_check_the_password judges ["two-factor/enable-password-unchecked"];
    /// A login asks for a second factor after enabling, and not before.
    enabling_takes_effect judges ["two-factor/enable-takes-effect"];
    /// A login asks for a second factor after disabling and enabling again.
    enabling_after_disabling_takes_effect judges ["two-factor/enable-takes-effect"];
    /// Enabling again issues another secret and other backup codes.
    enabling_again_issues_another_secret judges ["two-factor/enable-again"];
    /// After enabling again the codes of the earlier secret are refused, those of the new one accepted.
    enabling_again_ends_the_earlier_secret judges ["two-factor/enable-again"];
    /// After enabling again the earlier backup codes are refused, used or not, the new ones accepted.
    enabling_again_ends_the_earlier_backup_codes judges ["two-factor/enable-again"];
    /// Enabling after disabling issues another secret and other backup codes, and the earlier are refused.
    enabling_after_disabling_issues_another_secret judges ["two-factor/enable-again"];
    /// Enabling again sets ultimoUso back to null, or keeps it.
    whether_enabling_again_forgets_the_last_use judges ["two-factor/enable-again-last-use"];
    /// A session token issued before works after enabling and after disabling.
    sessions_outlive_enabling_and_disabling judges ["two-factor/sessions-survive"];
}

/// What every answer must hold is judged of both.
fn enabling_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::enable(cx, &enrolled.tokens).map(drop)
}

fn enabling_does_not_check_the_password(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    for body in [json!({ "password": "no-es-esta" }), json!({}), json!({ "password": "" }), json!({ "password": null })]
    {
        cx.post("/2fa/enable").bearer(&tokens.session).json(&body).send()?.check().status(200)?;
    }
    Ok(())
}

fn enabling_takes_effect(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::enable(cx, &tokens)?;
    let reply = two_factor::log_in_from(cx, &user, &two_factor::laptop(cx))?;
    reply.check().at("/requiere2FA", &json!(true))?.nothing_at("/tokens").map(drop)
}

fn enabling_after_disabling_takes_effect(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let factor = two_factor::enable(cx, &enrolled.tokens)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    reply.check().at("/requiere2FA", &json!(true))?.nothing_at("/tokens")?;
    let session = two_factor::pending_session_in(&reply)?;
    two_factor::verify(cx, &session, &factor.code(totp_steps::current(cx)?))?.check().status(200).map(drop)
}

/// Enabled once more, with nothing of before.
fn is_other_than_before(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<Reply, CaseError> {
    let reply = two_factor::manage(cx, "POST", "enable", &enrolled.tokens).send()?;
    let check = reply.check().status(200)?;
    check.at_where("/secret", "another than before", |secret| {
        secret.as_str().is_some_and(|secret| secret != enrolled.factor.secret)
    })?;
    check.at_where("/backupCodes", "none of those before", |codes| {
        let codes = codes.as_array().map(Vec::as_slice).unwrap_or_default();
        let is_earlier = |code: &Value| enrolled.factor.backup_codes.iter().any(|earlier| *code == json!(earlier));
        !codes.is_empty() && !codes.iter().any(is_earlier)
    })?;
    Ok(reply)
}

fn enabling_again_issues_another_secret(cx: &CaseContext<'_>) -> CaseResult {
    is_other_than_before(cx, &two_factor::enroll(cx)?).map(|_| ())
}

fn enabling_after_disabling_issues_another_secret(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let factor = Factor::parse(&is_other_than_before(cx, &enrolled)?)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?.check().status(400)?;
    two_factor::verify(cx, &session, factor.backup_code(0)?)?.check().status(200).map(drop)
}

fn enabling_again_ends_the_earlier_secret(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let step = totp_steps::current(cx)?;
    let earlier = enrolled.factor.code(step);
    let mut factor = two_factor::enable(cx, &enrolled.tokens)?;
    // Two random secrets may have a code in common; hardly the next one too.
    if (step - 2..=step + 3).any(|near| factor.code(near) == earlier) {
        factor = two_factor::enable(cx, &enrolled.tokens)?;
    }
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &earlier)?.check().status(400)?;
    two_factor::verify(cx, &session, &factor.code(totp_steps::current(cx)?))?.check().status(200).map(drop)
}

fn enabling_again_ends_the_earlier_backup_codes(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let used = enrolled.factor.backup_code(0)?;
    two_factor::log_in_with(cx, &enrolled.user, used)?;
    let factor = two_factor::enable(cx, &enrolled.tokens)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    for earlier in [enrolled.factor.backup_code(1)?, used] {
        two_factor::verify(cx, &session, earlier)?.check().status(400)?;
    }
    two_factor::verify(cx, &session, factor.backup_code(0)?)?.check().status(200).map(drop)
}

fn whether_enabling_again_forgets_the_last_use(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::log_in_with(cx, &enrolled.user, enrolled.factor.backup_code(0)?)?;
    let last_use =
        || Ok::<_, CaseError>(two_factor::status(cx, &enrolled.tokens)?.at("/ultimoUso").unwrap_or_default());
    let before = last_use()?;
    two_factor::enable(cx, &enrolled.tokens)?;
    let after = last_use()?;
    cx.observe(&[("null", after.is_null()), ("kept", after == before)], after)
}

fn sessions_outlive_enabling_and_disabling(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    let (_, twin) = users::register_and_log_in(cx, "user")?;
    let used = |session: &str| cx.get("/libros?limit=1").bearer(session).send();
    used(&twin.session)?.prepared("using a session", 200)?;
    two_factor::enable(cx, &tokens)?;
    used(&tokens.session)?.check().status(200)?;
    two_factor::disable(cx, &tokens)?;
    used(&tokens.session)?.check().status(200).map(drop)
}

fn the_letter_case_of_hexadecimal_digits(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    let enabled = two_factor::manage(cx, "POST", "enable", &tokens).send()?.prepared("enabling two-factor", 200)?;
    let secret = enabled.text_at("/secret");
    let session = two_factor::pending_session(cx, &user)?;
    for (what, text) in [("the secret", secret), ("a pending session", session)] {
        let has = |is_case: fn(&char) -> bool| text.chars().any(|c| is_case(&c));
        let readings = [("lower", !has(char::is_ascii_uppercase)), ("upper", !has(char::is_ascii_lowercase))];
        cx.observe_of(what, &readings, text.clone())?;
    }
    Ok(())
}
