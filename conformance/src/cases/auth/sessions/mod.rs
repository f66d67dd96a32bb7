//! Cases of the chapter sessions: session tokens, their life, and what a use does to it.

use crate::case::Case;
use crate::context::case_context::CaseContext;
use crate::contract::verdict::CaseError;
use crate::fixture::time::{self, Span};
use crate::fixture::users::{self, MadeUser};
use crate::http::reply::Reply;

pub mod issued;
pub mod life;
pub mod model;
pub mod upkeep;

/// The tables of the chapter.
pub const TABLES: &[&[Case]] = &[issued::CASES, life::CASES, upkeep::CASES, model::CASES];

/// Reads the list with that session token: a use.
fn list_with(cx: &CaseContext<'_>, token: &str) -> Result<Reply, CaseError> {
    cx.get("/libros?limit=1").bearer(token).send()
}

/// A session, and when it was created.
struct Session {
    token: String,
    created: Span,
}

/// Logs a user in, and notes when.
fn log_in(cx: &CaseContext<'_>, user: &MadeUser) -> Result<Session, CaseError> {
    let (tokens, created) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
    Ok(Session { token: tokens.session, created })
}

/// Uses a session that must still be good, and says when.
fn used(cx: &CaseContext<'_>, session: &Session) -> Result<Span, CaseError> {
    let (reply, at) = time::timed(cx, |cx| list_with(cx, &session.token))?;
    reply.prepared("using a session that is still good", 200)?;
    Ok(at)
}
