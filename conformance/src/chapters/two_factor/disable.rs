//! Disabling.

use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "two-factor";
    /// Disabling answers 200 with mensaje alone.
    disabling_answers_with_a_message judges ["two-factor/disable-shape"];
    /// A wrong password, and none, are 400, and a login still asks for a second factor.
    disabling_checks_the_password judges ["two-factor/disable-wrong-password"];
    /// A login asks for no second factor after disabling.
    disabling_takes_effect judges ["two-factor/disable-takes-effect"];
    /// Disabling what was never configured is 400, the password right or wrong.
    disabling_what_was_never_configured_is_refused judges ["two-factor/disable-unconfigured"];
    /// Disabling what is disabled is refused, or answers as before.
    what_disabling_again_answers judges ["two-factor/disable-again"];
}

fn disable(cx: &CaseContext<'_>, tokens: &Tokens, body: &Value) -> Result<Reply, CaseError> {
    cx.post("/2fa/disable").bearer(&tokens.session).json(body).send()
}

/// What every answer must hold is judged of it.
fn disabling_answers_with_a_message(cx: &CaseContext<'_>) -> CaseResult {
    two_factor::disable(cx, &two_factor::enroll(cx)?.tokens).map(drop)
}

fn disabling_checks_the_password(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let upper = PASSWORD.to_uppercase();
    for body in [
        json!({ "password": "no-es-esta" }),
        json!({}),
        json!({ "password": "" }),
        json!({ "password": null }),
        json!({ "password": upper }),
    ] {
        disable(cx, &enrolled.tokens, &body)?.check().status(400)?;
    }
    two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?.check().at("/requiere2FA", &json!(true))?;
    // The twin: the right one does.
    two_factor::disable(cx, &enrolled.tokens).map(|_| ())
}

fn disabling_takes_effect(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let reply = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let check = reply.check();
    let is_token = |token: &Value| token.as_str().is_some_and(|token| !token.is_empty());
    check.at("/requiere2FA", &json!(false))?.at_where("/tokens/sessionToken", "a token", is_token).map(drop)
}

fn disabling_what_was_never_configured_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    for password in [PASSWORD, "no-es-esta"] {
        disable(cx, &tokens, &json!({ "password": password }))?.check().status(400)?;
    }
    Ok(())
}

fn what_disabling_again_answers(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    let reply = disable(cx, &enrolled.tokens, &json!({ "password": PASSWORD }))?;
    let login = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    let is_disabled = login.at("/requiere2FA") == Some(json!(false));
    let status = reply.status();
    let readings = [("400", status == 400 && is_disabled), ("200", status == 200 && is_disabled)];
    cx.observe(&readings, format!("status {status}, disabled afterwards: {is_disabled}")).seen_in([&login, &reply])
}
