//! How long tokens live, held against the control clock.

use super::holder::{holder_let_in, list_with};
use crate::chapters::prelude::*;
use crate::fixture::time::{HOUR_MS, MINUTE_MS, SECOND_MS};

const CODE: &str = "JWT_INVALIDO";
const DAY_MS: i64 = 24 * HOUR_MS;

cases! { "tokens";
    /// An issued token is let in 23:59:59 after its issue and refused at 24:00:01, though its use at the first of them.
    issued_token_lives_a_day judges ["tokens/day"] needs [Need::Clock];
    /// An issued token outlives the session issued with it, used or not.
    issued_token_outlives_the_session judges ["tokens/day"] needs [Need::Clock];
    /// An issued token is refused for good once its day is over.
    expired_token_is_refused judges ["tokens/exp-past"] needs [Need::Clock];
    /// A token is refused in the very second its exp names, and let in the second before.
    exp_of_this_second_is_refused judges ["tokens/exp-now"] needs [Need::Clock];
    /// A token without exp is let in days later.
    token_without_exp_does_not_expire judges ["tokens/exp-absent"] needs [Need::Clock];
}

fn issued_token_lives_a_day(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (tokens, login) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
    // iat is in whole seconds, so the day begins with the second of the login.
    let ends_from = login.from / SECOND_MS * SECOND_MS + DAY_MS;
    time::advance_to(cx, ends_from - SECOND_MS)?;
    time::before(cx, ends_from, |cx| list_with(cx, &tokens.jwt))?.check().status(200)?;
    time::advance_to(cx, login.to + DAY_MS + SECOND_MS)?;
    list_with(cx, &tokens.jwt)?.check().status(401).map(drop)
}

fn issued_token_outlives_the_session(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "user")?;
    for hours in [1, 2, 12] {
        time::advance_past(cx, cx.target_now()? + hours * HOUR_MS + MINUTE_MS)?;
        let session = cx.get("/libros?limit=1").bearer(&tokens.session).send()?;
        session.prepared("finding the session expired", 401)?;
        list_with(cx, &tokens.jwt)?.check().status(200)?;
    }
    Ok(())
}

fn expired_token_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let (user, tokens) = users::register_and_log_in(cx, "user")?;
    list_with(cx, &tokens.jwt)?.prepared("using an issued token", 200)?;
    for _ in 0..2 {
        time::advance_past(cx, cx.target_now()? + DAY_MS + MINUTE_MS)?;
        list_with(cx, &tokens.jwt)?.check().denied(CODE)?;
        cx.get("/2fa/status").jwt(&tokens.jwt).send()?.check().denied(CODE)?;
    }
    let renewed = users::log_in(cx, &user.email, &user.password)?;
    list_with(cx, &renewed.jwt)?.prepared("using a token issued anew", 200)?;
    Ok(())
}

fn exp_of_this_second_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let holder = holder_let_in(cx, "user")?;
    // To the beginning of a second, so that the request arrives within it; far enough for others that share the clock.
    let second = cx.target_now()? / SECOND_MS + 20;
    let token_of = |exp: i64| {
        let payload = json!({ "email": holder.user.email, "exp": exp });
        holder.mint.token(&payload)
    };
    let (this, next) = (token_of(second), token_of(second + 1));
    time::advance_to(cx, second * SECOND_MS + 1)?;
    time::before(cx, (second + 1) * SECOND_MS, |cx| list_with(cx, &next))?
        .prepared("using a token whose exp is the next second", 200)?;
    list_with(cx, &this)?.check().denied(CODE).map(drop)
}

fn token_without_exp_does_not_expire(cx: &CaseContext<'_>) -> CaseResult {
    let holder = holder_let_in(cx, "user")?;
    let iat = cx.target_now()? / SECOND_MS;
    let token = holder.mint.token(&json!({ "email": holder.user.email, "iat": iat }));
    for days in [2, 40] {
        time::advance_past(cx, cx.target_now()? + days * DAY_MS)?;
        list_with(cx, &token)?.check().status(200)?;
    }
    Ok(())
}
