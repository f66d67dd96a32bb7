//! Tokens as the target issues them: segments, header, payload, the placeholder at the end.

use serde_json::{Value, json};

use super::holder::{holder, list_with};
use crate::case::{CaseContext, CaseError, CaseResult, cases};
use crate::fixture::tokens::{claims, cut, decoded, json_of_segment, sorted};
use crate::fixture::users::{self, PASSWORD};
use crate::fixture::{books, time};
use crate::http::reply::{Reply, SeenIn as _};

cases! { "tokens";
    /// An issued token has three segments, none of them empty.
    token_has_three_segments judges ["tokens/segments"];
    /// The first segment says HS256 and JWT.
    header_says_hs256_and_jwt judges ["tokens/header"];
    /// Header and payload are in base64, or base64url, throughout.
    segments_are_base64 judges ["tokens/alphabet"];
    /// The payload has six fields and nothing besides.
    payload_has_six_fields judges ["tokens/payload-fields"];
    /// The payload tells e-mail, id, role and permissions of the user who logged in.
    payload_tells_of_the_user judges ["tokens/payload-identity"];
    /// The payload is UTF-8: e-mails and roles beyond ASCII stand in it as they are, and the token is let in.
    payload_tells_of_users_beyond_ascii judges ["tokens/payload-identity", "tokens/accepted"];
    /// iat is the second of the login, or a moment within it.
    iat_is_the_second_of_issue judges ["tokens/iat"];
    /// exp is 86400 seconds after iat.
    exp_is_a_day_after_iat judges ["tokens/exp"];
    /// The final segment is the same text for different users and payloads: a placeholder, not a signature.
    final_segment_is_always_the_same judges ["tokens/final-placeholder"];
    /// An issued token is let in, for reading and for what else its user may do.
    issued_token_is_let_in judges ["tokens/accepted"];
}

fn token_has_three_segments(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let login = users::try_log_in(cx, &user.email, &user.password)?;
    let login = login.prepared("logging in", 200)?;
    login.check().at_where("/tokens/jwtToken", "three segments joined by dots", |token| {
        let segments = token.as_str().map(|token| token.split('.').collect::<Vec<_>>());
        segments.is_some_and(|segments| segments.len() == 3 && segments.iter().all(|segment| !segment.is_empty()))
    })?;
    Ok(())
}

fn header_says_hs256_and_jwt(cx: &CaseContext<'_>) -> CaseResult {
    let issued = holder(cx, "user")?.jwt;
    let header = json_of_segment(&issued, 0).unwrap_or_default();
    let fits = header["alg"] == "HS256" && header["typ"] == "JWT";
    cx.check(
        fits,
        "first segment of the token",
        "base64 of a JSON object with alg HS256 and typ JWT",
        format!("{header} in {issued}"),
    )
}

fn segments_are_base64(cx: &CaseContext<'_>) -> CaseResult {
    // Question marks and tildes in the payload show the alphabet, whatever stands before them; three lengths show the padding.
    let mut tokens = Vec::new();
    for role in ["???~~~", "???~~~a", "???~~~ab"] {
        let email = users::email(cx, "user");
        let body = json!({ "email": email, "password": PASSWORD, "nombre": "Prueba", "role": role });
        cx.post("/auth/registro").json(&body).send()?.prepared("registering a user", 201)?;
        tokens.push(users::log_in(cx, &email, PASSWORD)?.jwt);
    }
    let segments: Vec<&str> = tokens.iter().flat_map(|token| token.split('.').take(2)).collect();
    let are_in = |extra: [char; 2]| {
        let fits = |segment: &&str| {
            let digits = segment.trim_end_matches('=');
            let is_digit = |c: char| c.is_ascii_alphanumeric() || extra.contains(&c);
            digits.chars().all(is_digit) && decoded(segment).is_some()
        };
        segments.iter().all(fits)
    };
    cx.observe(&[("base64", are_in(['+', '/'])), ("base64url", are_in(['-', '_']))], segments.join(", "))
}

/// Registers a user with that role and answers its login, with the payload of the token it issued.
fn login_and_payload(cx: &CaseContext<'_>, role: &str) -> Result<(Reply, Value), CaseError> {
    let user = users::register(cx, role)?;
    let login = users::try_log_in(cx, &user.email, &user.password)?;
    let login = login.prepared("logging in", 200)?;
    let payload = claims(&login.text_at("/tokens/jwtToken"))?;
    Ok((login, payload))
}

fn payload_has_six_fields(cx: &CaseContext<'_>) -> CaseResult {
    let fields = ["email", "userId", "role", "permissions", "iat", "exp"];
    let (_, payload) = login_and_payload(cx, "user")?;
    let has = |object: &serde_json::Map<String, Value>| {
        object.len() == fields.len() && fields.iter().all(|field| object.contains_key(*field))
    };
    cx.check(
        payload.as_object().is_some_and(has),
        "payload of the token",
        format!("an object with exactly {}", fields.join(", ")),
        payload,
    )
}

