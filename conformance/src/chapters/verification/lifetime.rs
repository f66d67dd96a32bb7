//! The tokens of a verification are as those of a login: their form, and how long they are good for.

use crate::chapters::prelude::*;
use crate::fixture::time::{HOUR_MS, SECOND_MS, Span};
use crate::fixture::tokens::claims;
use crate::fixture::two_factor::tokens_in;
use crate::fixture::users::Tokens;
use crate::invariants::form::same_in_any_order;

cases! { "verification";
    /// The session token is another one each time.
    the_session_token_is_another_each_time judges ["sessions/distinct"];
    /// The payload of the JWT names the user as that of a login does.
    the_jwt_names_the_user judges ["tokens/payload-identity"];
    /// The session token is good for an hour.
    the_session_token_is_good_for_an_hour judges ["verification/session-life"] needs [Need::Clock]
        by is_good_for(SESSION, HOUR_MS, 0);
    /// And not for longer.
    the_session_token_is_good_for_no_longer judges ["verification/session-life"] needs [Need::Clock]
        by is_over_after(SESSION, HOUR_MS);
    /// The JWT is good for a day.
    the_jwt_is_good_for_a_day judges ["verification/jwt-token"] needs [Need::Clock]
        by is_good_for(JWT, DAY_MS, 2 * SECOND_MS);
    /// And not for longer.
    the_jwt_is_good_for_no_longer judges ["tokens/exp-past"] needs [Need::Clock]
        by is_over_after(JWT, DAY_MS);
}

fn the_session_token_is_another_each_time(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let mut seen = vec![enrolled.tokens.session.clone()];
    for index in [0, 1] {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        let reply = two_factor::verify(cx, &session, enrolled.factor.backup_code(index)?)?;
        let token = tokens_in(&reply)?.session;
        let is_new = !seen.contains(&token) && token != session;
        reply.check().that(is_new, Place::body("/tokens/sessionToken"), "one not given before", &token)?;
        seen.push(token);
    }
    Ok(())
}

fn the_jwt_names_the_user(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let earlier = claims(&enrolled.tokens.jwt)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let reply = two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?;
    let payload = claims(&tokens_in(&reply)?.jwt)?;
    for name in ["email", "userId", "role", "permissions"] {
        let (want, got) = (&earlier[name], &payload[name]);
        let want_told = format!("the {name} of the first login's, {want}");
        reply.check().that(same_in_any_order(got, want), Place::body("/tokens/jwtToken"), want_told, got)?;
    }
    Ok(())
}

/// The tokens of a verification, and when they were issued.
fn issued(cx: &CaseContext<'_>) -> Result<(Tokens, Span), CaseError> {
    let (enrolled, session) = two_factor::enroll_and_log_in(cx)?;
    let code = enrolled.factor.backup_code(0)?;
    let (reply, at) = time::timed(cx, |cx| two_factor::verify(cx, &session, code))?;
    Ok((tokens_in(&reply)?, at))
}

const BOOKS: &str = "/libros?limit=1";
const BEFORE_MS: i64 = 3 * SECOND_MS;
const AFTER_MS: i64 = 2 * SECOND_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Puts one of the tokens on a request.
type Ask = for<'t> fn(Request<'t>, &Tokens) -> Request<'t>;

const SESSION: Ask = |request, tokens| request.bearer(&tokens.session);
const JWT: Ask = |request, tokens| request.jwt(&tokens.jwt);

/// Good shortly before the end of its life. `margin_ms` is taken off at the end: exp is in whole seconds, and must lie in the future.
fn is_good_for(cx: &CaseContext<'_>, ask: Ask, life_ms: i64, margin_ms: i64) -> CaseResult {
    let reply = time::in_time(cx, || {
        let (tokens, at) = issued(cx)?;
        let end = at.from + life_ms - margin_ms;
        time::advance_to(cx, end - BEFORE_MS)?;
        Ok((ask(cx.get(BOOKS), &tokens).send()?, end))
    })?;
    reply.check().status(200).map(drop)
}

/// Over shortly after the end of its life.
fn is_over_after(cx: &CaseContext<'_>, ask: Ask, life_ms: i64) -> CaseResult {
    let (tokens, at) = issued(cx)?;
    time::advance_to(cx, at.to + life_ms + AFTER_MS)?;
    ask(cx.get(BOOKS), &tokens).send()?.check().status(401).map(drop)
}
