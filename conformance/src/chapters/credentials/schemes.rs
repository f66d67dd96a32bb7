//! No credential, and Authorization of schemes the service does not know.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::chapters::prelude::*;

cases! { "credentials";
    /// Other schemes, and a token without one, are 401 NO_AUTENTICADO, though the token be good.
    other_schemes_are_no_credential judges ["credentials/unsupported-scheme"];
    /// Other letter cases of the schemes: no supported kind, or let in.
    schemes_in_another_letter_case judges ["credentials/scheme-case"];
    /// `Bearer` with nothing after it: no supported kind, or an unknown token.
    bearer_with_nothing_after_it judges ["credentials/bearer-bare"];
    /// Further spaces after the scheme: part of the token, or trimmed.
    further_spaces_after_the_scheme judges ["credentials/spaces-after-scheme"];
}

/// Session token and JWT of the initial regular user, both tried.
fn tokens(cx: &CaseContext<'_>) -> Result<users::Tokens, CaseError> {
    let user = &cx.target().credentials.regular_user;
    let tokens = users::log_in(cx, &user.email, &user.password)?;
    let get = || cx.get("/libros?limit=1");
    get().bearer(&tokens.session).send()?.prepared("using the session token", 200)?;
    get().jwt(&tokens.jwt).send()?.prepared("using the JWT", 200)?;
    Ok(tokens)
}

fn authorized(cx: &CaseContext<'_>, value: &str) -> Result<Reply, CaseError> {
    cx.get("/libros?limit=1").header("Authorization", value).send()
}

fn other_schemes_are_no_credential(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = tokens(cx)?;
    let user = &cx.target().credentials.regular_user;
    let values = [
        "Basic YWRtaW46YWRtaW4=".to_owned(),
        format!("Basic {}", STANDARD.encode(format!("{}:{}", user.email, user.password))),
        "Digest username=\"admin\"".to_owned(),
        format!("Token {}", tokens.session),
        format!("Basic {}", tokens.session),
        format!("Token {}", tokens.jwt),
        format!("ApiKey {}", cx.test_key()),
        format!("X-API-Key {}", cx.test_key()),
        tokens.session.clone(),
        tokens.jwt,
        cx.test_key().to_owned(),
    ];
    for value in values {
        authorized(cx, &value)?.check().denied("NO_AUTENTICADO")?;
    }
    Ok(())
}

/// The codes of a credential in the Authorization header, and of none.
const CODES: [&str; 3] = ["NO_AUTENTICADO", "TOKEN_INVALIDO", "JWT_INVALIDO"];

fn is_denied(reply: &Reply, code: &str) -> bool {
    reply.status() == 401 && reply.text_at("/error/codigo") == code
}

fn got(asked: &str, reply: &Reply) -> String {
    format!("for {asked}: {} {}", reply.status(), reply.text_at("/error/codigo"))
}

fn schemes_in_another_letter_case(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = tokens(cx)?;
    for (scheme, token) in
        [("bearer", &tokens.session), ("BEARER", &tokens.session), ("jwt", &tokens.jwt), ("Jwt", &tokens.jwt)]
    {
        let reply = authorized(cx, &format!("{scheme} {token}"))?;
        let readings = [("no-autenticado", is_denied(&reply, "NO_AUTENTICADO")), ("let-in", reply.status() == 200)];
        cx.observe(&readings, got(scheme, &reply))?;
    }
    Ok(())
}

fn bearer_with_nothing_after_it(cx: &CaseContext<'_>) -> CaseResult {
    for value in ["Bearer", "Bearer "] {
        let reply = authorized(cx, value)?;
        let readings = [
            ("no-autenticado", is_denied(&reply, "NO_AUTENTICADO")),
            ("token-invalido", is_denied(&reply, "TOKEN_INVALIDO")),
        ];
        cx.observe(&readings, got(value, &reply))?;
    }
    Ok(())
}

fn further_spaces_after_the_scheme(cx: &CaseContext<'_>) -> CaseResult {
    let tokens = tokens(cx)?;
    for (scheme, token) in [("Bearer", &tokens.session), ("JWT", &tokens.jwt)] {
        let reply = authorized(cx, &format!("{scheme}   {token}"))?;
        // Who splits at spaces finds no token at all.
        let is_denied = CODES.iter().any(|code| is_denied(&reply, code));
        cx.observe(&[("part", is_denied), ("trimmed", reply.status() == 200)], got(scheme, &reply))?;
    }
    Ok(())
}
