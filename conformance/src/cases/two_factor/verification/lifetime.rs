//! The tokens of a verification are as those of a login: their form, and how long they are good for.

use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::Place;
use crate::fixture::time::{self, HOUR_MS, SECOND_MS, Span};
use crate::fixture::tokens::claims;
use crate::fixture::two_factor::{self, tokens_in};
use crate::fixture::users::Tokens;
use crate::invariants::form::same_in_any_order;

cases! { "verification";
    /// The session token is another one each time.
    the_session_token_is_another_each_time judges ["sessions/distinct"];
    /// The payload of the JWT names the user as that of a login does.
    the_jwt_names_the_user judges ["tokens/payload-identity"];
    /// The session token is good for an hour.
    the_session_token_is_good_for_an_hour judges ["verification/session-life"] needs [Need::Clock];
    /// And not for longer.
    the_session_token_is_good_for_no_longer judges ["verification/session-life"] needs [Need::Clock];
    /// The JWT is good for a day.
    the_jwt_is_good_for_a_day judges ["verification/jwt-token"] needs [Need::Clock];
    /// And not for longer.
    the_jwt_is_good_for_no_longer judges ["tokens/exp-past"] needs [Need::Clock];
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

fn the_session_token_is_good_for_an_hour(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let (tokens, at) = issued(cx)?;
        time::advance_to(cx, at.from + HOUR_MS - BEFORE_MS)?;
        let reply = cx.get(BOOKS).bearer(&tokens.session).send()?;
        Ok((reply, at.from + HOUR_MS))
    })?;
    reply.check().status(200)?;
    Ok(())
}

fn the_session_token_is_good_for_no_longer(cx: &CaseContext<'_>) -> CaseResult {
    let (tokens, at) = issued(cx)?;
    time::advance_to(cx, at.to + HOUR_MS + AFTER_MS)?;
    cx.get(BOOKS).bearer(&tokens.session).send()?.check().status(401)?;
    Ok(())
}

fn the_jwt_is_good_for_a_day(cx: &CaseContext<'_>) -> CaseResult {
    let reply = time::in_time(cx, || {
        let (tokens, at) = issued(cx)?;
        time::advance_to(cx, at.from + DAY_MS - 2 * BEFORE_MS)?;
        let reply = cx.get(BOOKS).jwt(&tokens.jwt).send()?;
        // exp is in whole seconds, and must lie in the future.
        Ok((reply, at.from + DAY_MS - 2 * SECOND_MS))
    })?;
    reply.check().status(200)?;
    Ok(())
}

fn the_jwt_is_good_for_no_longer(cx: &CaseContext<'_>) -> CaseResult {
    let (tokens, at) = issued(cx)?;
    time::advance_to(cx, at.to + DAY_MS + AFTER_MS)?;
    cx.get(BOOKS).jwt(&tokens.jwt).send()?.check().status(401)?;
    Ok(())
}
