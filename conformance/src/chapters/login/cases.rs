//! Cases of the chapter login: what is answered with a second factor and from a trusted device, and passwords that are refused.

use crate::chapters::devices::trusted::trusting_device;
use crate::chapters::prelude::*;

cases! { "login";
    /// The right password of a user without second factor is let in, for registered and initial users alike.
    right_password_is_200 judges ["login/success"] => |cx| {
        let user = users::register(cx, "user")?;
        let initial = &cx.target().credentials;
        let right =
            [&initial.admin_user, &initial.regular_user].map(|user| users::login(cx, &user.email, &user.password));
        each_answers(200, [users::login(cx, &user.email, &user.password)].into_iter().chain(right))
    };
    /// An e-mail with capital letters is let in as it was registered.
    an_email_with_capitals_is_let_in_as_registered judges ["login/email-as-registered"] => |cx| {
        for stem in ["Ada", "ada.LOVELACE"] {
            let email = users::email(cx, stem);
            let reply = users::registration(cx, &json!({ "email": email, "password": PASSWORD })).send()?;
            if reply.is(400) {
                return cx.tell("an e-mail with capital letters is refused at registration");
            }
            reply.prepared("registering a user", 201)?;
            users::try_log_in(cx, &email, PASSWORD)?.check().status(200)?;
        }
        Ok(())
    };
    /// The user at login and the client in API key answers stand under `the service`, under one other key in all of them, or
    /// under a key each.
    principal_stands_under_one_key judges ["login/principal-key"] => |cx| {
        let login = login_of_a_new_user(cx, "admin")?;
        let session = login.text_at("/tokens/sessionToken");
        let creation = cx.post("/auth/api-keys").bearer(&session).json(&json!({ "nombre": cx.unique("cliente") }));
        let created = creation.send()?.prepared("creating an API key", 201)?;
        let listing = cx.get("/auth/api-keys").bearer(&session).send()?.prepared("listing API keys", 200)?;
        let of_user = other_keys(&login.json(), &["requiere2FA", "tokens"]);
        let of_client = other_keys(&created.json(), &["apiKey", "advertencia"]);
        let mut seen = vec![of_user, of_client];
        seen.extend(listing.json().as_array().into_iter().flatten().map(|entry| other_keys(entry, &["apiKey"])));
        let (of_user, of_client) = (&seen[0], &seen[1]);
        let are_all = |key: &str| seen.iter().all(|keys| *keys == [key]);
        let is_one = of_user.len() == 1 && seen.iter().all(|keys| keys == of_user);
        let are_two = of_user.len() == 1 && of_client.len() == 1 && seen[1..].iter().all(|keys| keys == of_client);
        let readings = [("the-service", are_all("the service")), ("other", is_one), ("two", are_two)];
        cx.observe(&readings, brief(&format!("{seen:?}"))).seen_in([&login, &created, &listing])
    };
    /// sessionId is 64 hex digits, another at each login.
    session_id_is_64_hex_digits judges ["login/second-session-id"] => |cx| {
        let (user, first) = asked(cx)?;
        let second = two_factor::log_in(cx, &user)?;
        let earlier = first.text_at("/sessionId");
        second.check().at_where("/sessionId", "another than at the first login", |id| *id != earlier).map(drop)
    };
    /// metodosDisponibles has backup_codes as long as one of the eight is unused, and again after regenerating.
    methods_have_backup_codes_while_one_is_unused judges ["login/second-backup-codes"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        offers_backup_codes(cx, &enrolled.user, true)?;
        for index in 0..7 {
            two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(index)?)?;
        }
        offers_backup_codes(cx, &enrolled.user, true)?;
        two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(7)?)?;
        two_factor::regenerate(cx, &enrolled.tokens)?;
        offers_backup_codes(cx, &enrolled.user, true)
    };
    /// metodosDisponibles lacks backup_codes once all eight are used.
    methods_lack_backup_codes_when_all_are_used judges ["login/second-no-backup-codes"] => |cx| {
        let enrolled = two_factor::enroll(cx)?;
        for index in 0..8 {
            two_factor::log_in_with(cx, &enrolled.user, enrolled.backup_code(index)?)?;
        }
        offers_backup_codes(cx, &enrolled.user, false)
    };
    /// A login from a trusted device is answered with tokens at once; one from another device is asked.
    trusted_device_is_not_asked judges ["login/trusted-skips"] => |cx| {
        let user = trusting_phone(cx)?.user;
        two_factor::pending_session(cx, &user)?;
        // More than once: a device stays trusted.
        for _ in 0..2 {
            let reply = two_factor::log_in_from(cx, &user, &two_factor::phone(cx))?;
            let check = reply.check().at("/requiere2FA", &json!(false))?.nothing_at("/sessionId")?;
            check.text_at("/tokens/sessionToken", "a session token")?.text_at("/tokens/jwtToken", "a JWT")?;
        }
        Ok(())
    };
    /// twoFactorEnabled is true where a trusted device was not asked.
    two_factor_is_told_as_enabled_to_a_trusted_device judges ["login/two-factor-trusted"] => |cx| {
        let reply = two_factor::log_in_from(cx, &trusting_phone(cx)?.user, &two_factor::phone(cx))?;
        let is_let_in = reply.text_at("/sessionId").is_empty();
        CaseError::blocked_unless(is_let_in, "logging in from a trusted device", "the second factor was asked for")?;
        says_enabled(cx, &reply, true)
    };
    /// The answer to a user who has a two-factor record has the fields of any other: nothing of the record is shown.
    record_of_the_second_factor_is_not_shown judges ["login/user-shape", "login/tokens-shape"] => |cx| {
        // What every login must hold is judged of both.
        let enrolled = trusting_phone(cx)?;
        two_factor::log_in_from(cx, &enrolled.user, &two_factor::phone(cx))?;
        two_factor::disable(cx, &enrolled.tokens)?;
        two_factor::log_in(cx, &enrolled.user).map(drop)
    };
    /// A wrong password is refused whether or not a second factor would be asked for, and on a trusted device too.
    wrong_password_is_refused_before_the_second_factor judges ["login/password-wrong"] => |cx| {
        let user = trusting_phone(cx)?.user;
        let login = |device| users::login(cx, &user.email, "No-es-la-clave-2026!").device(&device);
        each_answers(400, [two_factor::laptop(cx), two_factor::phone(cx)].map(login))
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

fn login_of_a_new_user(cx: &CaseContext<'_>, role: &str) -> CaseResult<Reply> {
    let user = users::register(cx, role)?;
    users::try_log_in(cx, &user.email, &user.password)?.prepared("logging in", 200)
}

/// The keys of an object other than those the documents name.
fn other_keys(object: &Value, named: &[&str]) -> Vec<String> {
    let keys = object.as_object().map(|object| object.keys());
    keys.into_iter().flatten().filter(|key| !named.contains(&key.as_str())).cloned().collect()
}

/// The user of that login shows whether two-factor is enabled.
fn says_enabled(cx: &CaseContext<'_>, login: &Reply, is_enabled: bool) -> CaseResult {
    login.check().at(&users::principal_field(cx, "twoFactorEnabled"), &json!(is_enabled)).map(drop)
}

/// The answer that asks a newly enrolled user for the second factor.
fn asked(cx: &CaseContext<'_>) -> CaseResult<(MadeUser, Reply)> {
    let user = two_factor::enroll(cx)?.user;
    let reply = two_factor::log_in(cx, &user)?;
    Ok((user, reply))
}

/// A login shows that backup codes are among the methods, or are not.
fn offers_backup_codes(cx: &CaseContext<'_>, user: &MadeUser, offers: bool) -> CaseResult {
    let want = if offers { "a list with backup_codes" } else { "a list without backup_codes" };
    let is_offered = |methods: &Vec<Value>| methods.contains(&json!("backup_codes"));
    let fits = |methods: &Value| methods.as_array().is_some_and(|methods| is_offered(methods) == offers);
    two_factor::log_in(cx, user)?.check().at_where("/metodosDisponibles", want, fits).map(drop)
}

/// A user whose phone is a trusted device.
fn trusting_phone(cx: &CaseContext<'_>) -> CaseResult<Enrolled> {
    trusting_device(cx, &two_factor::phone(cx))
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
