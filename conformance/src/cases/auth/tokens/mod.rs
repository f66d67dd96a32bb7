//! Cases of the chapter tokens: JWT-style tokens, as issued and as presented.

use serde_json::Value;

use crate::case::Case;
use crate::context::case_context::Trial;
use crate::contract::verdict::Stop;
use crate::fixture::tokens::{Mint, claims};
use crate::fixture::users::MadeUser;
use crate::http::reply::Reply;

pub mod foreign;
pub mod issued;
pub mod lifetime;
pub mod malformed;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[issued::CASES, foreign::CASES, malformed::CASES, lifetime::CASES];

/// A user, the token issued to it, and a mint for others.
struct Holder {
    user: MadeUser,
    jwt: String,
    mint: Mint,
}

/// Registers a user with that role and logs it in.
fn holder(t: &Trial<'_>, role: &str) -> Result<Holder, Stop> {
    let (user, tokens) = t.register_and_log_in(role)?;
    let mint = Mint::of(&tokens.jwt)?;
    Ok(Holder { user, jwt: tokens.jwt, mint })
}

/// Seconds since 1970 on the target's clock, so many seconds from now.
fn seconds_from_now(t: &Trial<'_>, ahead_s: i64) -> Result<i64, Stop> {
    Ok(t.target_now()?.div_euclid(1_000) + ahead_s)
}

/// Reads the list with that token.
fn list_with(t: &Trial<'_>, token: &str) -> Result<Reply, Stop> {
    t.get("/libros?limit=1").jwt(token).send()
}

/// The payload the target itself would issue to that user, with an exp so many seconds from now.
fn right_payload(t: &Trial<'_>, holder: &Holder, ahead_s: i64) -> Result<Value, Stop> {
    let mut payload = claims(&holder.jwt)?;
    payload["email"] = holder.user.email.as_str().into();
    payload["exp"] = seconds_from_now(t, ahead_s)?.into();
    Ok(payload)
}

/// The twin of every refusal: a made token with nothing wrong in it is let in, else the case is blocked.
fn is_let_in_when_right(t: &Trial<'_>, holder: &Holder) -> Result<(), Stop> {
    let payload = right_payload(t, holder, 3_600)?;
    let reply = list_with(t, &holder.mint.token(&payload))?;
    reply.prepared("using a made token with nothing wrong in it", 200)?;
    Ok(())
}
