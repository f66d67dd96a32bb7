//! Logins that are refused, each beside one that differs in one thing and is let in.

use crate::chapters::prelude::*;

cases! { "login";
    /// An unknown e-mail is refused, also with the password of another user.
    unknown_email_is_refused judges ["login/email-unknown"] => |cx| {
        let user = users::register(cx, "user")?;
        users::log_in(cx, &user.email, &user.password)?;
        let near = format!("x{}", user.email);
        let unknown = users::email(cx, "nadie");
        each_answers(400, [near, unknown].map(|email| users::login(cx, &email, &user.password)))
    };
    /// A wrong password is refused, also another user's; the right one is let in before and after.
    wrong_password_is_refused judges ["login/password-wrong"] => |cx| {
        let user = users::register(cx, "user")?;
        users::log_in(cx, &user.email, &user.password)?;
        let theirs = "La-clave-de-otra-2026!";
        let other = register_with(cx, theirs)?;
        users::log_in(cx, &other, theirs)?;
        let initial = &cx.target().credentials.regular_user;
        let requests = [
            users::login(cx, &user.email, "No-es-la-clave-2026!"),
            users::login(cx, &user.email, theirs),
            users::login(cx, &initial.email, &format!("{}x", initial.password)),
        ];
        each_answers(400, requests)?;
        users::log_in(cx, &user.email, &user.password).map(drop)
    };
    /// A password counts in full: letter case, accents, spaces around it, every character of a long one.
    password_counts_as_a_whole judges ["login/password-exact"] => |cx| {
        let right = "Contraseña-de-Verdad-2026!";
        let near = [
            right.to_lowercase(),
            right.to_uppercase(),
            right.replace('ñ', "n"),
            // What a hash over ASCII or Latin-1 makes of letters beyond: question marks, or their lowest bytes.
            right.replace('ñ', "é"),
            right.replace('ñ', "ж"),
            right.replace('ñ', "?"),
            right.replace('ñ', "\u{1f1}"),
            right.replace('ñ', ""),
            right.trim_end_matches('!').to_owned(),
            format!("{right}!"),
            format!(" {right}"),
            format!("{right} "),
            format!("{right}\n"),
            right.chars().take(8).collect(),
        ];
        // A user for a few of them each: a target may make a client that tries too often wait.
        for some in near.chunks(4) {
            let email = register_with(cx, right)?;
            each_answers(400, some.iter().map(|wrong| users::login(cx, &email, wrong)))?;
            users::log_in(cx, &email, right)?;
        }

        // Some hashes see only the first 72 bytes.
        let long = format!("Una-clave-larga-2026!{}", "-y-larga".repeat(9));
        let end = long.len() - 1;
        counts_beside(cx, &long, &[&long[..72], &format!("{}!", &long[..end])])?;
        let foreign = "Aa-Пароль-図書館-2026!";
        counts_beside(cx, foreign, &["Aa-Король-図書館-2026!", "Aa-Пароль-美術館-2026!", "Aa-??????-???-2026!"])?;
        let small = "una-clave-en-minúsculas-2026!";
        counts_beside(cx, small, &[&small.to_uppercase()])?;
        // Spaces around it belong to a password that was registered with them.
        let spaced = " Una clave con espacios 2026! ";
        counts_beside(cx, spaced, &[spaced.trim()])
    };
    /// A login without e-mail or password, or with one that no conversion makes a right one, is refused.
    missing_or_odd_fields_are_refused judges ["login/field-missing"] => |cx| {
        let user = users::register(cx, "user")?;
        let bodies = [
            json!({ "email": user.email }),
            json!({ "password": PASSWORD }),
            json!({}),
            json!({ "email": user.email, "password": null }),
            json!({ "email": user.email, "password": "" }),
            json!({ "email": null, "password": PASSWORD }),
            json!({ "email": "", "password": PASSWORD }),
            json!({ "email": user.email, "password": true }),
            // A list of one text may be taken for that text.
            json!({ "email": user.email, "password": [PASSWORD, "x"] }),
            json!({ "email": [users::NOBODY, "x"], "password": PASSWORD }),
            json!({ "email": { "$ne": null }, "password": PASSWORD }),
        ];
        each_answers(400, bodies.iter().map(|body| cx.post("/auth/login").json(body)))
    };
    /// Many wrong passwords in a row do not keep out who then sends the right one.
    wrong_passwords_do_not_block judges ["login/wrong-passwords-do-not-block"] => |cx| {
        const TRIES: usize = 12;
        let user = users::register(cx, "user")?;
        for _ in 0..TRIES {
            // A target may make a client that guesses wait, and says so.
            if users::try_log_in(cx, &user.email, "No-es-la-clave-2026!")?.is(429) {
                return cx.tell("429 to many wrong passwords");
            }
        }
        users::try_log_in(cx, &user.email, &user.password)?.check().status(200).map(drop)
    };
}

fn register_with(cx: &CaseContext<'_>, password: &str) -> CaseResult<String> {
    let email = users::email(cx, "user");
    try_register_with(cx, &email, password)?.prepared("registering a user", 201)?;
    Ok(email)
}

fn try_register_with(cx: &CaseContext<'_>, email: &str, password: &str) -> CaseResult<Reply> {
    users::registration(cx, &json!({ "email": email, "password": password, "nombre": "Prueba" })).send()
}

/// A password that a target may refuse at registration, for its length or its letters; where it does, nothing is to be judged.
fn counts_beside(cx: &CaseContext<'_>, right: &str, near: &[&str]) -> CaseResult {
    let email = users::email(cx, "user");
    let registered = try_register_with(cx, &email, right)?;
    if registered.is(400) {
        return Ok(());
    }
    registered.prepared("registering a user", 201)?;
    each_answers(400, near.iter().map(|wrong| users::login(cx, &email, wrong)))?;
    users::log_in(cx, &email, right).map(drop)
}
