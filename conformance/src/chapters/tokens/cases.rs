//! The alphabet and `iat` of issued tokens, in which alphabets others are read, and the very second in which one ends.

use base64::Engine as _;
use base64::engine::general_purpose::{GeneralPurpose, STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::chapters::prelude::*;
use crate::fixture::tokens::{Mint, claims};
use crate::oracle::jwt::decoded;

cases! { "tokens";
    /// Header and payload of a JWT are both in base64, or both in base64url.
    segments_are_base64 judges ["tokens/alphabet"] => |cx| {
        // Question marks and tildes in the payload show the alphabet, whatever comes before them; three lengths show the padding.
        let mut tokens = Vec::new();
        for role in ["???~~~", "???~~~a", "???~~~ab"] {
            tokens.push(users::register_and_log_in(cx, role)?.1.jwt);
        }
        let segments: Vec<&str> = tokens.iter().flat_map(|token| token.split('.').take(2)).collect();
        let are_in = |extra: [char; 2]| {
            let is_digit = |c: char| c.is_ascii_alphanumeric() || extra.contains(&c);
            segments.iter().all(|it| it.trim_end_matches('=').chars().all(is_digit) && decoded(it).is_some())
        };
        cx.observe(&[("base64", are_in(['+', '/'])), ("base64url", are_in(['-', '_']))], segments.join(", "))
    };
    /// iat of a JWT is the second of the login, or a moment within it.
    iat_is_the_second_of_issue judges ["tokens/iat"] => |cx| {
        let user = users::register(cx, "user")?;
        let (tokens, login) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
        let payload = claims(&tokens.jwt)?;
        let slack_s = time::tolerance_ms(cx) / 1_000;
        let (from, to) = (login.from / 1_000 - slack_s, login.to / 1_000 + slack_s);
        let is_of_login = second_in(&payload["iat"]).is_some_and(|iat| (from..=to).contains(&iat));
        let want = format!("a number of seconds between {from} and {to}, those of the login");
        cx.check(is_of_login, "iat in the payload of the token", want, &payload["iat"])
    };
    /// The payload of a JWT is accepted in base64 and base64url, padded or not, or only in the alphabet of issued JWTs.
    payload_is_read_in_either_alphabet judges ["tokens/either-alphabet"] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        // The two alphabets differ on `???` and `~~~`; the length asks for padding.
        let payload = json!({ "email": holder.user.email, "exp": seconds_from_now(cx, 3_600)?, "userId": "???~~~" });
        let mut text = payload.to_string();
        while text.len() % 3 != 1 {
            text.push(' ');
        }
        let alphabets = [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD];
        let send = |alphabet: &GeneralPurpose| list_with(cx, &holder.mint.token_of_segment(&alphabet.encode(&text)));
        let answers = alphabets.into_iter().map(send).collect::<Result<Vec<_>, _>>()?;
        let statuses: Vec<u16> = answers.iter().map(Reply::status).collect();
        let (accepted, others): (Vec<&Reply>, Vec<&Reply>) = answers.iter().partition(|reply| reply.is(200));
        let only_some = !accepted.is_empty() && others.iter().all(|reply| is_refused(reply));
        let got = format!("statuses {statuses:?} for base64, unpadded, base64url, unpadded");
        cx.observe(&[("both", others.is_empty()), ("issued", only_some)], got).seen_in(others.into_iter().take(2))
    };
    /// A JWT is refused in the second that its exp names, and accepted in the second before.
    exp_of_this_second_is_refused judges ["tokens/exp-now"] needs [Need::Clock] => |cx| {
        let holder = holder_let_in(cx, "user")?;
        // To the beginning of a second, so that the request arrives within it; far enough for others that share the clock.
        let second = cx.target_now()? / SECOND_MS + 20;
        let token_of = |exp: i64| holder.mint.token(&json!({ "email": holder.user.email, "exp": exp }));
        let (this, next) = (token_of(second), token_of(second + 1));
        time::advance_to(cx, second * SECOND_MS + 1)?;
        let (reply, at) = time::timed(cx, |cx| list_with(cx, &next))?;
        // A 401 that may have come too late proves nothing.
        let is_in_time = at.to <= (second + 1) * SECOND_MS || !reply.is(401);
        CaseError::blocked_unless(is_in_time, "using a token in its last second", "the answer came after it")?;
        reply.prepared("using a token whose exp is the next second", 200)?;
        list_with(cx, &this)?.check().denied(CODE).map(drop)
    };
}

/// A user, and a mint of tokens like the user's.
struct Holder {
    user: MadeUser,
    mint: Mint,
}

fn holder(cx: &CaseContext<'_>, role: &str) -> CaseResult<Holder> {
    let (user, tokens) = users::register_and_log_in(cx, role)?;
    let mint = Mint::from_issued(&tokens.jwt)?;
    Ok(Holder { user, mint })
}

/// The target's time plus `ahead_s`, in seconds since 1970.
fn seconds_from_now(cx: &CaseContext<'_>, ahead_s: i64) -> CaseResult<i64> {
    Ok(cx.target_now()?.div_euclid(1_000) + ahead_s)
}

fn list_with(cx: &CaseContext<'_>, token: &str) -> CaseResult<Reply> {
    cx.get("/libros?limit=1").jwt(token).send()
}

/// As [`holder`]; blocks the case unless a valid made token is accepted, so that a refusal has its cause in the token.
fn holder_let_in(cx: &CaseContext<'_>, role: &str) -> CaseResult<Holder> {
    let holder = holder(cx, role)?;
    let payload = json!({ "email": holder.user.email, "exp": seconds_from_now(cx, 3_600)? });
    list_with(cx, &holder.mint.token(&payload))?.prepared("using a made token with nothing wrong in it", 200)?;
    Ok(holder)
}

/// A JSON number without its fraction.
fn second_in(value: &Value) -> Option<i64> {
    let float = value.as_f64().map(f64::floor);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float out of range saturates, and then is no second of a login"
    )]
    value.as_i64().or(float.map(|number| number as i64))
}

fn is_refused(reply: &Reply) -> bool {
    reply.is(401) && reply.text_at("/error/codigo") == CODE
}

const CODE: &str = "JWT_INVALIDO";
