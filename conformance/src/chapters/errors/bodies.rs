//! Bodies that are no JSON, wherever one is read.

use crate::chapters::prelude::*;

cases! { "errors";
    /// A create with a body that is no JSON is 400, however near to JSON it comes.
    malformed_creates_are_refused judges ["errors/malformed-create"] by creates_are_refused(&MALFORMED_BOOKS);
    /// A replace with a body that is no JSON is 400.
    malformed_replaces_are_refused judges ["errors/malformed-replace"];
    /// A replace with a body that is no JSON leaves the book as it was.
    malformed_replaces_change_nothing judges ["errors/malformed-replace"];
    /// A registration with a body that is no JSON is 400.
    malformed_registrations_are_refused judges ["errors/malformed-auth"];
    /// A login and a verification with a body that is no JSON are 400.
    malformed_logins_are_refused judges ["errors/malformed-auth"];
    /// The creation of an API key with a body that is no JSON is 400.
    malformed_key_creations_are_refused judges ["errors/malformed-auth"];
    /// Enabling two-factor with a body that is no JSON is 400, although the password in it is not checked.
    malformed_enablings_are_refused judges ["errors/malformed-two-factor"];
    /// Disabling two-factor and asking for backup codes with a body that is no JSON are 400.
    malformed_two_factor_requests_are_refused judges ["errors/malformed-two-factor"];
}

/// Whole books to a lenient reader, no JSON to a strict one.
const MALFORMED_BOOKS: [&str; 8] = [
    r#"{"titulo":"x","autor":"y""#,
    r#"{"titulo":"x","autor":"y",}"#,
    r#"{"titulo":"x" "autor":"y"}"#,
    r#"{'titulo':'x','autor':'y'}"#,
    r#"{titulo:"x",autor:"y"}"#,
    r#"{"titulo":"x","autor":"y","n":01}"#,
    "titulo=x&autor=y",
    "ningún JSON",
];

/// Creates of these bodies are 400, where one of a whole book is not.
pub(super) fn creates_are_refused(cx: &CaseContext<'_>, bodies: &[&str]) -> CaseResult {
    books::create(cx, &json!({}))?;
    for body in bodies {
        let reply = books::adopt(cx, cx.post("/libros").key(cx.admin_key()).json_text(body.as_bytes()).send()?);
        reply.check().of(&format!("a create with {body}")).status(400)?;
    }
    Ok(())
}

fn malformed_replaces_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({}))?;
    for body in MALFORMED_BOOKS {
        let reply = cx.put(&made.path()).key(cx.admin_key()).json_text(body.as_bytes()).send()?;
        reply.check().of(body).status(400)?;
    }
    Ok(())
}

fn malformed_replaces_change_nothing(cx: &CaseContext<'_>) -> CaseResult {
    let made = books::create(cx, &json!({ "paginas": 12 }))?;
    let before = books::stored(cx, made.id)?;
    for body in MALFORMED_BOOKS {
        let reply = cx.put(&made.path()).key(cx.admin_key()).json_text(body.as_bytes()).send()?;
        let after = books::stored(cx, made.id)?;
        reply.check().that(same(&after, &before), format!("the book after {body}"), &before, &after)?;
    }
    Ok(())
}

fn malformed_registrations_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let email = users::email(cx, "nadie");
    let bodies = [
        format!(r#"{{"email":"{email}","password":"{PASSWORD}""#),
        format!(r#"{{"email":"{email}","password":"{PASSWORD}",}}"#),
        format!("email={email}&password={PASSWORD}"),
    ];
    for body in bodies {
        cx.post("/auth/registro").json_text(body.as_bytes()).send()?.check().status(400)?;
    }
    Ok(())
}

fn malformed_logins_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let user = &cx.target().credentials.regular_user;
    let credentials = format!(r#""email":"{}","password":"{}""#, user.email, user.password);
    for body in [format!("{{{credentials}"), format!("{{{credentials},}}"), "x".into()] {
        cx.post("/auth/login").json_text(body.as_bytes()).send()?.check().status(400)?;
    }
    if cx.holds_second_factor() {
        cx.post("/auth/verify-2fa").json_text(br#"{"sessionId":"x","token":"#).send()?.check().status(400)?;
    }
    Ok(())
}

fn malformed_key_creations_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "admin")?;
    for body in [r#"{"nombre":"x""#, r#"{"nombre":"x",}"#, "x"] {
        cx.post("/auth/api-keys").bearer(&tokens.session).json_text(body.as_bytes()).send()?.check().status(400)?;
    }
    Ok(())
}

fn malformed_enablings_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    two_factor::status(cx, &tokens)?;
    for body in [r#"{"password":"#, r#"{"password":"x",}"#, "x"] {
        cx.post("/2fa/enable").bearer(&tokens.session).json_text(body.as_bytes()).send()?.check().status(400)?;
    }
    Ok(())
}

fn malformed_two_factor_requests_are_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    let password = json!({ "password": user.password });
    cx.post("/2fa/enable").bearer(&tokens.session).json(&password).send()?.prepared("enabling two-factor", 200)?;
    let lenient = format!(r#"{{"password":"{}",}}"#, user.password);
    for path in ["/2fa/regenerate-backup-codes", "/2fa/disable"] {
        for body in [r#"{"password":"#, lenient.as_str()] {
            cx.post(path).bearer(&tokens.session).json_text(body.as_bytes()).send()?.check().status(400)?;
        }
    }
    Ok(())
}
