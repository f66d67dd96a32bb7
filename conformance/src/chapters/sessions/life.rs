//! Session tokens as they are issued, what is no session token, and how long a session lives, on both sides of each
//! boundary by the control clock.
//!
//! An expiry is reckoned from a span that holds the moment of the login or use: what is good must be so a second before
//! the earliest end, what is over a second after the latest. A session that is tried while good is thereby used; so the
//! two sides of a boundary are tried with two sessions.

use crate::chapters::prelude::*;

cases! { "sessions";
    /// Every login, also of one user, issues another token, and all of them stay good side by side.
    every_login_has_a_session_of_its_own judges ["sessions/distinct"] => |cx| {
        let (user, other) = (users::register(cx, "user")?, users::register(cx, "user")?);
        let mut tokens = Vec::new();
        for who in [&user, &user, &other, &user] {
            tokens.push(users::log_in(cx, &who.email, &who.password)?.session);
        }
        let distinct: BTreeSet<&String> = tokens.iter().collect();
        cx.check(
            distinct.len() == tokens.len(),
            "tokens of several logins",
            "another one each time",
            tokens.join(", "),
        )?;
        each_answers(200, tokens.iter().map(|token| cx.get("/libros?limit=1").bearer(token)))
    };
    /// What is no session token is refused as Bearer: a made-up one, part of one, an API key, a JWT, an id.
    other_texts_are_no_session_token judges ["sessions/unknown"] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        let right = &tokens.session;
        list_with(cx, right)?.prepared("using a session", 200)?;
        let start: String = right.chars().take(right.chars().count() - 1).collect();
        let other_last = if right.ends_with('0') { "1" } else { "0" };
        let wrong = [
            "0123456789abcdef".repeat(4),
            start.clone(),
            format!("{right}0"),
            format!("{start}{other_last}"),
            tokens.jwt.clone(),
            cx.test_key().to_owned(),
            user.id,
            "constructor".to_owned(),
        ];
        wrong.iter().try_for_each(|token| is_no_session(cx, token))?;
        list_with(cx, right)?.prepared("using the session again", 200).map(drop)
    };
    /// An unused session is good 59:59 after its login, and over at 60:01.
    unused_session_lives_an_hour judges ["sessions/first-hour"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let (good, over) = (log_in(cx, &user)?, log_in(cx, &user)?);
        is_good_and_over(cx, (&good, good.created.from + HOUR_MS), (&over, over.created.to + HOUR_MS))
    };
    /// Neither the use of another session of the same user nor another login prolongs an unused session.
    session_lives_for_itself judges ["sessions/first-hour"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let (in_use, unused) = (log_in(cx, &user)?, log_in(cx, &user)?);
        time::advance_past(cx, unused.created.to + 50 * MINUTE_MS)?;
        used(cx, &in_use)?;
        let later = log_in(cx, &user)?;
        time::advance_to(cx, unused.created.to + HOUR_MS + SECOND_MS)?;
        used(cx, &in_use)?;
        used(cx, &later)?;
        list_with(cx, &unused.token)?.check().status(401).map(drop)
    };
    /// A session past its expiry is refused with its code, on every kind of route, whether it was used before or not.
    expired_session_is_refused judges ["sessions/expired"] needs [Need::Clock] => |cx| {
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
        used(cx, &log_in(cx, &user)?).map(drop)
    };
    /// Trying an expired session does not bring it to life, nor does another login of its user.
    expired_session_stays_dead judges ["sessions/removed"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let session = log_in(cx, &user)?;
        time::advance_to(cx, session.created.to + HOUR_MS + SECOND_MS)?;
        list_with(cx, &session.token)?.prepared("finding the session expired", 401)?;
        list_with(cx, &session.token)?.check().status(401)?;
        log_in(cx, &user)?;
        list_with(cx, &session.token)?.check().status(401)?;
        cx.advance(600.0)?;
        list_with(cx, &session.token)?.check().status(401).map(drop)
    };
    /// The end of one session leaves the others of its user, older and younger, as they were.
    end_of_one_session_leaves_the_others judges ["sessions/distinct"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let (older, ending) = (log_in(cx, &user)?, log_in(cx, &user)?);
        time::advance_past(cx, ending.created.to + 50 * MINUTE_MS)?;
        used(cx, &older)?;
        let younger = log_in(cx, &user)?;
        time::advance_to(cx, ending.created.to + HOUR_MS + SECOND_MS)?;
        list_with(cx, &ending.token)?.prepared("finding a session expired", 401)?;
        each_answers(200, [&older, &younger].map(|session| cx.get("/libros?limit=1").bearer(&session.token)))
    };
    /// After a use a session is good for 29:59 more, also beyond its first hour, and over at 30:01.
    use_gives_half_an_hour judges ["sessions/use-extends"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let (good, over) = (log_in(cx, &user)?, log_in(cx, &user)?);
        time::advance_past(cx, over.created.to + 50 * MINUTE_MS)?;
        let (good_at, over_at) = (used(cx, &good)?, used(cx, &over)?);
        is_good_and_over(cx, (&good, good_at.from + HALF_HOUR_MS), (&over, over_at.to + HALF_HOUR_MS))
    };
    /// A session used every 29 minutes lives for hours, and ends half an hour after the last use.
    session_in_use_lives_on judges ["sessions/use-extends"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let session = log_in(cx, &user)?;
        let mut last = used(cx, &session)?;
        for _ in 0..6 {
            time::advance_past(cx, last.to + 29 * MINUTE_MS)?;
            let (reply, at) = time::timed(cx, |cx| list_with(cx, &session.token))?;
            reply.check().status(200)?;
            last = at;
        }
        is_over_after(cx, &session, last.to + HALF_HOUR_MS)
    };
    /// A use in the first half hour brings the expiry forward: good 29:59 after it, over at 30:01, although unused ones are not.
    early_use_shortens_the_life judges ["sessions/use-shortens"] needs [Need::Clock] => |cx| {
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
    };
}

