//! How long a session lives, on both sides of each boundary by the control clock.
//!
//! An expiry is reckoned from a span that holds the moment of the login or use: what is good must be so a second before the
//! earliest end, what is over a second after the latest. A session that is tried while good is thereby used; so the two sides
//! of a boundary are tried with two sessions.

use super::timed_session::{list_with, log_in, used};
use crate::chapters::prelude::*;
use crate::fixture::time::{HOUR_MS, MINUTE_MS, SECOND_MS};

const CODE: &str = "TOKEN_INVALIDO";
const HALF_HOUR_MS: i64 = 30 * MINUTE_MS;

cases! { "sessions";
    /// An unused session is good 59:59 after its login, and over at 60:01.
    unused_session_lives_an_hour judges ["sessions/first-hour"] needs [Need::Clock];
    /// Neither the use of another session of the same user nor another login prolongs an unused session.
    session_lives_for_itself judges ["sessions/first-hour"] needs [Need::Clock];
    /// A session past its expiry is refused with its code, on every kind of route, whether it was used before or not.
    expired_session_is_refused judges ["sessions/expired"] needs [Need::Clock];
    /// Trying an expired session does not bring it to life, nor does another login of its user.
    expired_session_stays_dead judges ["sessions/removed"] needs [Need::Clock];
    /// The end of one session leaves the others of its user, older and younger, as they were.
    end_of_one_session_leaves_the_others judges ["sessions/distinct"] needs [Need::Clock];
    /// After a use a session is good for 29:59 more, also beyond its first hour, and over at 30:01.
    use_gives_half_an_hour judges ["sessions/use-extends"] needs [Need::Clock];
    /// A session used every 29 minutes lives for hours, and ends half an hour after the last use.
    session_in_use_lives_on judges ["sessions/use-extends"] needs [Need::Clock];
    /// A use in the first half hour brings the expiry forward: good 29:59 after it, over at 30:01, although unused ones are not.
    early_use_shortens_the_life judges ["sessions/use-shortens"] needs [Need::Clock];
}

fn unused_session_lives_an_hour(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (good, over) = (log_in(cx, &user)?, log_in(cx, &user)?);
    let end = good.created.from + HOUR_MS;
    time::advance_to(cx, end - SECOND_MS)?;
    time::before(cx, end, |cx| list_with(cx, &good.token))?.check().status(200)?;
    time::advance_to(cx, over.created.to + HOUR_MS + SECOND_MS)?;
    list_with(cx, &over.token)?.check().status(401).map(drop)
}

fn session_lives_for_itself(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (in_use, unused) = (log_in(cx, &user)?, log_in(cx, &user)?);
    time::advance_past(cx, unused.created.to + 50 * MINUTE_MS)?;
    used(cx, &in_use)?;
    let later = log_in(cx, &user)?;
    time::advance_to(cx, unused.created.to + HOUR_MS + SECOND_MS)?;
    used(cx, &in_use)?;
    used(cx, &later)?;
    list_with(cx, &unused.token)?.check().status(401).map(drop)
}

fn expired_session_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "admin")?;
    let (mut unused, mut in_use) = (Vec::new(), Vec::new());
    let paths = ["/libros?limit=1", "/2fa/status", "/auth/api-keys"];
    for _ in paths {
        unused.push(log_in(cx, &user)?);
        in_use.push(log_in(cx, &user)?);
    }
    let barely = log_in(cx, &user)?;
    cx.advance(60.0)?;
    concurrency::simultaneously(in_use.len(), |nth| used(cx, &in_use[nth]))?;
    time::advance_to(cx, barely.created.to + HOUR_MS + SECOND_MS)?;
    list_with(cx, &barely.token)?.check().denied(CODE)?;
    cx.advance(24.0 * 3_600.0)?;
    let dead: Vec<_> = paths.iter().zip(&unused).chain(paths.iter().zip(&in_use)).collect();
    concurrency::simultaneously(dead.len(), |nth| {
        let (path, session) = dead[nth];
        cx.get(path).bearer(&session.token).send()?.check().denied(CODE).map(drop)
    })?;
    let anew = log_in(cx, &user)?;
    used(cx, &anew)?;
    Ok(())
}

fn expired_session_stays_dead(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let session = log_in(cx, &user)?;
    time::advance_to(cx, session.created.to + HOUR_MS + SECOND_MS)?;
    list_with(cx, &session.token)?.prepared("finding the session expired", 401)?;
    list_with(cx, &session.token)?.check().status(401)?;
    log_in(cx, &user)?;
    list_with(cx, &session.token)?.check().status(401)?;
    cx.advance(600.0)?;
    list_with(cx, &session.token)?.check().status(401).map(drop)
}

fn end_of_one_session_leaves_the_others(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (older, ending) = (log_in(cx, &user)?, log_in(cx, &user)?);
    time::advance_past(cx, ending.created.to + 50 * MINUTE_MS)?;
    used(cx, &older)?;
    let younger = log_in(cx, &user)?;
    time::advance_to(cx, ending.created.to + HOUR_MS + SECOND_MS)?;
    list_with(cx, &ending.token)?.prepared("finding a session expired", 401)?;
    for session in [&older, &younger] {
        list_with(cx, &session.token)?.check().status(200)?;
    }
    Ok(())
}

fn use_gives_half_an_hour(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (good, over) = (log_in(cx, &user)?, log_in(cx, &user)?);
    time::advance_past(cx, over.created.to + 50 * MINUTE_MS)?;
    let (good_at, over_at) = (used(cx, &good)?, used(cx, &over)?);
    let end = good_at.from + HALF_HOUR_MS;
    time::advance_to(cx, end - SECOND_MS)?;
    time::before(cx, end, |cx| list_with(cx, &good.token))?.check().status(200)?;
    time::advance_to(cx, over_at.to + HALF_HOUR_MS + SECOND_MS)?;
    list_with(cx, &over.token)?.check().status(401).map(drop)
}

fn session_in_use_lives_on(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let session = log_in(cx, &user)?;
    let mut last = used(cx, &session)?;
    for _ in 0..6 {
        time::advance_past(cx, last.to + 29 * MINUTE_MS)?;
        let (reply, at) = time::timed(cx, |cx| list_with(cx, &session.token))?;
        reply.check().status(200)?;
        last = at;
    }
    time::advance_to(cx, last.to + HALF_HOUR_MS + SECOND_MS)?;
    list_with(cx, &session.token)?.check().status(401).map(drop)
}

fn early_use_shortens_the_life(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (good, over) = (log_in(cx, &user)?, log_in(cx, &user)?);
    let unused = log_in(cx, &user)?;
    cx.advance(60.0)?;
    let (good_at, over_at) = (used(cx, &good)?, used(cx, &over)?);
    let end = good_at.from + HALF_HOUR_MS;
    time::advance_to(cx, end - SECOND_MS)?;
    time::before(cx, end, |cx| list_with(cx, &good.token))?.check().status(200)?;
    time::advance_to(cx, over_at.to + HALF_HOUR_MS + SECOND_MS)?;
    used(cx, &unused)?;
    list_with(cx, &over.token)?.check().status(401).map(drop)
}
