//! Registration, login, API keys and the second factor, whole.

use crate::chapters::permissions::operations::ALL;
use crate::chapters::prelude::*;
use crate::snapshot::{Kind, LetterCase, Mask, StepSpec, Transcript, headers};

cases! { "exchanges";
    /// A user registers, is refused a second time, logs in with a wrong and the right password, and makes an API key.
    ways_in judges ["registration/created", "registration/answer-shape", "registration/email-taken", "errors/400-auth",
        "login/password-wrong", "login/success", "login/first-shape", "api-keys/created", "api-keys/answer-shape"]
        and [headers::RULES];
    /// A user looks at a second factor, enables it, is asked for it, and answers wrongly and rightly.
    second_factor judges ["two-factor/status-unconfigured", "two-factor/enable-shape", "login/second-shape",
        "verification/invalid-code", "errors/400-auth", "verification/shape", "two-factor/status-shape",
        "two-factor/disable-wrong-password", "errors/400-two-factor", "two-factor/disable-shape"] and [headers::RULES];
}

/// A transcript with a user of its own: e-mail and password have names in it.
fn with_user<'t, 'a>(cx: &'t CaseContext<'a>, name: &'static str) -> (Transcript<'t, 'a>, Value) {
    let mut transcript = Transcript::new(cx, name);
    let email = users::email(cx, "escena");
    transcript.call(email.clone(), "e-mail");
    transcript.call(PASSWORD, "password");
    (transcript, json!({ "email": email, "password": PASSWORD, "nombre": "Ana", "role": "admin" }))
}

fn ways_in(cx: &CaseContext<'_>) -> CaseResult {
    let (mut transcript, user) = with_user(cx, "ways_in");
    let spec = StepSpec::new("register", Kind::Plain, "registration/created", "registration/answer-shape");
    transcript.send(cx.post("/auth/registro").json(&user), spec.mask("/id", Mask::Begins("user_")))?;

    let spec = StepSpec::new("register again", Kind::Plain, "registration/email-taken", "errors/400-auth");
    transcript.send(cx.post("/auth/registro").json(&user), spec.refusal())?;

    let wrong = json!({ "email": user["email"], "password": "another" });
    let spec = StepSpec::new("wrong password", Kind::Plain, "login/password-wrong", "errors/400-auth");
    transcript.send(cx.post("/auth/login").json(&wrong), spec.refusal())?;

    let right = json!({ "email": user["email"], "password": PASSWORD });
    let spec = StepSpec::new("log in", Kind::Plain, "login/success", "login/first-shape")
        .mask("/the service/id", Mask::Begins("user_"))
        .mask("/the service/permissions", Mask::Set(&ALL))
        .mask("/tokens/sessionToken", Mask::Hex(64, LetterCase::Lower))
        .mask("/tokens/jwtToken", Mask::ThreeSegments);
    let logged_in = transcript.send(cx.post("/auth/login").json(&right), spec)?;

    let token = logged_in.text_at("/tokens/sessionToken");
    transcript.call(token.clone(), "session token");
    let client = json!({ "nombre": "Catálogo móvil", "permisos": ["read:libros", "write:libros"], "rateLimit": 250 });
    let spec = StepSpec::new("create an API key", Kind::Plain, "api-keys/created", "api-keys/answer-shape")
        .mask("/apiKey", Mask::Begins("ak_"))
        .mask("/the service/id", Mask::Begins("client_"))
        .mask("/the service/permissions", Mask::Set(&["read:libros", "write:libros"]))
        .mask("/advertencia", Mask::Text);
    transcript.send(cx.post("/auth/api-keys").bearer(&token).json(&client), spec)?;
    transcript.compare()
}

