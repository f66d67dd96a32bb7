//! What a right code is answered: the keys, the method, and tokens that work.

use crate::chapters::prelude::*;
use crate::fixture::two_factor::Enrolled;
use crate::fixture::users::Tokens;

cases! { "verification";
    /// The answers to a time-based code and to a backup code have their four keys, tokens with their three, and the
    /// method of the code.
    a_verification_is_answered_in_full judges [
        "verification/shape", "verification/tokens-shape", "verification/method-totp", "verification/method-backup",
    ];
    /// The session token is that of the user who logged in.
    the_session_token_works judges ["verification/session-token"] by works("Bearer", |tokens| &tokens.session);
    /// The JWT-style token is that of the user who logged in.
    the_jwt_token_works judges ["verification/jwt-token"] by works("JWT", |tokens| &tokens.jwt);
}

/// The answer to the current code.
fn by_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<Reply, CaseError> {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, &enrolled.factor.code(totp_steps::current(cx)?))?.prepared("verifying a code", 200)
}

/// The answer to a backup code.
fn by_backup_code(cx: &CaseContext<'_>, enrolled: &Enrolled) -> Result<Reply, CaseError> {
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?.prepared("verifying a backup code", 200)
}

/// What every answer must hold is judged of both.
fn a_verification_is_answered_in_full(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    by_code(cx, &enrolled)?;
    by_backup_code(cx, &enrolled).map(drop)
}

/// Creates a book under that Authorization.
fn created(cx: &CaseContext<'_>, authorization: &str) -> Result<Reply, CaseError> {
    let book = json!({ "titulo": "Ficciones", "autor": "Jorge Luis Borges" });
    let request = cx.post("/libros").header("Authorization", authorization);
    Ok(books::adopt(cx, request.json(&book).send()?))
}

/// A book created with a token of the verification has the creator that one created with a token of the first login has.
fn works(cx: &CaseContext<'_>, scheme: &str, pick: fn(&Tokens) -> &str) -> CaseResult {
    let enrolled = two_factor::enroll_as(cx, "moderator")?;
    let earlier = created(cx, &format!("{scheme} {}", pick(&enrolled.tokens)))?;
    let earlier = earlier.prepared("creating a book with a token of a login", 201)?;
    let want = earlier.at("/creadoPor").unwrap_or_default();
    for reply in [by_code(cx, &enrolled)?, by_backup_code(cx, &enrolled)?] {
        let check = reply.check();
        let tokens = Tokens { session: reply.text_at("/tokens/sessionToken"), jwt: reply.text_at("/tokens/jwtToken") };
        let token = pick(&tokens);
        check.that(!token.is_empty(), Place::body("/tokens"), "a token", "none")?;
        let book = created(cx, &format!("{scheme} {token}"))?;
        book.check().status(201)?;
        let got = book.at("/creadoPor").unwrap_or_default();
        check.that(got == want, "creadoPor of a book made with it", &want, &got)?;
    }
    Ok(())
}
