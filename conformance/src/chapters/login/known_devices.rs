//! Logins that are answered with tokens although the user has or had two-factor: from a trusted device, or after disabling.

use crate::chapters::prelude::*;

cases! { "login";
    /// A login from a trusted device is answered with tokens at once; one from another device is asked.
    trusted_device_is_not_asked judges ["login/trusted-skips"];
    /// twoFactorEnabled is true where a trusted device was not asked.
    two_factor_is_told_as_enabled_to_a_trusted_device judges ["login/two-factor-trusted"];
    /// twoFactorEnabled is false again after disabling.
    two_factor_is_told_as_disabled_again judges ["login/two-factor-disabled"];
    /// The answer to a user who has a two-factor record has the fields of any other: nothing of the record is shown.
    record_of_the_second_factor_is_not_shown judges ["login/user-shape", "login/tokens-shape"];
    /// A wrong password is refused whether or not a second factor would be asked for, and on a trusted device too.
    wrong_password_is_refused_before_the_second_factor judges ["login/password-wrong"];
}

fn trusted_device_is_not_asked(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    two_factor::pending_session_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    // More than once: a device stays trusted.
    for _ in 0..2 {
        let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
        let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.is_empty());
        reply
            .check()
            .at("/requiere2FA", &json!(false))?
            .at_where("/tokens/sessionToken", "a session token", is_text)?
            .at_where("/tokens/jwtToken", "a JWT", is_text)?
            .nothing_at("/sessionId")?;
    }
    Ok(())
}

fn two_factor_is_told_as_enabled_to_a_trusted_device(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
    if !reply.text_at("/sessionId").is_empty() {
        return Err(CaseError::blocked("logging in from a trusted device", "the second factor was asked for"));
    }
    reply.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(true)).map(drop)
}

fn two_factor_is_told_as_disabled_again(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    reply.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(false)).map(drop)
}

/// What every login must hold is judged of both.
fn record_of_the_second_factor_is_not_shown(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
    two_factor::disable(cx, &enrolled.tokens)?;
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx)).map(drop)
}

fn wrong_password_is_refused_before_the_second_factor(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::trust(cx, &enrolled.user, enrolled.factor.backup_code(0)?, &two_factor::phone(cx))?;
    for device in [&two_factor::laptop(cx), &two_factor::phone(cx)] {
        let body = json!({ "email": enrolled.user.email, "password": "No-es-la-clave-2026!" });
        cx.post("/auth/login").device(device).json(&body).send()?.check().status(400)?;
    }
    Ok(())
}
