//! Session tokens as they are issued, and what is no session token.

use std::collections::BTreeSet;

use super::timed_session::list_with;
use crate::chapters::prelude::*;

cases! { "sessions";
    /// A session token is 64 lowercase hex digits.
    token_is_64_hex_digits judges ["sessions/form"];
    /// Every login, also of one user, issues another token, and all of them stay good side by side.
    every_login_has_a_session_of_its_own judges ["sessions/distinct"];
    /// A session token sent as Bearer opens what its user may do: books, two-factor routes, API keys.
    session_opens_what_its_user_may_do judges ["sessions/accepted"];
    /// A session is the client's, not the browser's: it opens the same from another User-Agent and language than its login's.
    session_opens_the_same_from_another_device judges ["sessions/accepted"];
    /// What is no session token is refused as Bearer: a made-up one, part of one, an API key, a JWT, an id.
    other_texts_are_no_session_token judges ["sessions/unknown"];
    /// The sessionId of a login that still waits for its second factor is no session token.
    pending_login_is_no_session judges ["sessions/unknown"];
}

/// What every token must hold is judged of it.
fn token_is_64_hex_digits(cx: &CaseContext<'_>) -> CaseResult {
    users::register_and_log_in(cx, "user").map(drop)
}

fn every_login_has_a_session_of_its_own(cx: &CaseContext<'_>) -> CaseResult {
    let (user, other) = (users::register(cx, "user")?, users::register(cx, "user")?);
    let mut tokens = Vec::new();
    for who in [&user, &user, &other, &user] {
        tokens.push(users::log_in(cx, &who.email, &who.password)?.session);
    }
    let distinct: BTreeSet<&String> = tokens.iter().collect();
    cx.check(distinct.len() == tokens.len(), "tokens of several logins", "another one each time", tokens.join(", "))?;
    for token in &tokens {
        list_with(cx, token)?.check().status(200)?;
    }
    Ok(())
}

fn session_opens_what_its_user_may_do(cx: &CaseContext<'_>) -> CaseResult {
    let (_, tokens) = users::register_and_log_in(cx, "admin")?;
    let session = &tokens.session;
    let book = books::create(cx, &json!({}))?;
    for path in [
        "/libros?limit=1",
        &book.path(),
        "/2fa/status",
        "/auth/api-keys",
        // A session is good for more than one request.
        "/libros?limit=1",
    ] {
        cx.get(path).bearer(session).send()?.check().status(200)?;
    }
    cx.delete(&book.path()).bearer(session).send()?.check().status(204).map(drop)
}

fn session_opens_the_same_from_another_device(cx: &CaseContext<'_>) -> CaseResult {
    let user = users::register(cx, "user")?;
    let session = users::log_in(cx, &user.email, &user.password)?.session;
    for device in [two_factor::laptop(cx), two_factor::phone(cx)] {
        for path in ["/libros?limit=1", "/2fa/status"] {
            cx.get(path).bearer(&session).device(&device).send()?.check().status(200)?;
        }
    }
    Ok(())
}

fn other_texts_are_no_session_token(cx: &CaseContext<'_>) -> CaseResult {
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
    for token in &wrong {
        for path in ["/libros?limit=1", "/2fa/status"] {
            cx.get(path).bearer(token).send()?.check().denied("TOKEN_INVALIDO")?;
        }
    }
    list_with(cx, right)?.prepared("using the session again", 200)?;
    Ok(())
}

fn pending_login_is_no_session(cx: &CaseContext<'_>) -> CaseResult {
    let enrolled = two_factor::enroll(cx)?;
    let pending = two_factor::pending_session(cx, &enrolled.user)?;
    for path in ["/libros?limit=1", "/2fa/status"] {
        cx.get(path).bearer(&pending).send()?.check().denied("TOKEN_INVALIDO")?;
    }
    Ok(())
}
