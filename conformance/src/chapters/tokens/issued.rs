//! Tokens as the target issues them: segments, header, payload, the placeholder at the end.

use super::holder::{holder, list_with};
use crate::chapters::prelude::*;
use crate::fixture::tokens::{claims, cut};
use crate::oracle::jwt::{decoded, json_of_segment};

cases! { "tokens";
    /// An issued token has three segments, the header HS256 and JWT, six fields of the user who logged in, and exp a
    /// day after iat.
    an_issued_token_is_whole judges [
        "tokens/segments", "tokens/header", "tokens/payload-fields", "tokens/payload-identity", "tokens/exp",
    ];
    /// Header and payload are in base64, or base64url, throughout.
    segments_are_base64 judges ["tokens/alphabet"];
    /// The payload is UTF-8: e-mails and roles beyond ASCII stand in it as they are, and the token is let in.
    payload_tells_of_users_beyond_ascii judges ["tokens/payload-identity", "tokens/accepted"];
    /// iat is the second of the login, or a moment within it.
    iat_is_the_second_of_issue judges ["tokens/iat"];
    /// The final segment is the same text for different users and payloads: a placeholder, not a signature.
    final_segment_is_always_the_same judges ["tokens/final-placeholder"];
    /// An issued token is let in, for reading and for what else its user may do.
    issued_token_is_let_in judges ["tokens/accepted"];
}

/// Logs in users of four roles and the initial admin; what every token must hold is judged of each.
fn an_issued_token_is_whole(cx: &CaseContext<'_>) -> CaseResult {
    for role in ["user", "moderator", "admin", "bibliotecaria"] {
        holder(cx, role)?;
    }
    let initial = &cx.target().credentials.admin_user;
    users::try_log_in(cx, &initial.email, &initial.password).map(drop)
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
    list_with(cx, &issued)?.check().status(200).map(drop)
}
