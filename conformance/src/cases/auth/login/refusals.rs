//! Logins that are refused, each beside one that differs in one thing and is let in.

use serde_json::{Value, json};

use crate::cases;
use crate::context::case_context::Trial;
use crate::contract::verdict::{Judged, Stop};
use crate::fixture::users::PASSWORD;
use crate::http::reply::Reply;

cases! { "login";
    /// An e-mail nobody registered is refused, also with a password that others have.
    unknown_email_is_refused judges ["login/email-unknown"];
    /// A wrong password is refused, also another user's; the right one is let in before and after.
    wrong_password_is_refused judges ["login/password-wrong"];
    /// A password counts in full: letter case, accents, spaces around it, every character of a long one.
    password_counts_as_a_whole judges ["login/password-exact"];
    /// A login without e-mail or password, or with one that is no text, is refused.
    missing_or_odd_fields_are_refused judges ["login/field-missing"];
    /// Many wrong passwords in a row do not keep out who then sends the right one.
    wrong_passwords_do_not_block judges ["login/wrong-passwords-do-not-block"];
}

fn register_with(t: &Trial<'_>, password: &str) -> Result<String, Stop> {
    let email = format!("{}@example.test", t.unique("user"));
    let body = json!({ "email": email, "password": password, "nombre": "Prueba" });
    let reply = t.post("/auth/registro").json(&body).send()?;
    reply.prepared("registering a user", 201)?;
    Ok(email)
}

fn log_in_with(t: &Trial<'_>, body: &Value) -> Result<Reply, Stop> {
    t.post("/auth/login").json(body).send()
}

fn unknown_email_is_refused(t: &Trial<'_>) -> Judged {
    let user = t.register("user")?;
    t.log_in(&user.email, &user.password)?;
    let near = format!("x{}", user.email);
    let unknown = format!("{}@example.test", t.unique("nadie"));
    for email in [near.as_str(), unknown.as_str()] {
        t.try_log_in(email, &user.password)?.judge("login/email-unknown").status(400)?;
    }
    Ok(())
}

fn wrong_password_is_refused(t: &Trial<'_>) -> Judged {
    const RULE: &str = "login/password-wrong";
    let user = t.register("user")?;
    t.log_in(&user.email, &user.password)?;
    let theirs = "La-clave-de-otra-2026!";
    let other = register_with(t, theirs)?;
    t.log_in(&other, theirs)?;
    for wrong in ["No-es-la-clave-2026!", theirs] {
        t.try_log_in(&user.email, wrong)?.judge(RULE).status(400)?;
    }
    let initial = &t.target().credentials.regular_user;
    let wrong = format!("{}x", initial.password);
    t.try_log_in(&initial.email, &wrong)?.judge(RULE).status(400)?;
    t.log_in(&user.email, &user.password)?;
    Ok(())
}

fn password_counts_as_a_whole(t: &Trial<'_>) -> Judged {
    const RULE: &str = "login/password-exact";
    let right = "Contraseña-de-Verdad-2026!";
    let email = register_with(t, right)?;
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
    for wrong in &near {
        t.try_log_in(&email, wrong)?.judge(RULE).status(400)?;
    }
    t.log_in(&email, right)?;

    // Some hashes see only the first 72 bytes.
    let long = format!("Una-clave-larga-2026!{}", "-y-larga".repeat(9));
    let email = register_with(t, &long)?;
    let end = long.len() - 1;
    for wrong in [&long[..72], &format!("{}!", &long[..end])] {
        t.try_log_in(&email, wrong)?.judge(RULE).status(400)?;
    }
    t.log_in(&email, &long)?;

    let foreign = "Пароль-図書館-2026!";
    let email = register_with(t, foreign)?;
    for wrong in ["Король-図書館-2026!", "Пароль-美術館-2026!", "??????-???-2026!"] {
        t.try_log_in(&email, wrong)?.judge(RULE).status(400)?;
    }
    t.log_in(&email, foreign)?;

    let small = "una-clave-en-minúsculas-2026!";
    let email = register_with(t, small)?;
    t.try_log_in(&email, &small.to_uppercase())?.judge(RULE).status(400)?;
    t.log_in(&email, small)?;

    // Spaces around it belong to a password that was registered with them.
    let spaced = " Una clave con espacios 2026! ";
    let email = register_with(t, spaced)?;
    t.try_log_in(&email, spaced.trim())?.judge(RULE).status(400)?;
    t.log_in(&email, spaced)?;
    Ok(())
}

fn missing_or_odd_fields_are_refused(t: &Trial<'_>) -> Judged {
    // Digits alone, so that a number that reads alike can be sent in its place.
    let digits = "9071992305518264";
    let email = register_with(t, digits)?;
    let number: Value = digits.parse::<u64>().unwrap_or_default().into();
    t.log_in(&email, digits)?;
    let user = t.register("user")?;
    let bodies = [
        json!({ "email": user.email }),
        json!({ "password": PASSWORD }),
        json!({}),
        json!({ "email": user.email, "password": null }),
        json!({ "email": user.email, "password": "" }),
        json!({ "email": null, "password": PASSWORD }),
        json!({ "email": "", "password": PASSWORD }),
        json!({ "email": user.email, "password": true }),
        json!({ "email": user.email, "password": [PASSWORD] }),
        json!({ "email": [user.email], "password": PASSWORD }),
        json!({ "email": { "$ne": null }, "password": PASSWORD }),
        json!({ "email": email, "password": number }),
    ];
    for body in bodies {
        log_in_with(t, &body)?.judge("login/field-missing").status(400)?;
    }
    Ok(())
}

fn wrong_passwords_do_not_block(t: &Trial<'_>) -> Judged {
    const TRIES: usize = 12;
    let user = t.register("user")?;
    for _ in 0..TRIES {
        t.try_log_in(&user.email, "No-es-la-clave-2026!")?;
    }
    t.try_log_in(&user.email, &user.password)?.judge("login/wrong-passwords-do-not-block").status(200)?;
    Ok(())
}
