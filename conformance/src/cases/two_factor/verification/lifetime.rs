//! The tokens of a verification are as those of a login: their form, and how long they are good for.

use serde_json::Value;

use crate::case::{CaseContext, CaseError, CaseResult, Need, cases};
use crate::contract::violation::{Place, Want};
use crate::fixture::time::{self, HOUR_MS, SECOND_MS, Span};
use crate::fixture::tokens::{claims, sorted};
use crate::fixture::two_factor::{self, tokens_in};
use crate::fixture::users::Tokens;

cases! { "verification";
    /// The session token is 64 lowercase hex digits, another one each time.
    the_session_token_has_its_form judges ["sessions/form", "sessions/distinct"];
    /// The JWT has three segments, and the six fields of its payload are those of the user.
    the_jwt_has_its_form judges ["tokens/segments", "tokens/payload-fields", "tokens/payload-identity", "tokens/exp"];
    /// The session token is good for an hour.
    the_session_token_is_good_for_an_hour judges ["verification/session-life"] needs [Need::Clock];
    /// And not for longer.
    the_session_token_is_good_for_no_longer judges ["verification/session-life"] needs [Need::Clock];
    /// The JWT is good for a day.
    the_jwt_is_good_for_a_day judges ["verification/jwt-token"] needs [Need::Clock];
    /// And not for longer.
    the_jwt_is_good_for_no_longer judges ["tokens/exp-past"] needs [Need::Clock];
}

fn the_session_token_has_its_form(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let mut seen = vec![enrolled.tokens.session.clone()];
    for index in [0, 1] {
        let session = two_factor::pending_session(cx, &enrolled.user)?;
        let reply = two_factor::verify(cx, &session, enrolled.factor.backup_code(index)?)?;
        let token = tokens_in(&reply)?.session;
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let is_hex = token.len() == 64 && token.bytes().all(is_digit);
        let (place, want) = (|| Place::body("/tokens/sessionToken"), "64 lowercase hex digits");
        reply.check_rule("sessions/form").that(is_hex, place(), want, &token)?;
        let is_new = !seen.contains(&token) && token != session;
        reply.check_rule("sessions/distinct").that(is_new, place(), "one not given before", &token)?;
        seen.push(token);
    }
    Ok(())
}

fn the_jwt_has_its_form(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let earlier = claims(&enrolled.tokens.jwt)?;
    let session = two_factor::pending_session(cx, &enrolled.user)?;
    let reply = two_factor::verify(cx, &session, enrolled.factor.backup_code(0)?)?;
    let jwt = tokens_in(&reply)?.jwt;
    let place = || Place::body("/tokens/jwtToken");
    reply.check_rule("tokens/segments").that(jwt.split('.').count() == 3, place(), "three segments", &jwt)?;
    let payload = claims(&jwt)?;
    let names = ["email", "userId", "role", "permissions", "iat", "exp"];
    let has_names = payload
        .as_object()
        .is_some_and(|payload| payload.len() == names.len() && names.iter().all(|name| payload.contains_key(*name)));
    let check = reply.check_rule("tokens/payload-fields");
    check.that(has_names, place(), Want::keys(&names), &payload)?;
    for name in ["email", "userId", "role", "permissions"] {
        let (want, got) = (earlier.get(name).map(sorted), payload.get(name).map(sorted));
        let want_told = format!("the {name} of the first login's, {want:?}");
        reply.check_rule("tokens/payload-identity").that(got == want, place(), want_told, format!("{got:?}"))?;
    }
    let number = |name: &str| payload.get(name).and_then(Value::as_f64);
    let lasts = number("exp").zip(number("iat")).map(|(exp, iat)| exp - iat);
    let is_day = lasts.is_some_and(|lasts| (lasts - 86_400.0).abs() < 1e-6);
    reply.check_rule("tokens/exp").that(is_day, place(), "exp 86400 after iat", format!("{lasts:?}"))?;
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