/// Reads the list with that session token: a use.
pub(crate) fn list_with(cx: &CaseContext<'_>, token: &str) -> CaseResult<Reply> {
    cx.get("/libros?limit=1").bearer(token).send()
}

/// A session, and when it was created.
pub(crate) struct Session {
    pub(crate) token: String,
    pub(crate) created: Span,
}

pub(crate) fn log_in(cx: &CaseContext<'_>, user: &MadeUser) -> CaseResult<Session> {
    let (tokens, created) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
    Ok(Session { token: tokens.session, created })
}

/// Uses a session that must still be good, and says when.
pub(crate) fn used(cx: &CaseContext<'_>, session: &Session) -> CaseResult<Span> {
    let (reply, at) = time::timed(cx, |cx| list_with(cx, &session.token))?;
    reply.prepared("using a session that is still good", 200)?;
    Ok(at)
}

fn is_no_session(cx: &CaseContext<'_>, token: &str) -> CaseResult {
    each_denied(CODE, ["/libros?limit=1", "/2fa/status"].map(|path| cx.get(path).bearer(token)))
}

const CODE: &str = "TOKEN_INVALIDO";
const HALF_HOUR_MS: i64 = 30 * MINUTE_MS;

/// The first session is good a second before that moment, the second over a second after the other.
fn is_good_and_over(cx: &CaseContext<'_>, good: (&Session, i64), over: (&Session, i64)) -> CaseResult {
    time::advance_to(cx, good.1 - SECOND_MS)?;
    time::before(cx, good.1, |cx| list_with(cx, &good.0.token))?.check().status(200)?;
    is_over_after(cx, over.0, over.1)
}

fn is_over_after(cx: &CaseContext<'_>, session: &Session, end: i64) -> CaseResult {
    time::advance_to(cx, end + SECOND_MS)?;
    list_with(cx, &session.token)?.check().status(401).map(drop)
}
