//! A user whose tokens are known, and the payload that is right for it.

use crate::chapters::prelude::*;
use crate::fixture::tokens::{Mint, claims};
use crate::fixture::users::MadeUser;

/// A user, the token issued to it, and a mint for others.
pub(crate) struct Holder {
    pub(crate) user: MadeUser,
    pub(crate) jwt: String,
    pub(crate) mint: Mint,
}

/// Registers a user with that role and logs it in.
pub(crate) fn holder(cx: &CaseContext<'_>, role: &str) -> Result<Holder, CaseError> {
    let (user, tokens) = users::register_and_log_in(cx, role)?;
    let mint = Mint::from_issued(&tokens.jwt)?;
    Ok(Holder { user, jwt: tokens.jwt, mint })
}

/// Seconds since 1970 on the target's clock, so many seconds from now.
pub(crate) fn seconds_from_now(cx: &CaseContext<'_>, ahead_s: i64) -> Result<i64, CaseError> {
    Ok(cx.target_now()?.div_euclid(1_000) + ahead_s)
}

/// Reads the list with that token.
pub(crate) fn list_with(cx: &CaseContext<'_>, token: &str) -> Result<Reply, CaseError> {
    cx.get("/libros?limit=1").jwt(token).send()
}

/// The payload the target itself would issue to that user, with an exp so many seconds from now.
fn right_payload(cx: &CaseContext<'_>, holder: &Holder, ahead_s: i64) -> Result<Value, CaseError> {
    let mut payload = claims(&holder.jwt)?;
    payload["email"] = holder.user.email.as_str().into();
    payload["exp"] = seconds_from_now(cx, ahead_s)?.into();
    Ok(payload)
}

/// The same, with the twin of every refusal: a made token with nothing wrong in it is let in, else the case is blocked.
pub(crate) fn holder_let_in(cx: &CaseContext<'_>, role: &str) -> Result<Holder, CaseError> {
    let holder = holder(cx, role)?;
    let payload = right_payload(cx, &holder, 3_600)?;
    list_with(cx, &holder.mint.token(&payload))?.prepared("using a made token with nothing wrong in it", 200)?;
    Ok(holder)
}
