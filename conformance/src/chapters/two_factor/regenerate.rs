//! Regenerating backup codes: the answer, and who may not. What it does to the codes is in the chapter backup-codes.

use crate::chapters::prelude::*;
use crate::fixture::users::Tokens;

cases! { "two-factor";
    /// Regenerating answers 200 with its two keys.
    regenerating_answers_with_two_keys judges ["two-factor/regenerate-shape"];
    /// After regenerating, a login still asks for a second factor and takes a code of the same secret, enabled as long as before.
    regenerating_leaves_the_secret judges ["two-factor/regenerate-keeps-secret"];
    /// A wrong password, and none, are 400, and the earlier codes still work.
    regenerating_checks_the_password judges ["two-factor/regenerate-wrong-password"];
    /// Regenerating what was never configured is 400.
    regenerating_what_was_never_configured_is_refused judges ["two-factor/regenerate-not-enabled"];
    /// Regenerating what is disabled is 400.
    regenerating_what_is_disabled_is_refused judges ["two-factor/regenerate-not-enabled"];
}

fn regenerate(cx: &CaseContext<'_>, tokens: &Tokens, body: &Value) -> Result<Reply, CaseError> {
    cx.post("/2fa/regenerate-backup-codes").bearer(&tokens.session).json(body).send()
}

/// What every answer must hold is judged of it.
fn regenerating_answers_with_two_keys(cx: &CaseContext<'_>) -> CaseResult {
    two_factor::regenerate(cx, &two_factor::enroll(cx)?.tokens).map(drop)
}

fn regenerating_leaves_the_secret(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let since = || Ok::<_, CaseError>(two_factor::status(cx, &enrolled.tokens)?.at("/habilitadoDesde"));
    let before = since()?;
    let reply = two_factor::regenerate(cx, &enrolled.tokens)?;
    let after = since()?;
    let (want, got) = (before.clone().unwrap_or_default(), after.clone().unwrap_or_default());
    reply.check().that(before == after, "habilitadoDesde of the status afterwards", want, got)?;
    let login = two_factor::log_in_from(cx, &enrolled.user, &two_factor::laptop(cx))?;
    login.check().at("/requiere2FA", &json!(true))?;
    let reply = two_factor::verify(cx, &login.text_at("/sessionId"), &enrolled.factor.code(totp_steps::current(cx)?))?;
    reply.check().status(200).map(drop)
}

fn regenerating_checks_the_password(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    for body in [json!({ "password": "no-es-esta" }), json!({}), json!({ "password": "" }), json!({ "password": null })]
    {
        regenerate(cx, &enrolled.tokens, &body)?.check().status(400)?;
    }
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?.check().status(200)?;
    // The twin: the right one does.
    two_factor::regenerate(cx, &enrolled.tokens).map(|_| ())
}

fn regenerating_what_was_never_configured_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    regenerate(cx, &tokens, &json!({ "password": PASSWORD }))?.check().status(400).map(drop)
}

fn regenerating_what_is_disabled_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    two_factor::disable(cx, &enrolled.tokens)?;
    regenerate(cx, &enrolled.tokens, &json!({ "password": PASSWORD }))?.check().status(400).map(drop)
}
