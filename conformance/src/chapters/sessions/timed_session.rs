//! Sessions with the moments of their use.

use crate::chapters::prelude::*;
use crate::fixture::time::Span;
use crate::fixture::users::MadeUser;

/// Reads the list with that session token: a use.
pub(crate) fn list_with(cx: &CaseContext<'_>, token: &str) -> Result<Reply, CaseError> {
    cx.get("/libros?limit=1").bearer(token).send()
}

/// A session, and when it was created.
pub(crate) struct Session {
    pub(crate) token: String,
    pub(crate) created: Span,
}

/// Logs a user in, and notes when.
pub(crate) fn log_in(cx: &CaseContext<'_>, user: &MadeUser) -> Result<Session, CaseError> {
    let (tokens, created) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
    Ok(Session { token: tokens.session, created })
}

/// Uses a session that must still be good, and says when.
pub(crate) fn used(cx: &CaseContext<'_>, session: &Session) -> Result<Span, CaseError> {
    let (reply, at) = time::timed(cx, |cx| list_with(cx, &session.token))?;
    reply.prepared("using a session that is still good", 200)?;
    Ok(at)
}
