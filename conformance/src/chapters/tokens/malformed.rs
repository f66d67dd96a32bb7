//! Presented tokens with something wrong: every one is 401 JWT_INVALIDO, beside a token that differs in just that and
//! is let in; and how long tokens live, by the control clock.

use super::issued::{holder_let_in, list_with, seconds_from_now};
use crate::chapters::prelude::*;
use crate::fixture::tokens::segment_of_text;
use crate::oracle::jwt::decoded;

cases! { "tokens";
    /// One, two, four or five segments, or a session token, are refused; three are let in.
    other_numbers_of_segments_are_refused judges ["tokens/segments-wrong"] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        let jwt = &tokens.jwt;
        list_with(cx, jwt)?.prepared("using an issued token", 200)?;
        let (unsigned, last) = crate::fixture::tokens::cut(jwt)?;
        let payload = unsigned.split('.').nth(1).unwrap_or_default();
        let wrong = [
            unsigned.clone(),
            payload.to_owned(),
            format!("{jwt}.{last}"),
            format!("{jwt}."),
            format!("{jwt}.{last}.{last}"),
            format!("{payload}.{last}"),
            tokens.session.clone(),
            "x".to_owned(),
        ];
        each_denied(CODE, wrong.map(|token| cx.get("/libros?limit=1").jwt(&token)))
    };
    /// A payload that is no base64, or base64 of no JSON, is refused.
    undecodable_payload_is_refused judges ["tokens/payload-undecodable"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let right = json!({ "email": holder.user.email, "exp": seconds_from_now(cx, 3_600)? }).to_string();
        let cut_short = &right[..right.len() - 1];
        let segments = [
            String::new(),
            "%%%%".to_owned(),
            "no es base64".replace(' ', "*"),
            segment_of_text("no es JSON"),
            segment_of_text("   "),
            segment_of_text(cut_short),
            hex::encode(&right),
        ];
        for segment in segments {
            let payload = decoded(&segment).and_then(|bytes| String::from_utf8(bytes).ok());
            let shown = payload.map_or_else(|| format!("`{segment}`, no base64"), |payload| format!("`{payload}`"));
            is_denied(&list_with(cx, &holder.mint.token_of_segment(&segment))?, &shown)?;
        }
        Ok(())
    };
    /// A payload with text after its JSON object is refused.
    payload_with_text_after_it_is_refused judges ["errors/text-after-json"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let right = json!({ "email": holder.user.email, "exp": seconds_from_now(cx, 3_600)? });
        for after in ["}", " {}", " x"] {
            let payload = format!("{right}{after}");
            is_denied(&list_with(cx, &holder.mint.token_of_text(&payload))?, &format!("`{payload}`"))?;
        }
        Ok(())
    };
    /// A payload that is a list, a text, a number, a boolean or null is refused, also where it holds the e-mail.
    payload_that_is_no_object_is_refused judges ["tokens/payload-not-object"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let email = &holder.user.email;
        for payload in [
            json!([]),
            json!([email]),
            json!([{ "email": email, "exp": seconds_from_now(cx, 3_600)? }]),
            json!(email),
            json!(5),
            json!(true),
            json!(null),
        ] {
            is_denied(&list_with(cx, &holder.mint.token(&payload))?, &format!("`{payload}`"))?;
        }
        Ok(())
    };
    /// A token that names no e-mail, an unknown one, or something that is no text is refused.
    unknown_user_is_refused judges ["tokens/user-unknown"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let (email, id) = (&holder.user.email, &holder.user.id);
        let exp = seconds_from_now(cx, 3_600)?;
        let unknown = users::email(cx, "nadie");
        for payload in [
            json!({ "email": unknown, "userId": id, "role": "user", "permissions": ["read:libros"], "exp": exp }),
            // Nothing another case may have registered where odd e-mails are accepted.
            json!({ "email": false, "userId": id, "exp": exp }),
            json!({ "email": " ", "userId": id, "exp": exp }),
            json!({ "email": 17.5, "userId": id, "exp": exp }),
            json!({ "email": { "address": email }, "exp": exp }),
            json!({ "email": format!("x{email}"), "exp": exp }),
            json!({ "email": id, "exp": exp }),
            json!({ "email": "constructor", "exp": exp }),
        ] {
            list_with(cx, &holder.mint.token(&payload))?.check().denied(CODE)?;
        }
        let without = json!({ "userId": id, "role": "user", "permissions": ["read:libros"], "exp": exp });
        for payload in [without, json!({ "exp": exp }), json!({})] {
            let reply = list_with(cx, &holder.mint.token(&payload))?;
            // Where a registration without an e-mail was taken, this is the token of a user who is there.
            if reply.is(200) && users::has_nameless(cx)? {
                return Ok(());
            }
            reply.check().denied(CODE)?;
        }
        Ok(())
    };
    /// A token whose exp has passed is refused, by a minute or by years.
    past_exp_is_refused judges ["tokens/exp-past"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        // A minute is more than any two clocks that are set differ by.
        for ago_s in [60, 3_600, 86_400 * 365 * 20] {
            let exp = seconds_from_now(cx, -ago_s)?;
            let payload = json!({ "email": holder.user.email, "iat": exp - 86_400, "exp": exp });
            list_with(cx, &holder.mint.token(&payload))?.check().denied(CODE)?;
        }
        Ok(())
    };
    /// A token without exp is let in.
    token_without_exp_is_let_in judges ["tokens/exp-absent"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let email = &holder.user.email;
        for payload in
            [json!({ "email": email }), json!({ "email": email, "iat": seconds_from_now(cx, -10 * 86_400)? })]
        {
            list_with(cx, &holder.mint.token(&payload))?.check().status(200)?;
        }
        Ok(())
    };
    /// An exp of 0 is there, and past.
    exp_of_0_is_refused judges ["tokens/exp-zero"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let payload = json!({ "email": holder.user.email, "exp": 0 });
        list_with(cx, &holder.mint.token(&payload))?.check().denied(CODE).map(drop)
    };
    /// An exp of 0, null or a text is refused, or does not count.
    odd_exp_is_refused_or_ignored judges ["tokens/exp-odd"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let future = seconds_from_now(cx, 3_600)?;
        for exp in [Value::Null, json!("mañana"), json!(future.to_string())] {
            let payload = json!({ "email": holder.user.email, "exp": exp });
            let reply = list_with(cx, &holder.mint.token(&payload))?;
            let is_refused = reply.is(401) && reply.text_at("/error/codigo") == CODE;
            let readings = [("refused", is_refused), ("absent", reply.is(200))];
            cx.observe(&readings, format!("status {} for exp {exp}", reply.status()))?;
        }
        Ok(())
    };
    /// An issued token is let in 23:59:59 after its issue and refused at 24:00:01, though its use at the first of them.
    issued_token_lives_a_day judges ["tokens/day"] needs [Need::Clock] => |cx| {
        let user = users::register(cx, "user")?;
        let (tokens, login) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
        // iat is in whole seconds, so the day begins with the second of the login.
        let ends_from = login.from / SECOND_MS * SECOND_MS + DAY_MS;
        time::advance_to(cx, ends_from - SECOND_MS)?;
        time::before(cx, ends_from, |cx| list_with(cx, &tokens.jwt))?.check().status(200)?;
        time::advance_to(cx, login.to + DAY_MS + SECOND_MS)?;
        list_with(cx, &tokens.jwt)?.check().status(401).map(drop)
    };
    /// An issued token outlives the session issued with it, used or not.
    issued_token_outlives_the_session judges ["tokens/day"] needs [Need::Clock] => |cx| {
        let (_, tokens) = users::register_and_log_in(cx, "user")?;
        for hours in [1, 2, 12] {
            time::advance_past(cx, cx.target_now()? + hours * HOUR_MS + MINUTE_MS)?;
            let session = cx.get("/libros?limit=1").bearer(&tokens.session).send()?;
            session.prepared("finding the session expired", 401)?;
            list_with(cx, &tokens.jwt)?.check().status(200)?;
        }
        Ok(())
    };
    /// An issued token is refused for good once its day is over.
    expired_token_is_refused judges ["tokens/exp-past"] needs [Need::Clock] => |cx| {
        let (user, tokens) = users::register_and_log_in(cx, "user")?;
        list_with(cx, &tokens.jwt)?.prepared("using an issued token", 200)?;
        for _ in 0..2 {
            time::advance_past(cx, cx.target_now()? + DAY_MS + MINUTE_MS)?;
            list_with(cx, &tokens.jwt)?.check().denied(CODE)?;
            cx.get("/2fa/status").jwt(&tokens.jwt).send()?.check().denied(CODE)?;
        }
        let renewed = users::log_in(cx, &user.email, &user.password)?;
        list_with(cx, &renewed.jwt)?.prepared("using a token issued anew", 200).map(drop)
    };
    /// A token is refused in the very second its exp names, and let in the second before.
    exp_of_this_second_is_refused judges ["tokens/exp-now"] needs [Need::Clock];
    /// A token without exp is let in days later.
    token_without_exp_does_not_expire judges ["tokens/exp-absent"] needs [Need::Clock] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        let iat = cx.target_now()? / SECOND_MS;
        let token = holder.mint.token(&json!({ "email": holder.user.email, "iat": iat }));
        for days in [2, 40] {
            time::advance_past(cx, cx.target_now()? + days * DAY_MS)?;
            list_with(cx, &token)?.check().status(200)?;
        }
        Ok(())
    };
}

const CODE: &str = "JWT_INVALIDO";
const DAY_MS: i64 = 24 * HOUR_MS;

/// A 401 with the code of tokens; the failure shows the payload decoded, since base64 cannot be read.
fn is_denied(reply: &Reply, payload: &str) -> CaseResult {
    reply.check().of(&format!("the payload {payload}")).denied(CODE).map(drop)
}

fn exp_of_this_second_is_refused(cx: &CaseContext<'_>) -> CaseResult {
    let holder = holder_let_in(cx, "user")?;
    // To the beginning of a second, so that the request arrives within it; far enough for others that share the clock.
    let second = cx.target_now()? / SECOND_MS + 20;
    let token_of = |exp: i64| holder.mint.token(&json!({ "email": holder.user.email, "exp": exp }));
    let (this, next) = (token_of(second), token_of(second + 1));
    time::advance_to(cx, second * SECOND_MS + 1)?;
    time::before(cx, (second + 1) * SECOND_MS, |cx| list_with(cx, &next))?
        .prepared("using a token whose exp is the next second", 200)?;
    list_with(cx, &this)?.check().denied(CODE).map(drop)
}