fn payload_tells_of_the_user(cx: &CaseContext<'_>) -> CaseResult {
    let mut logins = Vec::new();
    for role in ["user", "moderator", "admin", "bibliotecaria"] {
        logins.push(login_and_payload(cx, role)?);
    }
    let initial = &cx.target().credentials.admin_user;
    let login = users::try_log_in(cx, &initial.email, &initial.password)?;
    let login = login.prepared("logging in the initial admin", 200)?;
    let payload = claims(&login.text_at("/tokens/jwtToken"))?;
    logins.push((login, payload));

    for (login, payload) in logins {
        for (claim, field) in [("email", "email"), ("userId", "id"), ("role", "role"), ("permissions", "permissions")] {
            let Some(told) = login.at(&users::principal_field(cx, field)) else {
                return Err(CaseError::blocked("logging in", format!("the answer tells no {field} of the user")));
            };
            cx.check(
                sorted(&payload[claim]) == sorted(&told),
                format!("{claim} in the payload of the token"),
                format!("{told}, as the login tells"),
                &payload[claim],
            )
            .seen_in([&login])?;
        }
    }
    Ok(())
}

fn payload_tells_of_users_beyond_ascii(cx: &CaseContext<'_>) -> CaseResult {
    for role in ["bibliotecária", "библиотекарь", "司書", "lectora-📚"] {
        let email = users::email(cx, "user");
        let body = json!({ "email": email, "password": PASSWORD, "nombre": "Íñigo Ж 本", "role": role });
        cx.post("/auth/registro").json(&body).send()?.prepared("registering a user", 201)?;
        let login = users::try_log_in(cx, &email, PASSWORD)?.prepared("logging in", 200)?;
        let issued = login.text_at("/tokens/jwtToken");
        let payload = json_of_segment(&issued, 1).unwrap_or_default();
        let told = login.at(&users::principal_field(cx, "role")).unwrap_or_default();
        let got = format!("{payload} in {issued}");
        let fits = payload["email"] == email && payload["role"] == told;
        let want = format!("base64 of JSON in UTF-8 with email {email} and role {told}");
        cx.check_rule("tokens/payload-identity", fits, "payload of the token", want, got)?;
        list_with(cx, &issued)?.check_rule("tokens/accepted").status(200)?;
    }
    Ok(())
}

fn iat_is_the_second_of_issue(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let (tokens, login) = time::timed(cx, |cx| users::log_in(cx, &user.email, &user.password))?;
    let payload = claims(&tokens.jwt)?;
    let slack_s = time::tolerance_ms(cx) / 1_000;
    let (from, to) = (login.from / 1_000 - slack_s, login.to / 1_000 + slack_s);
    let iat = second_in(&payload["iat"]);
    cx.check(
        iat.is_some_and(|iat| (from..=to).contains(&iat)),
        "iat in the payload of the token",
        format!("a number of seconds between {from} and {to}, those of the login"),
        &payload["iat"],
    )
}

/// The second that a JSON number tells, its fraction left out.
fn second_in(value: &Value) -> Option<i64> {
    let float = value.as_f64().map(f64::floor);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float out of range saturates, and then is no second of a login"
    )]
    value.as_i64().or(float.map(|number| number as i64))
}

fn exp_is_a_day_after_iat(cx: &CaseContext<'_>) -> CaseResult {
    let (_, payload) = login_and_payload(cx, "user")?;
    let times = (payload["iat"].as_f64(), payload["exp"].as_f64());
    let fits = matches!(times, (Some(iat), Some(exp)) if (exp - iat - 86_400.0).abs() < 1e-6);
    cx.check(
        fits,
        "exp in the payload of the token",
        format!("86400 after iat, which is {}", payload["iat"]),
        &payload["exp"],
    )
}

fn final_segment_is_always_the_same(cx: &CaseContext<'_>) -> CaseResult {
    let mut last_segments = Vec::new();
    for role in ["user", "admin", "moderator"] {
        let issued = holder(cx, role)?.jwt;
        last_segments.push(cut(&issued)?.1);
    }
    cx.check(
        last_segments.iter().all(|last| *last == last_segments[0]),
        "final segments of tokens of different users",
        "one and the same text",
        last_segments.join(", "),
    )
}

fn issued_token_is_let_in(cx: &CaseContext<'_>) -> CaseResult {
    let issued = holder(cx, "moderator")?.jwt;
    let book = books::create(cx, &json!({}))?;
    for path in ["/libros?limit=1", &book.path(), "/2fa/status"] {
        cx.get(path).jwt(&issued).send()?.check().status(200)?;
    }
    cx.delete(&book.path()).jwt(&issued).send()?.check().status(204)?;
    // A token is no single-use thing.
    list_with(cx, &issued)?.check().status(200)?;
    Ok(())
}
