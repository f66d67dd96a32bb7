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
    let registered = cx.post("/auth/registro").json(&user).send()?;
    let spec = StepSpec::new("register", Kind::Plain, "registration/created", "registration/answer-shape");
    transcript.add(&registered, spec.mask("/id", Mask::Begins("user_")))?;

    let again = cx.post("/auth/registro").json(&user).send()?;
    let spec = StepSpec::new("register again", Kind::Plain, "registration/email-taken", "errors/400-auth");
    transcript.add(&again, spec.refusal())?;

    let wrong = json!({ "email": user["email"], "password": "another" });
    let refused = cx.post("/auth/login").json(&wrong).send()?;
    let spec = StepSpec::new("wrong password", Kind::Plain, "login/password-wrong", "errors/400-auth");
    transcript.add(&refused, spec.refusal())?;

    let right = json!({ "email": user["email"], "password": PASSWORD });
    let logged_in = cx.post("/auth/login").json(&right).send()?;
    let spec = StepSpec::new("log in", Kind::Plain, "login/success", "login/first-shape")
        .mask("/the service/id", Mask::Begins("user_"))
        .mask("/the service/permissions", Mask::Set(&ALL))
        .mask("/tokens/sessionToken", Mask::Hex(64, LetterCase::Lower))
        .mask("/tokens/jwtToken", Mask::ThreeSegments);
    transcript.add(&logged_in, spec)?;

    let token = logged_in.text_at("/tokens/sessionToken");
    transcript.call(token.clone(), "session token");
    let client = json!({ "nombre": "Catálogo móvil", "permisos": ["read:libros", "write:libros"], "rateLimit": 250 });
    let created = cx.post("/auth/api-keys").bearer(&token).json(&client).send()?;
    let spec = StepSpec::new("create an API key", Kind::Plain, "api-keys/created", "api-keys/answer-shape")
        .mask("/apiKey", Mask::Begins("ak_"))
        .mask("/the service/id", Mask::Begins("client_"))
        .mask("/the service/permissions", Mask::Set(&["read:libros", "write:libros"]))
        .mask("/advertencia", Mask::Text);
    transcript.add(&created, spec)?;
    transcript.compare()
}

fn second_factor(cx: &CaseContext<'_>) -> CaseResult {
    let (mut transcript, user) = with_user(cx, "second_factor");
    cx.post("/auth/registro").json(&user).send()?.prepared("registering a user", 201)?;
    let right = json!({ "email": user["email"], "password": PASSWORD });
    let logged_in = cx.post("/auth/login").json(&right).send()?.prepared("logging in", 200)?;
    let token = logged_in.text_at("/tokens/sessionToken");
    transcript.call(token.clone(), "session token");

    let status = cx.get("/2fa/status").bearer(&token).send()?;
    let rule = "two-factor/status-unconfigured";
    transcript.add(&status, StepSpec::new("status before", Kind::Plain, rule, rule))?;

    let enabled = cx.post("/2fa/enable").bearer(&token).json(&json!({ "password": PASSWORD })).send()?;
    let rule = "two-factor/enable-shape";
    let spec = StepSpec::new("enable", Kind::Plain, rule, rule)
        .mask("/secret", Mask::Hex(40, LetterCase::Either))
        .mask("/qrUrl", Mask::Begins("otpauth://totp/"))
        .mask("/backupCodes", Mask::Codes(8, 10))
        .mask("/mensaje", Mask::Text);
    transcript.add(&enabled, spec)?;

    let session = asked_for_the_second_factor(cx, &mut transcript, &right)?;
    let code = enabled.text_at("/backupCodes/0");
    transcript.call(code.clone(), "backup code");
    verify(cx, &mut transcript, &session, &code)?;

    let status = cx.get("/2fa/status").bearer(&token).send()?;
    let rule = "two-factor/status-shape";
    let spec = StepSpec::new("status after", Kind::Plain, rule, rule)
        .mask("/habilitadoDesde", Mask::Now("enabling"))
        .mask("/ultimoUso", Mask::NotBefore("enabling"))
        .mask("/dispositivosConfiables", Mask::NoDevices);
    transcript.add(&status, spec)?;

    let refused = cx.post("/2fa/disable").bearer(&token).json(&json!({ "password": "another" })).send()?;
    let spec = StepSpec::new(
        "disable, wrong password",
        Kind::Plain,
        "two-factor/disable-wrong-password",
        "errors/400-two-factor",
    );
    transcript.add(&refused, spec.refusal())?;
    let disabled = cx.post("/2fa/disable").bearer(&token).json(&json!({ "password": PASSWORD })).send()?;
    let rule = "two-factor/disable-shape";
    transcript.add(&disabled, StepSpec::new("disable", Kind::Plain, rule, rule).mask("/mensaje", Mask::Text))?;
    transcript.compare()
}

/// Logs in again; the pending session's id.
fn asked_for_the_second_factor(
    cx: &CaseContext<'_>,
    transcript: &mut Transcript<'_, '_>,
    login: &Value,
) -> Result<String, CaseError> {
    let pending = cx.post("/auth/login").json(login).send()?;
    let rule = "login/second-shape";
    let spec = StepSpec::new("log in again", Kind::SecondFactor, rule, rule)
        .mask("/sessionId", Mask::Hex(64, LetterCase::Either))
        .mask("/metodosDisponibles", Mask::Set(&["authenticator", "backup_codes"]))
        .mask("/mensaje", Mask::Text)
        .mask("/trustedDeviceEnabled", Mask::Boolean);
    transcript.add(&pending, spec)?;
    let session = pending.text_at("/sessionId");
    transcript.call(session.clone(), "pending session");
    Ok(session)
}

fn verify(cx: &CaseContext<'_>, transcript: &mut Transcript<'_, '_>, session: &str, code: &str) -> CaseResult {
    // Ten characters of no backup code ever issued: these are hexadecimal.
    let wrong = json!({ "sessionId": session, "token": "ZZZZZZZZZZ" });
    let refused = cx.post("/auth/verify-2fa").json(&wrong).send()?;
    let spec = StepSpec::new("wrong code", Kind::Plain, "verification/invalid-code", "errors/400-auth");
    transcript.add(&refused, spec.refusal())?;
    let right = json!({ "sessionId": session, "token": code });
    let verified = cx.post("/auth/verify-2fa").json(&right).send()?;
    let rule = "verification/shape";
    let spec = StepSpec::new("right code", Kind::Plain, rule, rule)
        .mask("/tokens/sessionToken", Mask::Hex(64, LetterCase::Lower))
        .mask("/tokens/jwtToken", Mask::ThreeSegments);
    transcript.add(&verified, spec)
}