fn second_factor(cx: &CaseContext<'_>) -> CaseResult {
    let (mut transcript, user) = with_user(cx, "second_factor");
    cx.post("/auth/registro").json(&user).send()?.prepared("registering a user", 201)?;
    let right = json!({ "email": user["email"], "password": PASSWORD });
    let logged_in = cx.post("/auth/login").json(&right).send()?.prepared("logging in", 200)?;
    let token = logged_in.text_at("/tokens/sessionToken");
    transcript.call(token.clone(), "session token");

    let spec = StepSpec::of_rule("status before", Kind::Plain, "two-factor/status-unconfigured");
    transcript.send(cx.get("/2fa/status").bearer(&token), spec)?;

    let password = json!({ "password": PASSWORD });
    let spec = StepSpec::of_rule("enable", Kind::Plain, "two-factor/enable-shape")
        .mask("/secret", Mask::Hex(40, LetterCase::Either))
        .mask("/qrUrl", Mask::Begins("otpauth://totp/"))
        .mask("/backupCodes", Mask::Codes(8, 10))
        .mask("/mensaje", Mask::Text);
    let enabled = transcript.send(cx.post("/2fa/enable").bearer(&token).json(&password), spec)?;

    let session = asked_for_the_second_factor(cx, &mut transcript, &right)?;
    let code = enabled.text_at("/backupCodes/0");
    transcript.call(code.clone(), "backup code");
    verify(cx, &mut transcript, &session, &code)?;

    let spec = StepSpec::of_rule("status after", Kind::Plain, "two-factor/status-shape")
        .mask("/habilitadoDesde", Mask::Now("enabling"))
        .mask("/ultimoUso", Mask::NotBefore("enabling"))
        .mask("/dispositivosConfiables", Mask::NoDevices);
    transcript.send(cx.get("/2fa/status").bearer(&token), spec)?;

    let (rule, body_rule) = ("two-factor/disable-wrong-password", "errors/400-two-factor");
    let spec = StepSpec::new("disable, wrong password", Kind::Plain, rule, body_rule);
    let wrong = json!({ "password": "another" });
    transcript.send(cx.post("/2fa/disable").bearer(&token).json(&wrong), spec.refusal())?;
    let spec = StepSpec::of_rule("disable", Kind::Plain, "two-factor/disable-shape").mask("/mensaje", Mask::Text);
    transcript.send(cx.post("/2fa/disable").bearer(&token).json(&password), spec)?;
    transcript.compare()
}

/// Logs in again; the pending session's id.
fn asked_for_the_second_factor(
    cx: &CaseContext<'_>,
    transcript: &mut Transcript<'_, '_>,
    login: &Value,
) -> Result<String, CaseError> {
    let spec = StepSpec::of_rule("log in again", Kind::SecondFactor, "login/second-shape")
        .mask("/sessionId", Mask::Hex(64, LetterCase::Either))
        .mask("/metodosDisponibles", Mask::Set(&["authenticator", "backup_codes"]))
        .mask("/mensaje", Mask::Text)
        .mask("/trustedDeviceEnabled", Mask::Boolean);
    let pending = transcript.send(cx.post("/auth/login").json(login), spec)?;
    let session = pending.text_at("/sessionId");
    transcript.call(session.clone(), "pending session");
    Ok(session)
}

fn verify(cx: &CaseContext<'_>, transcript: &mut Transcript<'_, '_>, session: &str, code: &str) -> CaseResult {
    // Ten characters of no backup code ever issued: these are hexadecimal.
    let wrong = json!({ "sessionId": session, "token": "ZZZZZZZZZZ" });
    let spec = StepSpec::new("wrong code", Kind::Plain, "verification/invalid-code", "errors/400-auth");
    transcript.send(cx.post("/auth/verify-2fa").json(&wrong), spec.refusal())?;
    let right = json!({ "sessionId": session, "token": code });
    let spec = StepSpec::of_rule("right code", Kind::Plain, "verification/shape")
        .mask("/tokens/sessionToken", Mask::Hex(64, LetterCase::Lower))
        .mask("/tokens/jwtToken", Mask::ThreeSegments);
    transcript.send(cx.post("/auth/verify-2fa").json(&right), spec).map(drop)
}
